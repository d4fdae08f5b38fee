import { NotificationOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { Home, HomeBlock } from '../../../contract/content/home.ts';
import { RichText } from '../../kit/rich-text/RichText.tsx';
import { BannerBlock } from './BannerBlock.tsx';
import { FiguresBlock } from './FiguresBlock.tsx';
import { JumpLink } from './JumpLink.tsx';
import { ShortcutsBlock } from './ShortcutsBlock.tsx';
import { StepsBlock } from './StepsBlock.tsx';

type HomeBlocksProps = {
  blocks: readonly HomeBlock[];
  /** The user's own figures; null in a preview, where each user's own stand in their places. */
  home: Home | null;
};

/** The blocks of the home screen in their order. Blocks have no identity of their own: their place is their key. */
export function HomeBlocks({ blocks, home }: HomeBlocksProps) {
  return (
    <div className="home-blocks">
      {blocks.map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: see above.
        <Block key={`${place} ${block.kind}`} block={block} home={home} />
      ))}
    </div>
  );
}

function Block({ block, home }: { block: HomeBlock; home: Home | null }) {
  switch (block.kind) {
    case 'announcement':
      return <Announcement title={block.title} body={block.body} />;
    case 'banner':
      return <BannerBlock typeId={block.rotation_type_id} isPreview={home === null} />;
    case 'links':
      return <Links title={block.title} links={block.links} />;
    case 'steps':
      return home ? <StepsBlock home={home} title={block.title} /> : <OwnPlace kind={block.kind} />;
    case 'figures':
      return home ? <FiguresBlock home={home} /> : <OwnPlace kind={block.kind} />;
    case 'shortcuts':
      return home ? <ShortcutsBlock title={block.title} /> : <OwnPlace kind={block.kind} />;
  }
}

/** Where each user will see what is his own. */
function OwnPlace({ kind }: { kind: HomeBlock['kind'] }) {
  const { t } = useTranslation();
  return (
    <p className="home-placeholder">
      <b>{t(`home_page_config.kind.${kind}`)}</b>
      {t(`home_page_config.own.${kind}`)}
    </p>
  );
}

function Announcement({ title, body }: { title: string; body: string }) {
  const { t } = useTranslation();
  if (!title && !body) return null;
  return (
    <section className="lc-panel home-announcement" aria-label={title || t('home.announcement')}>
      {title && (
        <header className="lc-panel-head">
          <NotificationOutlined className="home-announcement-icon" aria-hidden />
          <h2>{title}</h2>
        </header>
      )}
      {body && <RichText html={body} />}
    </section>
  );
}

function Links({ title, links }: { title: string; links: Extract<HomeBlock, { kind: 'links' }>['links'] }) {
  const { t } = useTranslation();
  return (
    <section className="lc-panel" aria-label={title || t('home.links')}>
      {title && (
        <header className="lc-panel-head">
          <h2>{title}</h2>
        </header>
      )}
      <ul className="home-links">
        {links.map((link, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: links have no identity but their place.
          <li key={place}>
            <JumpLink jump={link} className="home-link">
              <span>{link.title}</span>
            </JumpLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

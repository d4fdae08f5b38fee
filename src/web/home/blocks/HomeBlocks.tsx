import { NotificationOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { HomeBlock } from '../../../contract/content/home-page-config.ts';
import { RichText } from '../../kit/rich-text/RichText.tsx';
import { BannerBlock } from './BannerBlock.tsx';
import { JumpLink } from './JumpLink.tsx';

type HomeBlocksProps = { blocks: readonly HomeBlock[]; isPreview: boolean };

/** What the operator placed on the start page, in its order. Blocks have no identity of their own: their place is their key. */
export function HomeBlocks({ blocks, isPreview }: HomeBlocksProps) {
  return blocks.map((block, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above.
    <Block key={`${place} ${block.kind}`} block={block} isPreview={isPreview} />
  ));
}

function Block({ block, isPreview }: { block: HomeBlock; isPreview: boolean }) {
  switch (block.kind) {
    case 'announcement':
      return <Announcement title={block.title} body={block.body} />;
    case 'banner':
      return <BannerBlock typeId={block.rotation_type_id} isPreview={isPreview} />;
    case 'links':
      return <Links title={block.title} links={block.links} />;
  }
}

function Announcement({ title, body }: { title: string; body: string }) {
  const { t } = useTranslation();
  if (!title && !body) return null;
  return (
    <section className="lc-panel" aria-label={title || t('home.block_kind.announcement')}>
      {title && (
        <header className="lc-panel-head">
          <NotificationOutlined className="lc-home-announcement-icon" aria-hidden />
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
    <section className="lc-panel" aria-label={title || t('home.block_kind.links')}>
      {title && (
        <header className="lc-panel-head">
          <h2>{title}</h2>
        </header>
      )}
      <ul className="lc-home-links">
        {links.map((link, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: links have no identity but their place.
          <li key={place}>
            <JumpLink jump={link} className="lc-home-link">
              <span>{link.title}</span>
            </JumpLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

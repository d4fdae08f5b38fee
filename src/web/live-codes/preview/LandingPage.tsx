import { PictureOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { pageStyles } from '../../../contract/enums.ts';
import type { TargetValues } from '../edit/values.ts';

type LandingPageProps = { target: TargetValues; title: string; text: string; style: (typeof pageStyles)[number] };

/** The page of a picture or a text, as the visit path dresses it. */
export function LandingPage({ target, title, text, style }: LandingPageProps) {
  const { t } = useTranslation();
  return (
    <div className={`lc-visit-page lc-visit-page-${style}`}>
      <div className="lc-visit-sheet">
        {title && (
          <h3 className="lc-visit-title" dir="auto">
            {title}
          </h3>
        )}
        {text && <p className="lc-visit-lead">{text}</p>}
        {target.kind === 'picture' ? <Picture url={target.picture_url} name={target.name || title} /> : <Text content={target.content} />}
        {target.kind === 'picture' && target.picture_url && !target.any_picture && (
          <p className="lc-visit-hint">{t('set_qr_code.preview.long_press')}</p>
        )}
      </div>
    </div>
  );
}

function Picture({ url, name }: { url: string | null; name: string }) {
  const { t } = useTranslation();
  if (url) return <img className="lc-visit-picture" src={url} alt={name} />;
  return (
    <div className="lc-visit-missing">
      <PictureOutlined className="lc-visit-missing-icon" aria-hidden />
      {t('set_qr_code.preview.no_picture')}
    </div>
  );
}

function Text({ content }: { content: string }) {
  const { t } = useTranslation();
  return (
    <>
      <div className="lc-visit-text" dir="auto">
        {content || t('set_qr_code.preview.no_text')}
      </div>
      <span className="lc-visit-button">{t('set_qr_code.preview.copy_text')}</span>
    </>
  );
}

import { ExportOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import type { jumpTypes } from '../../../contract/enums.ts';
import { shortAddress } from '../edit/url.ts';

type JumpType = (typeof jumpTypes)[number];
const newWindow: JumpType = 4;
const insidePage: JumpType = 5;

type JumpPageProps = {
  url: string;
  jumpType: JumpType;
  title: string;
  /** Message key of a line that says why this address is shown. */
  note?: string;
};

/** Where a visitor is sent: the target's page itself cannot be shown here, so its address stands for it. */
export function JumpPage({ url, jumpType, title, note }: JumpPageProps) {
  const { t } = useTranslation();
  if (!url) return <p className="lc-visit-missing">{t('set_qr_code.preview.no_url')}</p>;
  if (jumpType === newWindow) {
    return (
      <div className="lc-visit-page lc-visit-center">
        {title && <p className="lc-visit-site">{title}</p>}
        <h3 className="lc-visit-title">{t('set_qr_code.preview.new_window.title')}</h3>
        <p className="lc-visit-lead">{t('set_qr_code.preview.new_window.text')}</p>
        <span className="lc-visit-button">{t('set_qr_code.preview.new_window.button')}</span>
        <p className="lc-visit-quiet">{shortAddress(url)}</p>
      </div>
    );
  }
  return (
    <div className="lc-visit-browser">
      <div className="lc-visit-address">{shortAddress(url, 90)}</div>
      <div className="lc-visit-target">
        <ExportOutlined className="lc-visit-target-icon" aria-hidden />
        <p>{t(note ?? 'set_qr_code.preview.opens')}</p>
        <b className="lc-visit-target-host">{hostOf(url)}</b>
        <p className="lc-visit-quiet">{t(`set_qr_code.preview.jump.${jumpType}`)}</p>
        {/^https?:/i.test(url) && (
          <a className="lc-visit-target-link" href={url} target="_blank" rel="noreferrer noopener">
            {t('set_qr_code.preview.open_target')}
          </a>
        )}
      </div>
      {jumpType === insidePage && <div className="lc-visit-bar">{t('set_qr_code.preview.open_directly')}</div>}
    </div>
  );
}

const hostOf = (url: string): string => URL.parse(url)?.host || url.split(':')[0] || url;

import { DownloadOutlined, DownOutlined, ExportOutlined, PrinterOutlined, ShareAltOutlined } from '@ant-design/icons';
import { Button, Space } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { toQrDesign } from '../../../qr/design.ts';
import { Dropdown } from '../../kit/dialogs/dialogs.tsx';
import { Copyable, Empty, useCopy } from '../../kit/feedback.ts';
import { linkText } from '../../kit/host.ts';
import { Patch } from '../../kit/look/art/Patch.tsx';
import { type DownloadFormat, downloadFormats } from '../../qr/download.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { useQrDownload } from '../design/useQrDownload.ts';
import type { OpenDialog } from '../list/useDialogs.ts';
import { useCodeRights } from './useCodeRights.ts';

type QrPanelProps = { code: LiveCodeDetails; open: OpenDialog };

/** The QR image as it is printed, its link, and what takes both out into the world. */
export function QrPanel({ code, open }: QrPanelProps) {
  const { t } = useTranslation();
  const { sees, may } = useCodeRights(code);
  const { url } = code;
  if (url === null) {
    return (
      <section className="lc-panel lc-code-qr" aria-label={t('qr_code_list.columns.qr')}>
        <Empty
          picture="road"
          title="qr_code_list.design.no_url"
          help="qr_code_list.design.no_url_help"
          action={
            may('domain') && (
              <Button type="primary" onClick={() => void open({ kind: 'domain', codes: [code] })}>
                {t('qr_code_list.actions.domain')}
              </Button>
            )
          }
        />
      </section>
    );
  }
  return (
    <section className="lc-panel lc-code-qr" aria-label={t('qr_code_list.columns.qr')}>
      <div className="lc-code-qr-stage">
        <Patch />
        <QrImage
          className="lc-code-qr-image"
          text={url}
          alt={t('qr_code_list.qr_of', { name: code.name })}
          design={toQrDesign(code.qr_design)}
          width={232}
        />
      </div>
      <Links code={code} url={url} />
      <div className="lc-code-qr-acts">
        {sees('print') && <Download code={code} open={open} />}
        {sees('print') && (
          <Button icon={<PrinterOutlined />} onClick={() => void open({ kind: 'print', codes: [code] })}>
            {t('qr_code.print')}
          </Button>
        )}
        {may('share') && (
          <Button icon={<ShareAltOutlined />} onClick={() => void open({ kind: 'share', code })}>
            {t('qr_code_list.actions.share')}
          </Button>
        )}
      </div>
    </section>
  );
}

const isLocal = (url: string): boolean => /^(localhost|127\.|\[::1\])/.test(URL.parse(url)?.host ?? '');

/** As many of the link's even characters as the panel has room for. */
const linkCharacters = 31;

/** What the image holds, to be copied and opened, and the short link that leads there too. */
function Links({ code, url }: { code: LiveCodeDetails; url: string }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const shown = linkText(url, { host: code.entry_host, host_unicode: code.entry_host_unicode });
  return (
    <div className="lc-code-links">
      <Copyable value={url} text={shown} maximum={linkCharacters} code />
      {code.short_url && (
        <Copyable value={code.short_url} text={code.short_url.replace(/^https?:\/\//, '')} maximum={linkCharacters} code />
      )}
      <span className="lc-code-link-acts">
        <Button size="small" onClick={() => void copy(url)}>
          {t('qr_code_list.actions.copy_link')}
        </Button>
        <Button size="small" icon={<ExportOutlined />} href={url} target="_blank" rel="noopener">
          {t('qr_code.try')}
        </Button>
      </span>
      <small className="lc-soft">{t(isLocal(url) ? 'set_qr_code.test.local' : 'set_qr_code.test.help')}</small>
    </div>
  );
}

/** The usual file with one click; the others, where the image is found, and the look of them all, in the menu beside it. */
function Download({ code, open }: QrPanelProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const { download, isSaving } = useQrDownload();
  const formats = downloadFormats.map((format) => ({ key: format, label: t('qr_code.download_as', { format: format.toUpperCase() }) }));
  const { qr_image_url } = code;
  const acts: Record<string, () => unknown> = {
    image_link: () => copy(qr_image_url ?? ''),
    design: () => open({ kind: 'design', code }),
  };
  const items = [
    ...formats,
    { type: 'divider' as const },
    ...(qr_image_url ? [{ key: 'image_link', label: t('qr_code_list.actions.copy_image_link') }] : []),
    { key: 'design', label: t('qr_code_list.actions.design') },
  ];
  return (
    <Space.Compact block className="lc-code-download-main">
      <Button type="primary" icon={<DownloadOutlined />} loading={isSaving} onClick={() => void download(code)}>
        {t('qr_code.download')}
      </Button>
      <Dropdown
        placement="bottomRight"
        menu={{
          items,
          onClick: ({ key }) => void (acts[key] ?? (() => download(code, key as DownloadFormat)))(),
        }}
      >
        <Button type="primary" icon={<DownOutlined />} aria-label={t('qr_code.download_more')} />
      </Dropdown>
    </Space.Compact>
  );
}

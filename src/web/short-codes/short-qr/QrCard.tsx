import { DownloadOutlined } from '@ant-design/icons';
import { Button, Checkbox } from 'antd';
import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShortCode } from '../../../contract/links/short-code.ts';
import { toQrDesign } from '../../../qr/design.ts';
import { CodeLink } from '../../kit/CodeLink.tsx';
import { Allowed } from '../../kit/calls/session.tsx';
import { Dropdown } from '../../kit/dialogs/dialogs.tsx';
import { Copyable } from '../../kit/feedback.ts';
import { linkText } from '../../kit/host.ts';
import { useIsPhone } from '../../kit/look/media.ts';
import { type DownloadFormat, downloadFormats } from '../../qr/download.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { State, stateOf } from '../cells.tsx';

type Props = {
  row: ShortCode;
  isSelected: boolean;
  onSelect: (row: ShortCode, isSelected: boolean) => void;
  onDownload: (row: ShortCode, format: DownloadFormat) => void;
};

/** One link's QR image, with what it leads to. */
export const QrCard = memo(function QrCard({ row, isSelected, onSelect, onDownload }: Props) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const title = row.live_code_name ?? row.url?.replace(/^https?:\/\//, '') ?? '';
  const items = downloadFormats.map((format) => ({ key: format, label: format.toUpperCase() }));
  return (
    <li className={isSelected ? 'lc-short-card lc-short-card-selected' : 'lc-short-card'}>
      <div className="lc-short-card-top">
        <Checkbox
          checked={isSelected}
          onChange={(event) => onSelect(row, event.target.checked)}
          aria-label={t('short_qr_code_list.select', { link: row.short_url })}
        />
        <Allowed node="short_qr_code_list.download">
          <Dropdown menu={{ items, onClick: ({ key }) => onDownload(row, key as DownloadFormat) }}>
            <Button
              type="text"
              size="small"
              icon={<DownloadOutlined />}
              aria-label={t('short_qr_code_list.download_of', { link: row.short_url })}
            />
          </Dropdown>
        </Allowed>
      </div>
      <QrImage
        text={row.short_url}
        alt={t('short_code.qr_of', { link: row.short_url })}
        design={toQrDesign(row.qr_design)}
        className="lc-short-card-image"
      />
      <strong className="lc-short-card-title">
        <CodeLink id={row.live_code_id} name={title} />
      </strong>
      <small className="lc-short-card-link">
        <Copyable value={row.short_url} text={linkText(row.short_url, row)} maximum={isPhone ? 16 : 24} code />
      </small>
      {stateOf(row).kind !== 'success' && <State row={row} />}
    </li>
  );
});

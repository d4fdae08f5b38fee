import { ClockCircleOutlined, QrcodeOutlined } from '@ant-design/icons';
import { Tag, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { accessMode, blockStatus, visitRestriction } from '../../../contract/enums.ts';
import { Copyable, Num, Status } from '../../kit/feedback.ts';
import { hostLabel, hostName } from '../../kit/host.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { toQrDesign } from '../../qr/drawing/design.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { blockStatusKind, blockStatusLabel, forwardedAddress, presentDomain } from '../choices.ts';

/** The code's own QR image, small; it opens the designer. */
export function Thumbnail({ code, onClick }: { code: LiveCode; onClick: () => void }) {
  const { t } = useTranslation();
  const label = t('qr_code_list.qr_of', { name: code.name });
  return (
    <button type="button" className="code-thumbnail" onClick={onClick} aria-label={label}>
      {code.url ? (
        <QrImage text={code.url} alt="" design={toQrDesign(code.qr_design)} width={40} className="code-thumbnail-image" />
      ) : (
        <QrcodeOutlined aria-hidden />
      )}
    </button>
  );
}

export function Name({ code }: { code: LiveCode }) {
  return (
    <div className="code-lines">
      <Link className="code-name" to={`/customer/set_qr_code?id=${code.id}`} title={code.name}>
        {code.name}
      </Link>
      <small className="code-small">
        <Copyable value={code.file_name} code />
      </small>
    </div>
  );
}

/** Visits above, the addresses they came from below; both lead to the statistics. */
export function Visits({ visits, ips, onClick }: { visits: number; ips: number; onClick: () => void }) {
  const { t } = useTranslation();
  return (
    <button type="button" className="code-figures" onClick={onClick}>
      <Num value={visits} />
      <small className="lc-soft code-small">
        <Num value={ips} /> {t('qr_code_list.ips')}
      </small>
    </button>
  );
}

/** Visits left over all targets: endless, a figure, or none; and when one of the targets ends soon. */
export function Remaining({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const targets = t('qr_code_list.remaining.targets', { count: code.target_count });
  return (
    <div className="code-lines code-pair">
      {code.remaining === null ? (
        <span className="lc-soft">{t('qr_code_list.remaining.endless')}</span>
      ) : code.remaining === 0 ? (
        <span className="code-fault">{t('qr_code_list.remaining.none')}</span>
      ) : (
        <Num value={code.remaining} />
      )}
      {code.target_expiring_at === null ? (
        <small className="lc-soft code-small">{targets}</small>
      ) : (
        <Tooltip title={t('qr_code_list.expiring.help', { time: format.time(code.target_expiring_at) })}>
          <small className="code-small code-expiring">
            <ClockCircleOutlined aria-hidden /> {t('qr_code_list.expiring.when', { time: format.shortTime(code.target_expiring_at) })}
          </small>
        </Tooltip>
      )}
    </div>
  );
}

/** Entry and landing domain, each with its block status where there is something to say. */
export function Domains({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  return (
    <div className="code-lines">
      <DomainName code={code} type="entry" />
      {code.forward_path !== null && (
        <Status kind="warning" label="qr_code_list.forwarded" help={t('set_qr_code.forwarded', { address: forwardedAddress(code) })} />
      )}
      {code.landing_host && <DomainName code={code} type="landing" />}
    </div>
  );
}

function DomainName({ code, type }: { code: LiveCode; type: 'entry' | 'landing' }) {
  const { t } = useTranslation();
  const present = presentDomain(code, type);
  const status = code[`${type}_block_status`];
  if (present === null) return <Status kind="error" label="qr_code_list.no_entry_domain" />;
  const isBad = status === blockStatus.blocked || status === blockStatus.failed;
  return (
    <span className="code-domain">
      <Tooltip title={`${t(`qr_code_list.columns.${type}`)}：${hostLabel(present)}`}>
        <span className={type === 'landing' ? 'code-domain-host lc-soft' : 'code-domain-host'}>{hostName(present)}</span>
      </Tooltip>
      {isBad && <Status kind={blockStatusKind[status]} label={blockStatusLabel(status)} />}
    </span>
  );
}

/** What visitors must do to get in; nothing where everyone may. */
export function LimitTags({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const isScanOnly = code.access_mode === accessMode.scan_only;
  const isMessengerOnly = code.restriction_visit === visitRestriction.messenger_only;
  if (!isScanOnly && !isMessengerOnly) return <span className="lc-soft">{t('qr_code_list.access.1')}</span>;
  return (
    <span className="code-tags">
      {isScanOnly && <Tag>{t('qr_code_list.access.2')}</Tag>}
      {isMessengerOnly && <Tag>{t('qr_code_list.restriction.2')}</Tag>}
    </span>
  );
}

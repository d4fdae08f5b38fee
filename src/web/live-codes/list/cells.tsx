import { ClockCircleOutlined, QrcodeOutlined } from '@ant-design/icons';
import { Tag, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import type { ListedCode } from '../../../contract/codes/qr-code-list.ts';
import { accessMode, visitRestriction } from '../../../contract/enums.ts';
import { toQrDesign } from '../../../qr/design.ts';
import { CodeLink, codePage } from '../../kit/CodeLink.tsx';
import { BlockStatus, blockState } from '../../kit/domainStates.tsx';
import { Copyable, Num, Status } from '../../kit/feedback.ts';
import { hostLabel, hostName } from '../../kit/host.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { QrImage } from '../../qr/QrImage.tsx';
import { forwardWarnings, presentDomain } from '../choices.ts';

/** The code's own QR image, small; it leads to the page that shows it large. The name beside it is the same way for the keyboard. */
export function Thumbnail({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const label = t('qr_code_list.qr_of', { name: code.name });
  return (
    <Link to={codePage(code.id)} className="lc-code-thumbnail" aria-label={label} tabIndex={-1}>
      {code.url ? (
        <QrImage text={code.url} alt="" design={toQrDesign(code.qr_design)} width={40} className="lc-code-thumbnail-image" />
      ) : (
        <QrcodeOutlined aria-hidden />
      )}
    </Link>
  );
}

export function Name({ code }: { code: ListedCode }) {
  const { t } = useTranslation();
  return (
    <div className="lc-code-lines">
      <CodeLink className="lc-code-name" id={code.id} name={code.name} />
      <small className="lc-code-small">
        <Copyable value={code.file_name} code />
        <FoundAlias code={code} />
        {code.over_quota && (
          <Tooltip title={t('qr_code_list.over_quota_help', code.over_quota)}>
            <Tag color="warning">{t('qr_code_list.over_quota_mark')}</Tag>
          </Tooltip>
        )}
      </small>
    </div>
  );
}

/** By which alias a search found the code, where nothing else that is shown says why. */
export function FoundAlias({ code }: { code: ListedCode }) {
  const { t } = useTranslation();
  return code.found_alias && <Tag>{t('common.found_alias', { key: code.found_alias })}</Tag>;
}

/** Visits above, the addresses they came from below; both lead to the statistics. */
export function Visits({ id, visits, ips }: { id: number; visits: number | null; ips: number | null }) {
  const { t } = useTranslation();
  if (visits === null) return <span className="lc-soft">{t('qr_code_list.figures_locked')}</span>;
  return (
    <Link to={codePage(id, 'statistics')} className="lc-code-figures">
      <Num value={visits} />
      <small className="lc-soft lc-code-small">
        <Num value={ips} /> {t('qr_code_list.ips')}
      </small>
    </Link>
  );
}

/** Visits left over all targets: endless, a figure, or none; and when one of the targets ends soon. */
export function Remaining({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const format = useFormat();
  const targets = t('qr_code_list.remaining.targets', { count: code.target_count });
  return (
    <div className="lc-code-lines lc-code-pair">
      {code.remaining === null ? (
        <span className="lc-soft">{t('common.unlimited')}</span>
      ) : code.remaining === 0 ? (
        <span className="lc-code-fault">{t('qr_code_list.remaining.none')}</span>
      ) : (
        <Num value={code.remaining} />
      )}
      {code.target_expiring_at === null ? (
        <small className="lc-soft lc-code-small">{targets}</small>
      ) : (
        <Tooltip title={t('qr_code_list.expiring.help', { time: format.time(code.target_expiring_at) })}>
          <small className="lc-code-small lc-code-expiring">
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
  const warnings = forwardWarnings(code, t);
  return (
    <div className="lc-code-lines">
      <DomainName code={code} type="entry" />
      {warnings.length > 0 && <Status kind="warning" label="qr_code_list.forwarded" help={warnings.join('\n')} />}
      {code.landing_host && <DomainName code={code} type="landing" />}
    </div>
  );
}

function DomainName({ code, type }: { code: LiveCode; type: 'entry' | 'landing' }) {
  const { t } = useTranslation();
  const present = presentDomain(code, type);
  const state = { block_status: code[`${type}_block_status`], suspected_since: code[`${type}_suspected_since`] };
  if (present === null) return <Status kind="error" label="qr_code_list.no_entry_domain" />;
  const { kind } = blockState(state);
  return (
    <span className="lc-code-domain">
      <Tooltip title={`${t(`qr_code_list.columns.${type}`)}：${hostLabel(present)}`}>
        <span className={type === 'landing' ? 'lc-code-domain-host lc-soft' : 'lc-code-domain-host'}>{hostName(present)}</span>
      </Tooltip>
      {(kind === 'error' || kind === 'warning') && <BlockStatus row={state} />}
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
    <span className="lc-code-tags">
      {isScanOnly && <Tag>{t('qr_code_list.access.2')}</Tag>}
      {isMessengerOnly && <Tag>{t('qr_code_list.restriction.2')}</Tag>}
    </span>
  );
}

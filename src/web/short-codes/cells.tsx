import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { blockStatus } from '../../contract/enums.ts';
import type { ShortCode } from '../../contract/links/short-code.ts';
import { CodeLink } from '../kit/CodeLink.tsx';
import { Copyable, Host, Num, Status } from '../kit/feedback.ts';
import { linkText } from '../kit/host.ts';

/** Why the link doesn't lead on at this moment, if it doesn't. */
export function stateOf({ enabled, expired, host_enabled, block_status, suspected_since }: ShortCode): {
  kind: 'success' | 'warning' | 'error' | 'neutral';
  label: string;
} {
  if (!enabled) return { kind: 'neutral', label: 'common.disabled' };
  if (expired) return { kind: 'warning', label: 'common.expired' };
  if (host_enabled === false) return { kind: 'error', label: 'short_code.state_domain_off' };
  if (block_status === blockStatus.blocked) return { kind: 'error', label: 'short_code.state_blocked' };
  if (suspected_since !== null) return { kind: 'warning', label: 'short_code.state_suspected' };
  return { kind: 'success', label: 'common.normal' };
}

export function ShortLink({ row }: { row: ShortCode }) {
  return <Copyable value={row.short_url} text={linkText(row.short_url, row)} maximum={30} code />;
}

/** Where the link leads: the live code by its name, or the address. */
export function Destination({ row }: { row: ShortCode }) {
  if (row.live_code_id === null) return <Copyable value={row.url ?? ''} maximum={34} />;
  return <CodeLink id={row.live_code_id} name={row.live_code_name ?? ''} />;
}

export function Place({ row }: { row: ShortCode }) {
  const { t } = useTranslation();
  if (row.platform_name === null) return <Host row={row} />;
  return <span title={row.platform_type === null ? '' : t(`url_key_platform.type_${row.platform_type}`)}>{row.platform_name}</span>;
}

export function State({ row }: { row: ShortCode }) {
  const { kind, label } = stateOf(row);
  return <Status kind={kind} label={label} />;
}

/** Visits above, the addresses they came from below; of links that others hold nothing is known. */
export function Visits({ row, today }: { row: ShortCode; today?: boolean }) {
  const { t } = useTranslation();
  if (!row.counted)
    return (
      <Tooltip title={t('short_code.not_counted')}>
        <span className="lc-soft">–</span>
      </Tooltip>
    );
  return (
    <div className="lc-short-figures">
      <Num value={today ? row.today_view_number : row.view_number} />
      <small className="lc-soft">
        <Num value={today ? row.today_ip_view_number : row.ip_view_number} /> {t('short_code.ips')}
      </small>
    </div>
  );
}

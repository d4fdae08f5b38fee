import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { certificateWarningDays, registrationWarningDays } from '../../contract/domains/domain-check.ts';
import type { Domain } from '../../contract/domains/domain-list.ts';
import { blockStatus } from '../../contract/enums.ts';
import { monitorRoute, useMonitorScreen } from './detection/monitorScreen.ts';
import { Status, type StatusKind } from './feedback.ts';
import { useFormat } from './texts/format.ts';

type Named = { kind: StatusKind; label: string; help?: string };

const blockKinds: Record<NonNullable<Domain['block_status']> | 0, StatusKind> = {
  0: 'neutral',
  1: 'success',
  2: 'error',
  4: 'warning',
};
/** What is known of whether messengers let a domain through; lists that know more of it carry more. */
export type BlockState = Pick<Domain, 'block_status'> & Partial<Pick<Domain, 'block_since' | 'suspected_since' | 'monitor_id'>>;

const isSuspected = ({ block_status, suspected_since = null }: BlockState): boolean =>
  suspected_since !== null && block_status !== blockStatus.blocked;
export const blockLabel = (row: BlockState): string => `domain_list.block_${isSuspected(row) ? 'suspected' : (row.block_status ?? 'none')}`;
/** Whether a domain was found to be blocked, or looks like it, as a status in words. */
export const blockState = (row: BlockState): Named => ({
  kind: isSuspected(row) ? 'warning' : blockKinds[row.block_status ?? 0],
  label: blockLabel(row),
});
/** Since when it has been as `blockState` says. */
export const blockSince = (row: BlockState): string | null => (isSuspected(row) ? row.suspected_since : row.block_since) ?? null;

/** The same with since when, as the way to the domain's checks for those who have the screen. */
export function BlockStatus({ row }: { row: BlockState }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const screen = useMonitorScreen();
  const since = blockSince(row);
  const status = <Status {...blockState(row)} {...(since ? { help: t('domain_list.block_since', { time: time(since) }) } : {})} />;
  if (!screen || !row.monitor_id) return status;
  return (
    <Link className="lc-block-link" to={monitorRoute(screen, row.monitor_id)} onClick={(event) => event.stopPropagation()}>
      {status}
    </Link>
  );
}

const dayMilliseconds = 86_400_000;

const dnsKinds: Record<NonNullable<Domain['dns_state']> | 'none', StatusKind> = {
  here: 'success',
  partly: 'warning',
  elsewhere: 'error',
  nothing: 'error',
  unknown: 'neutral',
  failed: 'warning',
  none: 'neutral',
};
export const dnsLabel = (state: Domain['dns_state']): string => `domain_list.dns.${state ?? 'none'}`;

const certificateKinds: Record<NonNullable<Domain['certificate_state']>, StatusKind> = {
  valid: 'success',
  expired: 'error',
  mismatch: 'error',
  untrusted: 'warning',
  none: 'neutral',
};

/** Days until a certificate or registration ends, rounded down; negative when it has ended. */
const daysLeft = (expires_at: string): number => Math.floor((Date.parse(expires_at) - Date.now()) / dayMilliseconds);

type Certified = Pick<Domain, 'certificate_state' | 'certificate_expires_at'>;

export const certificateLabel = ({ certificate_state }: Certified): string => `domain_list.certificate.${certificate_state ?? 'unchecked'}`;

/** What a domain's DNS records say, as a status in words. */
export const dnsStatus = ({ dns_state: state }: Pick<Domain, 'dns_state'>) => ({
  kind: dnsKinds[state ?? 'none'],
  label: dnsLabel(state),
  help: `${dnsLabel(state)}_help`,
});

/** What is wrong with a certificate, as a status in words; of a good one, how long it still holds says more. */
export function certificateState(row: Certified): Named {
  const { certificate_state: state, certificate_expires_at: until } = row;
  const label = certificateLabel(row);
  const isEnding = state === 'valid' && until !== null && daysLeft(until) < certificateWarningDays;
  return { kind: isEnding ? 'warning' : state === null ? 'neutral' : certificateKinds[state], label, help: `${label}_help` };
}

/** How long a certificate still holds, or what is wrong with it. */
export function Certificate({ row }: { row: Certified }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const { certificate_state: state, certificate_expires_at: until } = row;
  if (state === null) return <span className="lc-soft">–</span>;
  const named = certificateState(row);
  if (state !== 'valid' || until === null) return <Status {...named} />;
  return <Status kind={named.kind} label={t('domain_list.certificate.days', { days: daysLeft(until) })} help={time(until)} />;
}

/** How long the registration of a domain's name still holds. */
export function Registration({ row: { registration_expires_at: until } }: { row: Pick<Domain, 'registration_expires_at'> }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  if (until === null) return <span className="lc-soft">–</span>;
  const days = daysLeft(until);
  const kind = days < 0 ? 'error' : days < registrationWarningDays ? 'warning' : 'success';
  const label = days < 0 ? t('domain_list.registration.expired') : t('domain_list.certificate.days', { days });
  return <Status kind={kind} label={label} help={time(until)} />;
}

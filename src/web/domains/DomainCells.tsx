import { Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { certificateWarningDays } from '../../contract/domains/domain-check.ts';
import type { Domain } from '../../contract/domains/domain-list.ts';
import { Status, type StatusKind } from '../kit/feedback.ts';
import { useFormat } from '../kit/texts/format.ts';
import './domains.css';

const dayMilliseconds = 86_400_000;

export const dnsKinds: Record<NonNullable<Domain['dns_state']> | 'none', StatusKind> = {
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

/** Days until a certificate ends, rounded down; negative when it has ended. */
export const daysLeft = (expires_at: string): number => Math.floor((Date.parse(expires_at) - Date.now()) / dayMilliseconds);

type Certified = Pick<Domain, 'certificate_state' | 'certificate_expires_at' | 'checked_at'>;

export const certificateLabel = ({ certificate_state }: Certified): string => `domain_list.certificate.${certificate_state ?? 'unchecked'}`;

export function DomainType({ row }: { row: Pick<Domain, 'type' | 'wildcard'> }) {
  const { t } = useTranslation();
  return (
    <>
      {t(`domain_list.type_${row.type}`)} {row.wildcard && <Tag>{t('domain_list.wildcard')}</Tag>}
    </>
  );
}

export function Holder({ row }: { row: Pick<Domain, 'holder_account'> }) {
  const { t } = useTranslation();
  return row.holder_account ?? <span className="lc-soft">{t('domain_list.pool')}</span>;
}

export function DnsState({ state }: { state: Domain['dns_state'] }) {
  return <Status kind={dnsKinds[state ?? 'none']} label={dnsLabel(state)} help={`${dnsLabel(state)}_help`} />;
}

/** How long a certificate still holds, or what is wrong with it. */
export function Certificate({ row }: { row: Certified }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const { certificate_state: state, certificate_expires_at: until } = row;
  if (state === null) return <span className="lc-soft">–</span>;
  if (state !== 'valid' || until === null) {
    return <Status kind={certificateKinds[state]} label={certificateLabel(row)} help={`${certificateLabel(row)}_help`} />;
  }
  const days = daysLeft(until);
  const kind = days < certificateWarningDays ? 'warning' : 'success';
  return <Status kind={kind} label={t('domain_list.certificate.days', { days })} help={time(until)} />;
}

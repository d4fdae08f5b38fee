import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { type Status, Time } from '../feedback.ts';
import type { FieldData } from '../form/Fields.tsx';
import type { Filter } from '../list/types.ts';

// What the two blacklists, of the back office and of visits, have in common.

export const blacklistFilters: Filter<'search' | 'expired' | 'expires_from' | 'expires_to'>[] = [
  { kind: 'text', key: 'search', label: 'ip_black.search' },
  { kind: 'boolean', key: 'expired', label: 'common.field.enabled', yes: 'common.expired', no: 'ip_black.active' },
  { kind: 'date_range', key: 'expires_from', to: 'expires_to', label: 'common.field.expires_at', ahead: true },
];

export const expiryStatus = ({ expired }: { expired: boolean }): ComponentProps<typeof Status> =>
  expired ? { kind: 'neutral', label: 'common.expired' } : { kind: 'success', label: 'ip_black.active' };

const sample = ['203.0.113.8', '198.51.100.0/24', '2001:db8::/48'].join('\n');

export const networksField: FieldData = {
  kind: 'textarea',
  name: 'lines',
  label: 'common.field.network',
  help: 'ip_black.lines_help',
  placeholder: sample,
  rows: 6,
  code: true,
  required: true,
};

export const expiryField: FieldData = {
  kind: 'time',
  name: 'expires_at',
  label: 'common.field.expires_at',
  help: 'ip_black.expires_help',
  placeholder: 'common.for_ever',
};

/** When an entry ends, if it does. */
export function Expiry({ row }: { row: { expires_at: string | null } }) {
  const { t } = useTranslation();
  return row.expires_at ? <Time value={row.expires_at} exact /> : <span className="lc-soft">{t('common.for_ever')}</span>;
}

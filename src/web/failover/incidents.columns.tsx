import type { ShieldIncident } from '../../contract/detection/shield-configuration.ts';
import { api } from '../kit/calls/api.ts';
import { Host, Num, type StatusKind, Time } from '../kit/feedback.ts';
import { hostLabel } from '../kit/host.ts';
import { columnsOf } from '../kit/list/kinds.tsx';
import { translate } from '../kit/texts/i18n.ts';

const kinds: Record<ShieldIncident['handling'], StatusKind> = {
  waiting: 'warning',
  replaced: 'success',
  paused: 'warning',
  left: 'neutral',
  over: 'neutral',
};

/** What was done, with the reason where there is one. */
export const handlingState = ({ handling, reason, ended_at }: ShieldIncident) => ({
  kind: handling === 'paused' && ended_at !== null ? ('neutral' as const) : kinds[handling],
  label: reason === 'undone' ? 'domain_list.undo.state_undone' : `domain_list.failover.handling.${handling}`,
  ...(reason ? { help: `domain_list.failover.reason.${reason}` } : {}),
});

/** The domains that stand in its place, those apart that were taken back. */
export const placesOf = ({ replacements }: ShieldIncident) =>
  replacements.filter(({ undone_at }) => undone_at === null).map((row) => ({ host: row.to_host, host_unicode: row.to_host_unicode }));
export const movedCodes = ({ replacements }: ShieldIncident): number =>
  replacements.filter(({ undone_at }) => undone_at === null).reduce((sum, row) => sum + row.live_codes + row.short_codes, 0);

function Places({ row }: { row: ShieldIncident }) {
  const [first, ...others] = placesOf(row);
  if (!first) return <span className="lc-soft">{row.reason ? translate(`domain_list.failover.reason.${row.reason}`) : '–'}</span>;
  return (
    <>
      <Host row={first} />
      {others.length > 0 && <span className="lc-soft"> +{others.length}</span>}
    </>
  );
}

export const incidentColumns = columnsOf(api.shield_configuration.inquire, [
  { key: 'host', kind: 'name', title: 'domain_list.host', width: 180, render: (row) => <Host row={row} /> },
  { key: 'type', kind: 'label', width: 115, label: ({ type }) => `domain_list.type_${type}` },
  { key: 'handling', kind: 'status', title: 'shield_configuration.handled', width: 100, status: handlingState },
  {
    key: 'places',
    title: 'shield_configuration.after',
    width: 190,
    card: 'field',
    exportValue: (row) => placesOf(row).map(hostLabel).join(' '),
    render: (row) => <Places row={row} />,
  },
  {
    key: 'codes',
    title: 'domain_list.replaced',
    width: 70,
    align: 'right',
    card: 'field',
    exportValue: movedCodes,
    render: (row) => <Num value={movedCodes(row)} />,
  },
  {
    key: 'holder_account',
    title: 'domain_list.holder',
    width: 110,
    node: 'user_list',
    exportValue: (row) => row.holder_account ?? 'domain_list.pool',
    render: (row) => row.holder_account ?? <span className="lc-soft">{translate('domain_list.pool')}</span>,
  },
  { key: 'began_at', kind: 'time', width: 120, card: 'field' },
  {
    key: 'ended_at',
    width: 110,
    exportValue: (row) => row.ended_at ?? (row.domain_id === null ? 'shield_configuration.removed' : 'shield_configuration.still'),
    render: (row) =>
      row.ended_at ? (
        <Time value={row.ended_at} />
      ) : (
        <span className="lc-soft">{translate(row.domain_id === null ? 'shield_configuration.removed' : 'shield_configuration.still')}</span>
      ),
  },
]);

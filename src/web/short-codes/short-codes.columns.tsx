import { showStatus } from '../../contract/enums.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import type { ShortCode, shortCodeGroup } from '../../contract/links/short-code.ts';
import { api } from '../kit/calls/api.ts';
import { Status, Time } from '../kit/feedback.ts';
import { hostOption } from '../kit/host.ts';
import type { Column, Filter } from '../kit/ListPage.tsx';
import { remoteOptions } from '../kit/options.ts';
import { codeOptions } from './CodesSelect.tsx';
import { Destination, Place, ShortLink, State, stateOf, Visits } from './cells.tsx';

type FilterKey = keyof InputOf<(typeof shortCodeGroup)['calls']['inquire']> & string;

const domains = remoteOptions(api.short_code.domains, () => ({}), hostOption);
const platforms = remoteOptions(
  api.short_code.platforms,
  () => ({}),
  (platform) => ({ value: platform.id, label: platform.name }),
);
const displayLabel = (row: Pick<ShortCode, 'display'>) => (row.display === showStatus.shown ? 'short_code.shown' : 'short_code.hidden');

export const shortFilters = (isAdministrator: boolean): Filter<FilterKey>[] => [
  { kind: 'text', key: 'search', label: 'short_code.search' },
  { kind: 'remote', key: 'live_code_id', label: 'short_code.code', source: codeOptions },
  { kind: 'remote', key: 'domain_id', label: 'short_code.domain', source: domains },
  { kind: 'remote', key: 'platform_id', label: 'short_code.platform', source: platforms },
  { kind: 'boolean', key: 'enabled', label: 'short_code.enabled', yes: 'common.enabled', no: 'common.disabled', more: true },
  {
    kind: 'boolean',
    key: 'expired',
    label: 'short_code.expiry',
    yes: 'short_code.state_expired',
    no: 'short_code.not_expired',
    more: true,
  },
  ...(isAdministrator
    ? [
        {
          kind: 'select' as const,
          key: 'display' as const,
          label: 'short_code.display',
          options: [
            { value: showStatus.shown, label: 'short_code.shown' },
            { value: showStatus.hidden, label: 'short_code.hidden' },
          ],
          more: true,
        },
      ]
    : []),
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'short_code.created_at', more: true },
];

export const shortColumns: Column<ShortCode>[] = [
  { key: 'short_url', title: 'short_code.short_url', width: 230, card: 'title', render: (row) => <ShortLink row={row} /> },
  {
    key: 'state',
    title: 'short_code.state',
    width: 110,
    card: 'aside',
    exportValue: (row) => stateOf(row).label,
    render: (row) => <State row={row} />,
  },
  {
    key: 'destination',
    title: 'short_code.destination',
    width: 210,
    card: 'field',
    exportValue: (row) => row.url ?? row.live_code_name,
    render: (row) => <Destination row={row} />,
  },
  {
    key: 'platform_name',
    title: 'short_code.made_by',
    width: 140,
    exportValue: (row) => row.platform_name ?? row.host,
    render: (row) => <Place row={row} />,
  },
  {
    key: 'today_view_number',
    title: 'short_code.today',
    sortable: true,
    align: 'right',
    width: 84,
    card: 'field',
    render: (row) => <Visits row={row} today />,
  },
  {
    key: 'view_number',
    title: 'short_code.visits',
    sortable: true,
    align: 'right',
    width: 84,
    card: 'field',
    render: (row) => <Visits row={row} />,
  },
  {
    key: 'display',
    title: 'short_code.display',
    node: 'short_code.display',
    width: 90,
    exportValue: displayLabel,
    render: (row) => <Status kind={row.display === showStatus.shown ? 'success' : 'neutral'} label={displayLabel(row)} />,
  },
  { key: 'owner_account', title: 'short_code.owner', node: 'short_code.display', width: 130 },
  {
    key: 'expires_at',
    title: 'short_code.expires_at',
    sortable: true,
    width: 140,
    exportValue: (row) => row.expires_at ?? 'short_code.never',
    render: (row) => <Time value={row.expires_at} />,
  },
  { key: 'remark', title: 'short_code.remark', width: 160 },
  { key: 'created_at', title: 'short_code.created_at', sortable: true, width: 130, render: (row) => <Time value={row.created_at} /> },
];

import { showStatus } from '../../contract/enums.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import type { ShortCode, shortCodeGroup } from '../../contract/links/short-code.ts';
import { api } from '../kit/calls/api.ts';
import { hostOption } from '../kit/host.ts';
import type { Filter } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { remoteOptions } from '../kit/options.ts';
import { codeOptions } from './CodesSelect.tsx';
import { Destination, Place, ShortLink, stateOf, Visits } from './cells.tsx';

type FilterKey = keyof InputOf<(typeof shortCodeGroup)['calls']['inquire']> & string;

const domains = remoteOptions(api.short_code.domains, () => ({}), hostOption);
const platforms = remoteOptions(
  api.url_key_platform.inquire,
  () => ({ data_only: true }),
  (platform) => ({ value: platform.id, label: platform.name }),
);
const displayLabel = (row: Pick<ShortCode, 'display'>) => (row.display === showStatus.shown ? 'common.shown' : 'common.hidden');

export const shortFilters = (isAdministrator: boolean): Filter<FilterKey>[] => [
  { kind: 'text', key: 'search', label: 'short_code.search' },
  { kind: 'remote', key: 'live_code_id', label: 'common.field.live_code', source: codeOptions },
  { kind: 'remote', key: 'domain_id', label: 'common.field.short_domain', source: domains },
  { kind: 'remote', key: 'platform_id', label: 'short_code.platform', source: platforms },
  { kind: 'boolean', key: 'enabled', label: 'common.field.switched_on', yes: 'common.enabled', no: 'common.disabled', more: true },
  {
    kind: 'boolean',
    key: 'expired',
    label: 'short_code.expiry',
    yes: 'common.expired',
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
            { value: showStatus.shown, label: 'common.shown' },
            { value: showStatus.hidden, label: 'common.hidden' },
          ],
          more: true,
        },
      ]
    : []),
  { kind: 'date_range', key: 'expires_from', to: 'expires_to', label: 'common.field.expires_at', ahead: true, more: true },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'short_code.created_at', more: true },
];

export const shortColumns = columnsOf(api.short_code.inquire, [
  { key: 'short_url', kind: 'name', width: 230, render: (row) => <ShortLink row={row} /> },
  { key: 'state', kind: 'status', status: stateOf },
  {
    key: 'destination',
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
    title: 'common.field.today',
    width: 84,
    align: 'right',
    card: 'field',
    render: (row) => <Visits row={row} today />,
  },
  { key: 'view_number', title: 'short_code.visits', width: 84, align: 'right', card: 'field', render: (row) => <Visits row={row} /> },
  {
    key: 'display',
    kind: 'status',
    status: (row) => ({ kind: row.display === showStatus.shown ? 'success' : 'neutral', label: displayLabel(row) }),
    width: 90,
    card: undefined,
    node: 'short_code.display',
  },
  { key: 'owner_account', title: 'common.field.owner', width: 130, node: 'short_code.display' },
  { key: 'expires_at', kind: 'time', exportValue: (row) => row.expires_at ?? 'short_code.never' },
  { key: 'remark', width: 160 },
  { key: 'created_at', kind: 'time', width: 130 },
]);

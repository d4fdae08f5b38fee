import { certificateStates, dnsStates } from '../../contract/domains/domain-check.ts';
import { api } from '../kit/calls/api.ts';
import { BlockStatus, blockLabel, Certificate, certificateLabel, dnsLabel, dnsStatus, Registration } from '../kit/domainStates.tsx';
import { Host } from '../kit/feedback.ts';
import { frozenStatus } from '../kit/freezing/Frozen.tsx';
import type { Filter } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { DomainType, Holder } from './DomainCells.tsx';
import { blockOptions, holderOptions, typeOptions } from './domains.fields.ts';

export const domainColumns = columnsOf(api.domain_list.inquire, [
  { key: 'host', kind: 'name', width: 240, render: (row) => <Host row={row} /> },
  {
    key: 'type',
    width: 198,
    card: 'field',
    exportValue: (row) => `domain_list.type_${row.type}`,
    render: (row) => <DomainType row={row} />,
  },
  {
    key: 'enabled',
    kind: 'status',
    status: (row) =>
      frozenStatus(row) ?? { kind: row.enabled ? 'success' : 'neutral', label: row.enabled ? 'common.enabled' : 'common.disabled' },
    width: 100,
  },
  {
    key: 'dns_state',
    kind: 'status',
    status: dnsStatus,
    width: 150,
    card: 'field',
  },
  {
    key: 'certificate_expires_at',
    title: 'domain_list.certificate_title',
    width: 130,
    card: 'field',
    exportValue: (row) => (row.certificate_state === 'valid' ? row.certificate_expires_at : certificateLabel(row)),
    render: (row) => <Certificate row={row} />,
  },
  {
    key: 'registration_expires_at',
    title: 'domain_list.registration_title',
    width: 130,
    hiddenByDefault: true,
    exportValue: (row) => row.registration_expires_at,
    render: (row) => <Registration row={row} />,
  },
  {
    key: 'block_status',
    width: 130,
    card: 'field',
    exportValue: blockLabel,
    render: (row) => <BlockStatus row={row} />,
  },
  { key: 'live_code_count', kind: 'number', title: 'common.field.code_count', width: 95 },
  { key: 'short_code_count', kind: 'number', width: 95, card: undefined, hiddenByDefault: true },
  {
    key: 'holder_account',
    title: 'domain_list.holder',
    width: 120,
    exportValue: (row) => row.holder_account ?? 'domain_list.pool',
    render: (row) => <Holder row={row} />,
  },
  { key: 'remark', width: 160 },
  { key: 'checked_at', kind: 'time', width: 120 },
  { key: 'created_at', kind: 'time', width: 120 },
  { key: 'updated_at', kind: 'time', width: 120, hiddenByDefault: true },
]);

type FilterKey =
  | 'host'
  | 'type'
  | 'enabled'
  | 'frozen'
  | 'block_status'
  | 'suspected'
  | 'dns_state'
  | 'certificate_state'
  | 'certificate_from'
  | 'certificate_to'
  | 'registration_from'
  | 'registration_to'
  | 'wildcard'
  | 'holder_id'
  | 'pool';
export const domainFilters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'host', label: 'common.field.host', placeholder: 'domain_list.search' },
  { kind: 'select', key: 'type', label: 'domain_list.type', options: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'domain_list.enabled', yes: 'common.enabled', no: 'common.disabled' },
  {
    kind: 'select',
    key: 'dns_state',
    label: 'domain_list.dns_state',
    options: dnsStates.map((state) => ({ value: state, label: dnsLabel(state) })),
  },
  {
    kind: 'select',
    key: 'certificate_state',
    label: 'domain_list.certificate_title',
    more: true,
    options: certificateStates.map((state) => ({ value: state, label: `domain_list.certificate.${state}` })),
  },
  {
    kind: 'date_range',
    key: 'certificate_from',
    to: 'certificate_to',
    label: 'domain_list.certificate_ends',
    ahead: true,
    more: true,
  },
  {
    kind: 'date_range',
    key: 'registration_from',
    to: 'registration_to',
    label: 'domain_list.registration_ends',
    ahead: true,
    more: true,
  },
  { kind: 'select', key: 'block_status', label: 'domain_list.block_status', options: blockOptions, more: true },
  { kind: 'boolean', key: 'suspected', label: 'domain_list.block_suspected', more: true },
  { kind: 'boolean', key: 'frozen', label: 'report_list.frozen', more: true },
  { kind: 'boolean', key: 'wildcard', label: 'domain_list.wildcard', more: true },
  { kind: 'remote', key: 'holder_id', label: 'domain_list.holder', source: holderOptions, node: 'domain_list.assign', more: true },
  { kind: 'boolean', key: 'pool', label: 'domain_list.pool', more: true },
];

import { certificateStates, dnsStates } from '../../contract/domains/domain-check.ts';
import type { Domain } from '../../contract/domains/domain-list.ts';
import { Host, Num, Status, Time } from '../kit/feedback.ts';
import type { Column, Filter } from '../kit/ListPage.tsx';
import { Certificate, certificateLabel, DnsState, DomainType, dnsLabel, Holder } from './DomainCells.tsx';
import { blockKinds, blockLabel, blockOptions, holderOptions, typeOptions } from './domains.fields.ts';

export const domainColumns: Column<Domain>[] = [
  { key: 'host', title: 'domain_list.host', sortable: true, width: 250, card: 'title', render: (row) => <Host row={row} /> },
  {
    key: 'type',
    title: 'domain_list.type',
    sortable: true,
    width: 150,
    card: 'field',
    render: (row) => <DomainType row={row} />,
    exportValue: (row) => `domain_list.type_${row.type}`,
  },
  {
    key: 'enabled',
    title: 'domain_list.enabled',
    width: 100,
    card: 'aside',
    exportValue: (row) => (row.enabled ? 'common.enabled' : 'common.disabled'),
    render: (row) => <Status kind={row.enabled ? 'success' : 'neutral'} label={row.enabled ? 'common.enabled' : 'common.disabled'} />,
  },
  {
    key: 'dns_state',
    title: 'domain_list.dns_state',
    width: 120,
    card: 'field',
    exportValue: (row) => dnsLabel(row.dns_state),
    render: (row) => <DnsState state={row.dns_state} />,
  },
  {
    key: 'certificate_expires_at',
    title: 'domain_list.certificate_title',
    sortable: true,
    width: 130,
    card: 'field',
    exportValue: (row) => (row.certificate_state === 'valid' ? row.certificate_expires_at : certificateLabel(row)),
    render: (row) => <Certificate row={row} />,
  },
  {
    key: 'block_status',
    title: 'domain_list.block_status',
    width: 110,
    card: 'field',
    exportValue: (row) => blockLabel(row.block_status),
    render: (row) => <Status kind={blockKinds[row.block_status ?? 0]} label={blockLabel(row.block_status)} />,
  },
  {
    key: 'live_code_count',
    title: 'domain_list.live_code_count',
    sortable: true,
    align: 'right',
    width: 95,
    card: 'field',
    render: (row) => <Num value={row.live_code_count} />,
  },
  {
    key: 'short_code_count',
    title: 'domain_list.short_code_count',
    align: 'right',
    width: 95,
    hiddenByDefault: true,
    render: (row) => <Num value={row.short_code_count} />,
  },
  {
    key: 'holder_account',
    title: 'domain_list.holder',
    width: 120,
    render: (row) => <Holder row={row} />,
    exportValue: (row) => row.holder_account ?? 'domain_list.pool',
  },
  { key: 'remark', title: 'domain_list.remark', width: 160 },
  { key: 'checked_at', title: 'domain_list.checked_at', sortable: true, width: 120, render: (row) => <Time value={row.checked_at} /> },
  { key: 'created_at', title: 'domain_list.created_at', sortable: true, width: 120, render: (row) => <Time value={row.created_at} /> },
  {
    key: 'updated_at',
    title: 'domain_list.updated_at',
    sortable: true,
    width: 120,
    hiddenByDefault: true,
    render: (row) => <Time value={row.updated_at} />,
  },
];

type FilterKey = 'host' | 'type' | 'enabled' | 'block_status' | 'dns_state' | 'certificate_state' | 'wildcard' | 'holder_id' | 'pool';
export const domainFilters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'host', label: 'domain_list.host', placeholder: 'domain_list.search' },
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
  { kind: 'select', key: 'block_status', label: 'domain_list.block_status', options: blockOptions, more: true },
  { kind: 'boolean', key: 'wildcard', label: 'domain_list.wildcard', more: true },
  { kind: 'remote', key: 'holder_id', label: 'domain_list.holder', source: holderOptions, node: 'domain_list.assign', more: true },
  { kind: 'boolean', key: 'pool', label: 'domain_list.pool', more: true },
];

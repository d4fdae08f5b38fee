import { DownloadOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { dnsStates } from '../../../contract/domains/domain-check.ts';
import { type DomainResolution, resolutionFormats } from '../../../contract/domains/export-domain-resolution.ts';
import { domainTypes } from '../../../contract/enums.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { Dropdown } from '../../kit/dialogs/dialogs.tsx';
import { dnsLabel, dnsStatus } from '../../kit/domainStates.tsx';
import { Copyable, Host, Status } from '../../kit/feedback.ts';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { OperationDialog } from '../../kit/operations/OperationDialog.tsx';
import { Holder } from '../DomainCells.tsx';
import { holderOptions, typeOptions } from '../domains.fields.ts';

type Format = (typeof resolutionFormats)[number];

const columns = columnsOf(api.export_domain_resolution.inquire, [
  { key: 'host', kind: 'name', width: 240, render: (row) => <Host row={row} /> },
  { key: 'dns_state', kind: 'status', status: dnsStatus, title: 'domain_list.dns_state', width: 150 },
  {
    key: 'needed',
    title: 'domain_list.records_needed',
    width: 330,
    card: 'field',
    exportValue: false,
    render: (row) => <Needed row={row} />,
  },
  { key: 'found', title: 'domain_list.records_found', width: 240, card: 'field', exportValue: false, render: (row) => <Found row={row} /> },
  { key: 'zone', width: 160, render: (row) => <span className="lc-code">{row.zone}</span> },
  { key: 'type', kind: 'label', label: (row) => `domain_list.type_${row.type}`, title: 'domain_list.type', width: 122 },
  { key: 'holder_account', title: 'domain_list.holder', width: 120, render: (row) => <Holder row={row} /> },
  { key: 'checked_at', kind: 'time', title: 'domain_list.checked_at', width: 120 },
]);

const filters: Filter<'host' | 'type' | 'enabled' | 'dns_state' | 'holder_id'>[] = [
  { kind: 'text', key: 'host', label: 'common.field.host', placeholder: 'domain_list.search' },
  {
    kind: 'select',
    key: 'dns_state',
    label: 'domain_list.dns_state',
    options: dnsStates.map((state) => ({ value: state, label: dnsLabel(state) })),
  },
  { kind: 'select', key: 'type', label: 'domain_list.type', options: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'domain_list.enabled', yes: 'common.enabled', no: 'common.disabled', more: true },
  { kind: 'remote', key: 'holder_id', label: 'domain_list.holder', source: holderOptions, node: 'domain_list.assign', more: true },
];

function Needed({ row }: { row: DomainResolution }) {
  if (row.needed.length === 0) return <span className="lc-soft">–</span>;
  return (
    <div className="lc-resolution-records">
      {row.needed.map(({ name, type, value, present }) => (
        <span key={`${type} ${value}`}>
          <Status
            kind={present ? 'success' : 'neutral'}
            label={type}
            help={present ? 'domain_list.record_present' : 'domain_list.record_missing'}
          />
          <span className="lc-soft lc-code lc-resolution-name">{name === row.zone ? '@' : name.slice(0, -row.zone.length - 1)}</span>
          <Copyable value={value} code maximum={30} />
        </span>
      ))}
    </div>
  );
}

function Found({ row }: { row: DomainResolution }) {
  if (!row.found || row.found.length === 0) return <span className="lc-soft">–</span>;
  return (
    <div className="lc-resolution-records lc-code">
      {row.found.map((record) => (
        <span key={record} title={record}>
          {record}
        </span>
      ))}
    </div>
  );
}

/** The filters of the list as the address holds them. */
function useListFilters() {
  const [params] = useSearchParams();
  const type = domainTypes.find((known) => String(known) === params.get('type'));
  const dns_state = dnsStates.find((state) => state === params.get('dns_state'));
  const [host, enabled, holder] = [params.get('host'), params.get('enabled'), Number(params.get('holder_id') ?? 0)];
  return {
    ...(host ? { host } : {}),
    ...(type ? { type } : {}),
    ...(dns_state ? { dns_state } : {}),
    ...(enabled === null ? {} : { enabled: enabled === 'true' }),
    ...(holder > 0 ? { holder_id: holder } : {}),
  };
}

/** The records that domains need beside those they have, and files of them for the operator of the name servers. */
export function ExportDomainResolutionPage() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const listFilters = useListFilters();
  const [operation, setOperation] = useState<number | null>(null);
  const write = useAction(api.export_domain_resolution.export, { success: false, invalidates: ['async_operations'] });
  const site = useCall(api.domain_list.site_addresses, {});

  async function run(format: Format, rows?: readonly DomainResolution[]) {
    const started = await write.run({ format, filters: rows ? { ids: rows.map(({ id }) => id) } : listFilters });
    if (started) setOperation(started.operation_id);
    return started !== undefined;
  }

  const button = allows('export_domain_resolution.export') && (
    <Dropdown
      menu={{
        items: resolutionFormats.map((format) => ({ key: format, label: t(`export_domain_resolution.as_${format}`) })),
        onClick: ({ key }) => void run(key as Format),
      }}
    >
      <Button type="primary" icon={<DownloadOutlined />} loading={write.isRunning}>
        {t('export_domain_resolution.export')}
      </Button>
    </Dropdown>
  );
  const isUnset = site.data !== undefined && site.data.addresses.length === 0;
  return (
    <>
      <ListPage
        title="menu.export_domain_resolution"
        help={
          isUnset ? (
            <Alert type="warning" showIcon title={t('export_domain_resolution.unset')} />
          ) : (
            t('export_domain_resolution.help', { addresses: site.data?.addresses.join(', ') ?? '…' })
          )
        }
        list={api.export_domain_resolution.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'host', order: 'asc' }}
        actions={button}
        empty={{
          title: 'export_domain_resolution.empty',
          help: 'export_domain_resolution.empty_help',
          action: allows('domain_list') && <Button href="#/customer/domain_list">{t('menu.domain_list')}</Button>,
        }}
        batchActions={resolutionFormats.map((format) => ({
          key: format,
          label: `export_domain_resolution.as_${format}`,
          node: 'export_domain_resolution.export' as const,
          onClick: (rows: DomainResolution[]) => run(format, rows),
        }))}
      />
      {operation !== null && <OperationDialog id={operation} onClose={() => setOperation(null)} />}
    </>
  );
}

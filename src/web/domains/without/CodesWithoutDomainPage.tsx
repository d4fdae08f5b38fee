import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DomainFault, type DomainlessCode, domainFaults } from '../../../contract/codes/codes-without-domain.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Host, Num, Status, type StatusKind, Time } from '../../kit/feedback.ts';
import { type BatchAction, type Column, type Filter, ListPage, type RowAction } from '../../kit/ListPage.tsx';
import { holderOptions } from '../domains.fields.ts';
import { AssignDomain } from './AssignDomain.tsx';

const kinds: Record<DomainFault, StatusKind> = {
  no_entry: 'neutral',
  entry_disabled: 'warning',
  entry_blocked: 'error',
  landing_disabled: 'warning',
  landing_blocked: 'error',
};
const faultLabel = (fault: DomainFault) => `no_domain_name.fault.${fault}`;
const faultOptions = domainFaults.map((fault) => ({ value: fault, label: faultLabel(fault) }));

const columns: Column<DomainlessCode>[] = [
  { key: 'name', title: 'no_domain_name.name', width: 220, card: 'title' },
  {
    key: 'file_name',
    title: 'no_domain_name.file_name',
    width: 140,
    card: 'field',
    render: (row) => <span className="lc-code">{row.file_name}</span>,
  },
  {
    key: 'fault',
    title: 'no_domain_name.fault_title',
    width: 170,
    card: 'aside',
    exportValue: (row) => faultLabel(row.fault),
    render: (row) => <Status kind={kinds[row.fault]} label={faultLabel(row.fault)} />,
  },
  {
    key: 'entry_host',
    title: 'domain_list.type_1',
    width: 200,
    card: 'field',
    render: (row) => <Host row={{ host: row.entry_host, host_unicode: row.entry_host_unicode }} />,
  },
  {
    key: 'landing_host',
    title: 'domain_list.type_2',
    width: 200,
    card: 'field',
    render: (row) => <Host row={{ host: row.landing_host, host_unicode: row.landing_host_unicode }} />,
  },
  {
    key: 'open',
    title: 'no_domain_name.open',
    width: 100,
    exportValue: (row) => (row.open ? 'common.enabled' : 'common.disabled'),
    render: (row) => <Status kind={row.open ? 'success' : 'neutral'} label={row.open ? 'common.enabled' : 'common.disabled'} />,
  },
  { key: 'view_number', title: 'no_domain_name.view_number', align: 'right', width: 110, render: (row) => <Num value={row.view_number} /> },
  { key: 'created_at', title: 'no_domain_name.created_at', width: 130, render: (row) => <Time value={row.created_at} /> },
];
const ownerColumn: Column<DomainlessCode> = { key: 'owner_account', title: 'no_domain_name.owner', width: 130, card: 'field' };

const filters: Filter<'search' | 'fault' | 'open'>[] = [
  { kind: 'text', key: 'search', label: 'no_domain_name.search' },
  { kind: 'select', key: 'fault', label: 'no_domain_name.fault_title', options: faultOptions },
  { kind: 'boolean', key: 'open', label: 'no_domain_name.open', yes: 'common.enabled', no: 'common.disabled' },
];
const ownerFilter: Filter<'owner_id'> = { kind: 'remote', key: 'owner_id', label: 'no_domain_name.owner', source: holderOptions };

const empty = { title: 'no_domain_name.empty', help: 'no_domain_name.empty_help', picture: 'road' as const };

/** What both screens do with the codes they list. */
function useAssigning(node: 'no_domain_name.assign' | 'nodomain.assign') {
  const [assigned, setAssigned] = useState<readonly DomainlessCode[]>([]);
  const label = { key: 'assign', label: 'no_domain_name.assign', node };
  const row: RowAction<DomainlessCode> = { ...label, onClick: (code) => setAssigned([code]) };
  const batch: BatchAction<DomainlessCode> = {
    ...label,
    onClick: async (codes) => {
      setAssigned(codes);
      return true;
    },
  };
  return { assigned, row, batch, close: () => setAssigned([]) };
}

/** Own codes that visitors can't reach, or only by a blocked domain. */
export function NoDomainNamePage() {
  const { t } = useTranslation();
  const { assigned, row, batch, close } = useAssigning('no_domain_name.assign');
  return (
    <>
      <ListPage
        title="menu.no_domain_name"
        help={t('no_domain_name.help')}
        list={api.no_domain_name.inquire}
        columns={columns}
        filters={filters}
        exportName="menu.no_domain_name"
        empty={empty}
        rowActions={[row]}
        batchActions={[batch]}
      />
      {assigned.length > 0 && <AssignDomain action={api.no_domain_name.assign} codes={assigned} onClose={close} />}
    </>
  );
}

/** The same over all users' codes, with a message to their owners. */
export function NodomainPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { assigned, row, batch, close } = useAssigning('nodomain.assign');
  const notify = useAction(api.nodomain.notify, { success: 'no_domain_name.notified', invalidates: ['message_list'] });

  async function askToNotify(codes: readonly DomainlessCode[]) {
    const owners = new Set(codes.map(({ owner_id }) => owner_id)).size;
    const agreed = await confirm({
      title: t('no_domain_name.notify_title', { owners }),
      content: t('no_domain_name.notify_content', { number: codes.length }),
      confirm: 'no_domain_name.notify',
    });
    return agreed && (await notify.run({ ids: codes.map(({ id }) => id) })) !== undefined;
  }

  return (
    <>
      <ListPage
        title="menu.nodomain"
        help={t('no_domain_name.help')}
        list={api.nodomain.inquire}
        columns={[...columns.slice(0, 2), ownerColumn, ...columns.slice(2)]}
        filters={[...filters, ownerFilter]}
        exportName="menu.nodomain"
        empty={empty}
        rowActions={[
          row,
          { key: 'notify', label: 'no_domain_name.notify', node: 'nodomain.notify', onClick: (code) => void askToNotify([code]) },
        ]}
        batchActions={[batch, { key: 'notify', label: 'no_domain_name.notify', node: 'nodomain.notify', onClick: askToNotify }]}
      />
      {assigned.length > 0 && <AssignDomain action={api.nodomain.assign} codes={assigned} onClose={close} />}
    </>
  );
}

import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type DomainFault, type DomainlessCode, domainFaults } from '../../../contract/codes/codes-without-domain.ts';
import { CodeLink } from '../../kit/CodeLink.tsx';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { BlockStatus, blockState } from '../../kit/domainStates.tsx';
import { Host, type StatusKind } from '../../kit/feedback.ts';
import { type BatchAction, type Column, type Filter, ListPage, type RowAction } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
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

const columns = columnsOf(api.no_domain_name.inquire, [
  { key: 'name', kind: 'name', render: (row) => <CodeLink id={row.id} name={row.name} /> },
  { key: 'file_name', width: 140, card: 'field', render: (row) => <span className="lc-code">{row.file_name}</span> },
  {
    key: 'fault',
    kind: 'status',
    status: (row) => ({ kind: kinds[row.fault], label: faultLabel(row.fault) }),
    title: 'no_domain_name.fault_title',
    width: 200,
  },
  {
    key: 'entry_host',
    title: 'domain_list.type_1',
    width: 200,
    card: 'field',
    render: (row) => <CodeHost row={row} use="entry" />,
  },
  {
    key: 'landing_host',
    title: 'domain_list.type_2',
    width: 200,
    card: 'field',
    render: (row) => <CodeHost row={row} use="landing" />,
  },
  { key: 'open', kind: 'enabled', card: undefined },
  { key: 'view_number', kind: 'number', card: undefined },
  { key: 'created_at', kind: 'time', width: 130 },
]);
/** A domain of a code, with what is known of it where messengers do not let it through or may not. */
function CodeHost({ row, use }: { row: DomainlessCode; use: 'entry' | 'landing' }) {
  const state = { block_status: row[`${use}_block_status`], suspected_since: row[`${use}_suspected_since`] };
  const { kind } = blockState(state);
  return (
    <>
      <Host row={{ host: row[`${use}_host`], host_unicode: row[`${use}_host_unicode`] }} />
      {(kind === 'error' || kind === 'warning') && (
        <div>
          <BlockStatus row={state} />
        </div>
      )}
    </>
  );
}

const ownerColumn: Column<DomainlessCode> = { key: 'owner_account', title: 'common.field.owner', width: 130, card: 'field' };

const filters: Filter<'search' | 'fault' | 'open'>[] = [
  { kind: 'text', key: 'search', label: 'no_domain_name.search' },
  { kind: 'select', key: 'fault', label: 'no_domain_name.fault_title', options: faultOptions },
  { kind: 'boolean', key: 'open', label: 'no_domain_name.open', yes: 'common.enabled', no: 'common.disabled' },
];
const ownerFilter: Filter<'owner_id'> = { kind: 'remote', key: 'owner_id', label: 'common.field.owner', source: holderOptions };

const empty = { title: 'no_domain_name.empty', help: 'no_domain_name.empty_help', picture: 'calm' as const };

/** What both screens do with the codes they list. */
function useAssigning(node: 'no_domain_name.assign' | 'nodomain.assign') {
  const [assigned, setAssigned] = useState<readonly DomainlessCode[]>([]);
  const label = { key: 'assign', label: 'no_domain_name.choose_domain', node };
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

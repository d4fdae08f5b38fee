import { PlusOutlined } from '@ant-design/icons';
import { Button, Tag } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Domain } from '../../contract/domain-list.ts';
import { domainTypes } from '../../contract/enums.ts';
import { api } from '../kit/api.ts';
import { useConfirm } from '../kit/confirm.tsx';
import { FormModal } from '../kit/FormModal.tsx';
import { Copyable, Num, Status, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { useAction } from '../kit/query.ts';
import { Allowed, useSession } from '../kit/session.tsx';
import { blockKinds, blockLabel, blockOptions, domainFields, holderOptions, typeOptions } from './domains.fields.ts';

const columns: Column<Domain>[] = [
  { key: 'host', title: 'domain_list.host', sortable: true, width: 260, card: 'title', render: (row) => <Copyable value={row.host} /> },
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
    key: 'holder_account',
    title: 'domain_list.holder',
    width: 140,
    card: 'field',
    render: (row) => <Holder row={row} />,
    exportValue: (row) => row.holder_account ?? 'domain_list.pool',
  },
  {
    key: 'block_status',
    title: 'domain_list.block_status',
    width: 120,
    card: 'field',
    exportValue: (row) => blockLabel(row.block_status),
    render: (row) => <Status kind={blockKinds[row.block_status ?? 0]} label={blockLabel(row.block_status)} />,
  },
  {
    key: 'enabled',
    title: 'domain_list.enabled',
    width: 110,
    card: 'aside',
    exportValue: (row) => (row.enabled ? 'common.enabled' : 'common.disabled'),
    render: (row) => <Status kind={row.enabled ? 'success' : 'neutral'} label={row.enabled ? 'common.enabled' : 'common.disabled'} />,
  },
  {
    key: 'live_code_count',
    title: 'domain_list.live_code_count',
    sortable: true,
    align: 'right',
    width: 100,
    card: 'field',
    render: (row) => <Num value={row.live_code_count} />,
  },
  { key: 'remark', title: 'domain_list.remark', width: 180 },
  { key: 'created_at', title: 'domain_list.created_at', sortable: true, width: 150, render: (row) => <Time value={row.created_at} /> },
  {
    key: 'updated_at',
    title: 'domain_list.updated_at',
    sortable: true,
    width: 140,
    hiddenByDefault: true,
    render: (row) => <Time value={row.updated_at} />,
  },
];

type FilterKey = 'host' | 'type' | 'enabled' | 'block_status' | 'holder_id' | 'pool';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'host', label: 'domain_list.host', placeholder: 'domain_list.search' },
  { kind: 'select', key: 'type', label: 'domain_list.type', options: typeOptions },
  { kind: 'boolean', key: 'enabled', label: 'domain_list.enabled', yes: 'common.enabled', no: 'common.disabled' },
  { kind: 'select', key: 'block_status', label: 'domain_list.block_status', options: blockOptions },
  { kind: 'remote', key: 'holder_id', label: 'domain_list.holder', source: holderOptions, node: 'domain_list.assign', more: true },
  { kind: 'boolean', key: 'pool', label: 'domain_list.pool', more: true },
];

function DomainType({ row }: { row: Domain }) {
  const { t } = useTranslation();
  return (
    <>
      {t(`domain_list.type_${row.type}`)} {row.wildcard && <Tag>{t('domain_list.wildcard')}</Tag>}
    </>
  );
}

function Holder({ row }: { row: Domain }) {
  const { t } = useTranslation();
  return row.holder_account ?? <span className="lc-soft">{t('domain_list.pool')}</span>;
}

/** The domains a user holds (administrators see all): add, change, switch on and off, remove. */
export function DomainsPage() {
  const { t } = useTranslation();
  const { user } = useSession();
  const confirm = useConfirm();
  const [edited, setEdited] = useState<Domain | 'new' | null>(null);
  const remove = useAction(api.domain_list.remove);
  const enable = useAction(api.domain_list.update_enabled);
  const ids = (rows: readonly Domain[]) => rows.map((row) => row.id);

  async function askToRemove(rows: readonly Domain[]) {
    const title =
      rows.length === 1
        ? t('domain_list.remove_title', { host: rows[0]?.host ?? '' })
        : t('domain_list.remove_many_title', { number: rows.length });
    const agreed = await confirm({ title, content: 'domain_list.remove_content', confirm: 'common.remove', danger: true });
    return agreed && (await remove.run({ ids: ids(rows) })) !== undefined;
  }

  async function setEnabled(rows: readonly Domain[], enabled: boolean) {
    if (!enabled) {
      const title =
        rows.length === 1
          ? t('domain_list.disable_title', { host: rows[0]?.host ?? '' })
          : t('domain_list.disable_many_title', { number: rows.length });
      if (!(await confirm({ title, content: 'domain_list.disable_content', confirm: 'common.disable', danger: true }))) return false;
    }
    return (await enable.run({ ids: ids(rows), enabled })) !== undefined;
  }

  const addButton = (
    <Allowed node="domain_list.add">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setEdited('new')}>
        {t('domain_list.add')}
      </Button>
    </Allowed>
  );
  return (
    <>
      <ListPage
        title="domain_list.title"
        list={api.domain_list.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="domain_list.title"
        actions={addButton}
        empty={{ title: 'domain_list.empty', help: 'domain_list.empty_help', action: addButton }}
        rowActions={[
          { key: 'update', label: 'common.edit', node: 'domain_list.update', onClick: setEdited },
          {
            key: 'open',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node: 'domain_list.open',
            onClick: (row) => void setEnabled([row], !row.enabled),
          },
          { key: 'remove', label: 'common.remove', node: 'domain_list.remove', danger: true, onClick: (row) => void askToRemove([row]) },
        ]}
        batchActions={[
          { key: 'enable', label: 'common.enable', node: 'domain_list.open', onClick: (rows) => setEnabled(rows, true) },
          { key: 'disable', label: 'common.disable', node: 'domain_list.open', onClick: (rows) => setEnabled(rows, false) },
          { key: 'remove', label: 'common.remove', node: 'domain_list.remove', danger: true, onClick: askToRemove },
        ]}
      />
      {edited === 'new' && (
        <FormModal
          action={api.domain_list.add}
          title="domain_list.add"
          submit="domain_list.add"
          intro={t('domain_list.intro')}
          initial={{ type: domainTypes[0], holder_id: user?.id }}
          fields={domainFields(user)}
          onClose={() => setEdited(null)}
        />
      )}
      {edited !== null && edited !== 'new' && (
        <FormModal
          action={api.domain_list.update}
          title="domain_list.update"
          submit="domain_list.save"
          initial={{ host: edited.host, type: edited.type, holder_id: edited.holder_id, remark: edited.remark }}
          toInput={(values) => ({ ...values, id: edited.id })}
          fields={domainFields(user, edited)}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

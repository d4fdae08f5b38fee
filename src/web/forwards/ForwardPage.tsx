import { Button, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Forward } from '../../contract/links/forward.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { Copyable, Host, Num, Status, Time } from '../kit/feedback.ts';
import { hostName } from '../kit/host.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { domainOptions, forwardFields } from './forward.fields.ts';
import { TestAddress } from './TestAddress.tsx';

const columns: Column<Forward>[] = [
  { key: 'host', title: 'forward.host', sortable: true, width: 190, card: 'title', render: (row) => <Host row={row} /> },
  {
    key: 'path',
    title: 'forward.path',
    sortable: true,
    width: 150,
    card: 'field',
    render: (row) => <span className="lc-code">{row.path}</span>,
  },
  { key: 'url', title: 'forward.url', width: 240, card: 'field', render: (row) => <Copyable value={row.url} maximum={34} /> },
  { key: 'status', title: 'forward.status', width: 80, render: (row) => <Tag>{row.status}</Tag> },
  {
    key: 'enabled',
    title: 'forward.enabled',
    width: 100,
    card: 'aside',
    exportValue: stateOf,
    render: (row) => <State row={row} />,
  },
  {
    key: 'hits',
    title: 'forward.hits',
    sortable: true,
    align: 'right',
    width: 105,
    card: 'field',
    render: (row) => <Num value={row.hits} />,
  },
  { key: 'last_hit_at', title: 'forward.last_hit_at', sortable: true, width: 110, render: (row) => <Time value={row.last_hit_at} /> },
  {
    key: 'keep_query',
    title: 'forward.keep_query',
    width: 110,
    hiddenByDefault: true,
    exportValue: (row) => (row.keep_query ? 'common.yes' : 'common.no'),
    render: (row) => <Kept is={row.keep_query} />,
  },
  { key: 'sort', title: 'forward.sort', sortable: true, align: 'right', width: 90, hiddenByDefault: true },
  { key: 'remark', title: 'forward.remark', width: 160 },
  { key: 'owner_account', title: 'forward.owner', width: 120, node: 'user_list' },
  { key: 'created_at', title: 'forward.created_at', sortable: true, width: 140, render: (row) => <Time value={row.created_at} /> },
  { key: 'updated_at', title: 'forward.updated_at', width: 140, hiddenByDefault: true, render: (row) => <Time value={row.updated_at} /> },
];

const filters: Filter<'search' | 'domain_id' | 'enabled'>[] = [
  { kind: 'text', key: 'search', label: 'forward.search' },
  { kind: 'remote', key: 'domain_id', label: 'forward.host', source: domainOptions },
  { kind: 'boolean', key: 'enabled', label: 'forward.enabled', yes: 'common.enabled', no: 'common.disabled' },
];

function stateOf({ enabled, serves }: Forward): string {
  if (!enabled) return 'common.disabled';
  return serves ? 'common.enabled' : 'forward.not_serving';
}

function State({ row }: { row: Forward }) {
  const { t } = useTranslation();
  const label = stateOf(row);
  if (label === 'forward.not_serving') {
    return (
      <Tooltip title={t('forward.not_serving_help')}>
        <span>
          <Status kind="warning" label={label} />
        </span>
      </Tooltip>
    );
  }
  return <Status kind={row.enabled ? 'success' : 'neutral'} label={label} />;
}

function Kept({ is }: { is: boolean }) {
  const { t } = useTranslation();
  return is ? t('common.yes') : <span className="lc-soft">{t('common.no')}</span>;
}

/** Rules that send paths of one's own domains elsewhere: add, change, switch, test, remove. */
export function ForwardPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { allows } = useSession();
  const [edited, setEdited] = useState<Forward | 'new' | null>(null);
  const [isTesting, setIsTesting] = useState(false);
  const enable = useAction(api.forward.update_enabled);
  const removal = useRemoval<Forward, unknown>(api.forward.remove, {
    node: 'forward.remove',
    title: 'forward.remove_title',
    many: 'forward.remove_many_title',
    content: 'forward.remove_content',
    name: (row) => ({ host: hostName(row), path: row.path }),
  });

  async function setEnabled(rows: readonly Forward[], enabled: boolean) {
    const [first] = rows;
    if (!enabled && first) {
      const title =
        rows.length === 1
          ? t('forward.disable_title', { host: hostName(first), path: first.path })
          : t('forward.disable_many_title', { number: rows.length });
      if (!(await confirm({ title, content: 'forward.disable_content', confirm: 'common.disable', danger: true }))) return false;
    }
    return (await enable.run({ ids: rows.map(({ id }) => id), enabled })) !== undefined;
  }

  const addButton = <AddButton node="forward.add" label="forward.add" onClick={() => setEdited('new')} />;
  return (
    <>
      <ListPage
        title="forward.title"
        help={t('forward.help')}
        list={api.forward.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        exportName="forward.title"
        actions={
          <>
            <Allowed node="forward.test">
              <Button onClick={() => setIsTesting(true)}>{t('forward.test.open')}</Button>
            </Allowed>
            {addButton}
          </>
        }
        empty={{ title: 'forward.empty', help: 'forward.empty_help', action: addButton }}
        rowActions={[
          { key: 'update', label: 'common.edit', node: 'forward.update', onClick: setEdited },
          {
            key: 'open',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node: 'forward.update',
            onClick: (row) => void setEnabled([row], !row.enabled),
          },
          removal.row,
        ]}
        batchActions={[
          { key: 'enable', label: 'common.enable', node: 'forward.update', onClick: (rows) => setEnabled(rows, true) },
          { key: 'disable', label: 'common.disable', node: 'forward.update', onClick: (rows) => setEnabled(rows, false) },
          removal.batch,
        ]}
      />
      {edited === 'new' && (
        <FormModal
          action={api.forward.add}
          title="forward.add"
          submit="forward.add_submit"
          initial={{ status: 302, keep_query: true, sort: 0 }}
          fields={forwardFields()}
          onClose={() => setEdited(null)}
        />
      )}
      {edited && edited !== 'new' && allows('forward.update') && (
        <FormModal
          action={api.forward.update}
          title="forward.update"
          submit="forward.save"
          initial={edited}
          fields={forwardFields(edited)}
          toInput={({ path, url, status, keep_query, sort, remark }) => ({ id: edited.id, path, url, status, keep_query, sort, remark })}
          onClose={() => setEdited(null)}
        />
      )}
      {isTesting && <TestAddress onClose={() => setIsTesting(false)} />}
    </>
  );
}

import { Button, Tag, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Forward } from '../../contract/links/forward.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Allowed } from '../kit/calls/session.tsx';
import { useCrudList } from '../kit/crud/useCrud.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { Copyable, Host, Status } from '../kit/feedback.ts';
import { hostName } from '../kit/host.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { domainOptions, forwardFields } from './forward.fields.ts';
import { TestAddress } from './TestAddress.tsx';

const columns = columnsOf(api.forward.inquire, [
  { key: 'host', width: 190, card: 'title', render: (row) => <Host row={row} /> },
  { key: 'path', width: 150, card: 'field', render: (row) => <span className="lc-code">{row.path}</span> },
  { key: 'url', width: 240, card: 'field', render: (row) => <Copyable value={row.url} maximum={34} /> },
  { key: 'status', width: 80, render: (row) => <Tag>{row.status}</Tag> },
  { key: 'enabled', width: 100, card: 'aside', exportValue: stateOf, render: (row) => <State row={row} /> },
  { key: 'hits', kind: 'number', width: 105 },
  { key: 'last_hit_at', kind: 'time', width: 110 },
  {
    key: 'keep_query',
    width: 110,
    hiddenByDefault: true,
    exportValue: (row) => (row.keep_query ? 'common.yes' : 'common.no'),
    render: (row) => <Kept is={row.keep_query} />,
  },
  { key: 'sort', align: 'right', width: 90, hiddenByDefault: true },
  { key: 'remark', width: 160 },
  { key: 'owner_account', width: 120, node: 'user_list' },
  { key: 'created_at', kind: 'time' },
  { key: 'updated_at', kind: 'time', hiddenByDefault: true },
]);

const filters: Filter<'search' | 'domain_id' | 'enabled'>[] = [
  { kind: 'text', key: 'search', label: 'forward.search' },
  { kind: 'remote', key: 'domain_id', label: 'common.field.host', source: domainOptions },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.enabled', no: 'common.disabled' },
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

const nameOf = (row: Forward) => `${hostName(row)}${row.path}`;

/** Rules that send paths of one's own domains elsewhere: add, change, switch, test, remove. */
export function ForwardPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const [isTesting, setIsTesting] = useState(false);
  const enable = useAction(api.forward.update_enabled);
  const { list, acts, edited, close } = useCrudList<Forward>(api.forward, { name: nameOf });

  async function setEnabled(rows: readonly Forward[], enabled: boolean) {
    const [first] = rows;
    if (!enabled && first) {
      const title =
        rows.length === 1 ? t('forward.disable_title', { name: nameOf(first) }) : t('forward.disable_many_title', { number: rows.length });
      if (!(await confirm({ title, content: 'forward.disable_content', confirm: 'common.disable', danger: true }))) return false;
    }
    const changed = rows.filter((row) => row.enabled !== enabled).map(({ id }) => id);
    const subject = { name: first && nameOf(first), undo: changed.length > 0 ? { ids: changed, enabled: !enabled } : undefined };
    return (await enable.run({ ids: rows.map(({ id }) => id), enabled }, subject)) !== undefined;
  }

  return (
    <>
      <ListPage
        list={api.forward.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        {...list}
        title="menu.forward"
        help={t('forward.help')}
        exportName="menu.forward"
        actions={
          <>
            <Allowed node="forward.test">
              <Button onClick={() => setIsTesting(true)}>{t('forward.test.open')}</Button>
            </Allowed>
            {list.actions}
          </>
        }
        rowActions={[acts.update, { ...acts.enabled, onClick: (row) => void setEnabled([row], !row.enabled) }, acts.remove]}
        batchActions={list.batchActions.map((act) =>
          act.key === 'disable' ? { ...act, byId: false, onClick: (rows: Forward[]) => setEnabled(rows, false) } : act,
        )}
      />
      {edited === 'new' && (
        <FormModal
          action={api.forward.add}
          title="menu.add_forward"
          submit="menu.add_forward"
          initial={{ status: 302, keep_query: true, sort: 0 }}
          fields={forwardFields()}
          onClose={close}
        />
      )}
      {edited && edited !== 'new' && (
        <FormModal
          action={api.forward.update}
          title="forward.edit"
          submit="common.save"
          initial={edited}
          fields={forwardFields(edited)}
          toInput={({ path, url, status, keep_query, sort, remark }) => ({ id: edited.id, path, url, status, keep_query, sort, remark })}
          onClose={close}
        />
      )}
      {isTesting && <TestAddress onClose={() => setIsTesting(false)} />}
    </>
  );
}

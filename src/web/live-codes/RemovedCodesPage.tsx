import { DeleteOutlined, HistoryOutlined, RollbackOutlined } from '@ant-design/icons';
import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { LiveCode } from '../../contract/codes/live-code.ts';
import type { ListedCode } from '../../contract/codes/qr-code-list.ts';
import { CodeLink, codePage } from '../kit/CodeLink.tsx';
import { api } from '../kit/calls/api.ts';
import { useSession } from '../kit/calls/session.tsx';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { Copyable } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { forwardWarnings } from './choices.ts';
import { FoundAlias } from './list/cells.tsx';
import { useRemoving } from './list/useCodeChanges.ts';
import './live-codes.css';

const filters: Filter<'search'>[] = [
  { kind: 'text', key: 'search', label: 'common.filters.search', placeholder: 'qr_code_list.filters.search_placeholder' },
];
const fields: FieldData[] = [{ kind: 'text', name: 'name', label: 'qr_code_remove.type_name', required: true }];

const columnsFor = (seesOthers: boolean): Column<ListedCode>[] =>
  columnsOf(api.qr_code_list.qr_code_remove, [
    {
      key: 'name',
      kind: 'name',
      title: 'qr_code_list.columns.name',
      render: (row) => (
        <div className="lc-code-lines">
          <CodeLink id={row.id} name={row.name} className="lc-code-name" />
          <FoundAlias code={row} />
        </div>
      ),
    },
    { key: 'file_name', kind: 'copy', title: 'qr_code_list.columns.file_name', width: 150, card: 'field' },
    ...(seesOthers ? [{ key: 'owner_account' as const, title: 'qr_code_list.columns.owner', width: 130, card: 'field' as const }] : []),
    { key: 'removed_at', kind: 'time', title: 'qr_code_remove.removed_at', width: 150, card: 'field' },
    { key: 'removed_by_account', title: 'common.field.actor', width: 140, card: 'field' },
    { key: 'view_number', kind: 'number', title: 'qr_code_list.columns.total', card: undefined },
    { key: 'remark' },
    { key: 'created_at', kind: 'time', title: 'qr_code_list.columns.created_at' },
  ]);

const restoring = {
  key: 'restore',
  label: 'qr_code_remove.restore',
  icon: <RollbackOutlined />,
  node: 'qr_code_remove.restore',
} as const;

/** The recycle bin: codes come back from it whole, or go for ever. */
export function RemovedCodesPage() {
  const { t } = useTranslation();
  const seesOthers = useSession().user?.role.kind !== 'customer';
  const { mayChange } = useSession();
  const navigate = useNavigate();
  const [doomed, setDoomed] = useState<LiveCode | null>(null);
  const removing = useRemoving();
  const { message } = App.useApp();

  async function bringBack(codes: readonly LiveCode[]) {
    const isBack = (await removing(codes, false)) !== undefined;
    const number = codes.filter((code) => forwardWarnings(code, t).length > 0).length;
    if (isBack && number > 0) void message.warning(t('qr_code_remove.forwarded', { number }));
    return isBack;
  }

  return (
    <>
      <ListPage
        title="menu.qr_code_remove"
        help={t('qr_code_remove.help')}
        list={api.qr_code_list.qr_code_remove}
        name="qr_code_remove"
        columns={columnsFor(seesOthers)}
        filters={filters}
        defaultSort={{ sort: 'removed_at', order: 'desc' }}
        exportName="menu.qr_code_remove"
        empty={{ title: 'qr_code_remove.empty', help: 'qr_code_remove.empty_help' }}
        rowActions={[
          { ...restoring, visible: mayChange, onClick: (code) => void bringBack([code]) },
          {
            key: 'versions',
            label: 'code_version.history',
            icon: <HistoryOutlined />,
            node: 'qr_code_list',
            onClick: ({ id }) => void navigate(codePage(id)),
          },
          {
            key: 'remove',
            label: 'qr_code_remove.remove',
            icon: <DeleteOutlined />,
            node: 'qr_code_remove.remove',
            danger: true,
            visible: mayChange,
            onClick: setDoomed,
          },
        ]}
        batchActions={[{ ...restoring, onClick: bringBack }]}
      />
      {doomed && <RemoveForEver code={doomed} onClose={() => setDoomed(null)} />}
    </>
  );
}

/** Asks for the code's name: what goes for ever is not brought back. */
function RemoveForEver({ code, onClose }: { code: LiveCode; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormModal
      action={api.qr_code_list.remove}
      title="qr_code_remove.remove_title"
      submit="qr_code_remove.remove"
      danger
      asks
      intro={
        <>
          {t('qr_code_remove.remove_content')}
          <br />
          <Copyable value={code.name} />
        </>
      }
      success="qr_code_remove.removed"
      fields={fields}
      toInput={(values) => ({ ...values, id: code.id })}
      onClose={onClose}
    />
  );
}

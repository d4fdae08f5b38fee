import { DeleteOutlined, HistoryOutlined, RollbackOutlined } from '@ant-design/icons';
import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../contract/codes/live-code.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { Copyable, Num, Time } from '../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../kit/ListPage.tsx';
import { useMayChange } from './list/useMayChange.ts';
import { VersionsDrawer } from './versions/VersionsDrawer.tsx';
import './live-codes.css';

const filters: Filter<'search'>[] = [
  { kind: 'text', key: 'search', label: 'qr_code_list.filters.search', placeholder: 'qr_code_list.filters.search_placeholder' },
];
const fields: FieldData[] = [{ kind: 'text', name: 'name', label: 'qr_code_remove.type_name', required: true }];

const columnsFor = (seesOthers: boolean): Column<LiveCode>[] => [
  {
    key: 'name',
    title: 'qr_code_list.columns.name',
    width: 220,
    sortable: true,
    card: 'title',
    render: (row) => <span className="code-name">{row.name}</span>,
  },
  {
    key: 'file_name',
    title: 'qr_code_list.columns.file_name',
    width: 150,
    sortable: true,
    card: 'field',
    render: (row) => <Copyable value={row.file_name} code />,
  },
  ...(seesOthers ? [{ key: 'owner_account', title: 'qr_code_list.columns.owner', width: 130, card: 'field' as const }] : []),
  {
    key: 'removed_at',
    title: 'qr_code_remove.removed_at',
    width: 150,
    sortable: true,
    card: 'field',
    render: (row) => <Time value={row.removed_at} />,
  },
  { key: 'removed_by_account', title: 'qr_code_remove.removed_by', width: 140, card: 'field' },
  {
    key: 'view_number',
    title: 'qr_code_list.columns.total',
    width: 110,
    align: 'right',
    render: (row) => <Num value={row.view_number} />,
  },
  { key: 'remark', title: 'qr_code_list.columns.remark', width: 180 },
  { key: 'created_at', title: 'qr_code_list.columns.created_at', width: 140, render: (row) => <Time value={row.created_at} /> },
];

type Open = { kind: 'remove' | 'versions'; code: LiveCode };

/** The recycle bin: codes come back from it whole, or go for ever. */
export function RemovedCodesPage() {
  const { t } = useTranslation();
  const seesOthers = useSession().user?.role.kind !== 'customer';
  const mayChange = useMayChange();
  const [open, setOpen] = useState<Open | null>(null);
  const restore = useAction(api.qr_code_list.update_remove, { success: 'qr_code_remove.restored', invalidates: ['group'] });
  const { message } = App.useApp();

  async function bringBack(codes: readonly LiveCode[]) {
    const isBack = (await restore.run({ ids: codes.map(({ id }) => id), removed: false })) !== undefined;
    const number = codes.filter(({ forward_path }) => forward_path !== null).length;
    if (isBack && number > 0) void message.warning(t('qr_code_remove.forwarded', { number }));
    return isBack;
  }

  const close = () => setOpen(null);
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
          {
            key: 'restore',
            label: 'qr_code_remove.restore',
            icon: <RollbackOutlined />,
            node: 'qr_code_remove.restore',
            visible: mayChange,
            onClick: (code) => void bringBack([code]),
          },
          {
            key: 'versions',
            label: 'code_version.history',
            icon: <HistoryOutlined />,
            node: 'qr_code_list',
            onClick: (code) => setOpen({ kind: 'versions', code }),
          },
          {
            key: 'remove',
            label: 'qr_code_remove.remove',
            icon: <DeleteOutlined />,
            node: 'qr_code_remove.remove',
            danger: true,
            visible: mayChange,
            onClick: (code) => setOpen({ kind: 'remove', code }),
          },
        ]}
        batchActions={[
          {
            key: 'restore',
            label: 'qr_code_remove.restore',
            icon: <RollbackOutlined />,
            node: 'qr_code_remove.restore',
            onClick: bringBack,
          },
        ]}
      />
      {open?.kind === 'versions' && <VersionsDrawer code={open.code} onClose={close} />}
      {open?.kind === 'remove' && (
        <FormModal
          action={api.qr_code_list.remove}
          title="qr_code_remove.remove_title"
          submit="qr_code_remove.remove_submit"
          danger
          size="small"
          intro={
            <>
              {t('qr_code_remove.remove_content')}
              <br />
              <Copyable value={open.code.name} />
            </>
          }
          success="qr_code_remove.removed"
          fields={fields}
          toInput={(values) => ({ ...values, id: open.code.id })}
          onClose={close}
        />
      )}
    </>
  );
}

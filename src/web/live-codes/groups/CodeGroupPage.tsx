import { DeleteOutlined, EditOutlined, FolderOpenOutlined, OrderedListOutlined, SwapOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import type { CodeGroup } from '../../../contract/codes/code-group.ts';
import { api } from '../../kit/calls/api.ts';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { Num, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import type { Grouping } from './GroupSelect.tsx';
import { GroupTag } from './GroupTag.tsx';
import { MoveDialog } from './MoveDialog.tsx';
import { OrderDialog } from './OrderDialog.tsx';

const filters: Filter<'search'>[] = [{ kind: 'text', key: 'search', label: 'group.name' }];
const fields: FieldData[] = [
  { kind: 'text', name: 'name', label: 'group.name', placeholder: 'group.name_placeholder' },
  { kind: 'color', name: 'color', label: 'group.color' },
];
/** Colours for new groups in turn, told apart on both grounds. */
const colors = ['#0f766e', '#2563eb', '#b45309', '#be185d', '#7c3aed', '#15803d', '#0891b2', '#dc2626'];

/** Where the codes of a group are listed. */
const codesAt = (grouping: Grouping, id: number): string =>
  grouping === 'group' ? `/customer/qr_code_list?group_id=${id}` : `/customer/qr_code_list_admin?internal_group_id=${id}`;

const columnsOf = (grouping: Grouping, seesOthers: boolean): Column<CodeGroup>[] => [
  { key: 'name', title: 'group.name', sortable: true, width: 240, card: 'title', render: (row) => <GroupTag group={row} /> },
  ...(seesOthers && grouping === 'group'
    ? [{ key: 'owner_account', title: 'qr_code_list.columns.owner', width: 140, card: 'field' as const }]
    : []),
  {
    key: 'code_count',
    title: 'group.codes',
    sortable: true,
    align: 'right',
    width: 120,
    card: 'field',
    render: (row) => (
      <Link to={codesAt(grouping, row.id)}>
        <Num value={row.code_count} />
      </Link>
    ),
  },
  {
    key: 'view_number',
    title: 'group.visits',
    sortable: true,
    align: 'right',
    width: 130,
    card: 'field',
    render: (row) => <Num value={row.view_number} />,
  },
  { key: 'created_at', title: 'group.created_at', sortable: true, width: 150, render: (row) => <Time value={row.created_at} /> },
];

type Open = { kind: 'add' | 'order' } | { kind: 'edit'; group: CodeGroup } | { kind: 'move'; group: CodeGroup; ids: number[] };

/** Groups of codes: the users' own, or the administrators' over all of them. Both are the same screen. */
function GroupingPage({ grouping }: { grouping: Grouping }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { user, allows } = useSession();
  const [open, setOpen] = useState<Open | null>(null);
  const calls = api[grouping];
  const isAdministrator = user?.role.kind === 'super' || user?.role.kind === 'administrator';
  const seesOthers = user?.role.kind !== 'customer';
  const mayChange = (group: CodeGroup) => isAdministrator || group.owner_id === user?.id;
  const invalidates = ['qr_code_list'] as const;
  const close = () => setOpen(null);
  const removal = useRemoval<CodeGroup, unknown>(calls.remove, {
    node: `${grouping}.remove`,
    title: 'group.remove_title',
    many: 'group.remove_many_title',
    content: 'group.remove_content',
    name: ({ name }) => ({ name }),
    visible: mayChange,
    invalidates,
  });

  /** All codes of a group, as many as one call moves. */
  async function askToMove(group: CodeGroup) {
    const { ids } =
      grouping === 'group'
        ? await api.qr_code_list.ids({ group_id: group.id })
        : await api.qr_code_list.user_ids({ internal_group_id: group.id });
    if (ids.length > 0) setOpen({ kind: 'move', group, ids });
  }

  const add = <AddButton node={`${grouping}.add`} label="group.add" onClick={() => setOpen({ kind: 'add' })} />;
  return (
    <>
      <ListPage
        title={`menu.${grouping}`}
        help={t(grouping === 'group' ? 'group.help' : 'group.help_internal')}
        list={calls.inquire}
        columns={columnsOf(grouping, seesOthers)}
        filters={filters}
        defaultSort={{ sort: 'sort', order: 'desc' }}
        exportName={`menu.${grouping}`}
        actions={
          <>
            <Allowed node={`${grouping}.update`}>
              <Button icon={<OrderedListOutlined />} onClick={() => setOpen({ kind: 'order' })}>
                {t('group.order')}
              </Button>
            </Allowed>
            {add}
          </>
        }
        empty={{ title: 'group.empty', help: grouping === 'group' ? 'group.empty_help' : 'group.empty_help_internal', action: add }}
        rowActions={[
          {
            key: 'codes',
            label: 'group.show_codes',
            icon: <FolderOpenOutlined />,
            onClick: (row) => void navigate(codesAt(grouping, row.id)),
          },
          {
            key: 'edit',
            label: 'common.edit',
            icon: <EditOutlined />,
            node: `${grouping}.update`,
            visible: mayChange,
            onClick: (group) => setOpen({ kind: 'edit', group }),
          },
          {
            key: 'move',
            label: 'group.move_codes',
            icon: <SwapOutlined />,
            node: `${grouping}.move`,
            visible: (row) => mayChange(row) && row.code_count > 0 && (grouping === 'internal_code_grouping' || allows('qr_code_list')),
            onClick: (group) => void askToMove(group),
          },
          { ...removal.row, icon: <DeleteOutlined /> },
        ]}
        batchActions={[removal.batch]}
      />
      {open?.kind === 'add' && (
        <FormModal
          action={calls.add}
          title="group.add"
          submit="group.add"
          size="small"
          fields={fields}
          initial={{ color: colors[Date.now() % colors.length] }}
          onClose={close}
        />
      )}
      {open?.kind === 'edit' && (
        <FormModal
          action={calls.update}
          title="group.edit"
          submit="common.save"
          size="small"
          fields={fields}
          initial={{ name: open.group.name, color: open.group.color }}
          toInput={(values) => ({ ...values, id: open.group.id })}
          invalidates={invalidates}
          onClose={close}
        />
      )}
      {open?.kind === 'move' && (
        <MoveDialog
          grouping={grouping}
          ids={open.ids}
          name={t('group.move_from', { name: open.group.name, count: open.ids.length })}
          ownerId={open.group.owner_id ?? undefined}
          onClose={close}
        />
      )}
      {open?.kind === 'order' && <OrderDialog grouping={grouping} ownerId={grouping === 'group' ? user?.id : undefined} onClose={close} />}
    </>
  );
}

export const GroupsPage = () => <GroupingPage grouping="group" />;
export const InternalGroupsPage = () => <GroupingPage grouping="internal_code_grouping" />;

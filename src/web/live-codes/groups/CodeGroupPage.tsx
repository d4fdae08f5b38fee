import { DeleteOutlined, EditOutlined, FolderOpenOutlined, OrderedListOutlined, SwapOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';
import { type CodeGroup, groupColors } from '../../../contract/codes/code-group.ts';
import { api } from '../../kit/calls/api.ts';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { useCodesRoute, useCodesScreen } from '../../kit/codes/codesScreen.ts';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { Num } from '../../kit/feedback.ts';
import { type BatchAction, type Column, type Filter, ListPage, type RowAction } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import type { Grouping } from './GroupSelect.tsx';
import { GroupTag } from './GroupTag.tsx';
import { MoveDialog } from './MoveDialog.tsx';
import { OrderDialog } from './OrderDialog.tsx';

const filters: Filter<'search'>[] = [{ kind: 'text', key: 'search', label: 'group.name' }];
const fields: FieldData[] = [
  { kind: 'text', name: 'name', label: 'group.name', placeholder: 'group.name_placeholder' },
  { kind: 'color', name: 'color', label: 'common.field.color' },
];
/** Colours for new groups in turn, told apart on both grounds. */

/** Where the codes of a group are listed, those of other owners among all codes. */
function useCodesOf(grouping: Grouping): (id: number) => string {
  const codes = useCodesRoute();
  return (id) => codes(`${grouping === 'group' ? 'group_id' : 'internal_group_id'}=${id}`);
}

const groupColumns = (grouping: Grouping, seesOthers: boolean, codesOf: (id: number) => string): Column<CodeGroup>[] =>
  columnsOf(api[grouping].inquire, [
    { key: 'name', kind: 'name', title: 'group.name', width: 240, render: (row) => <GroupTag group={row} /> },
    ...(seesOthers && grouping === 'group'
      ? [{ key: 'owner_account' as const, title: 'qr_code_list.columns.owner', width: 140, card: 'field' as const }]
      : []),
    {
      key: 'code_count',
      kind: 'number',
      title: 'common.field.code_count',
      width: 120,
      render: (row) => (
        <Link to={codesOf(row.id)}>
          <Num value={row.code_count} />
        </Link>
      ),
    },
    { key: 'view_number', kind: 'number', title: 'group.visits', width: 130 },
    { key: 'created_at', kind: 'time', title: 'group.created_at', width: 150 },
  ]);

type Open = { kind: 'add' | 'order' } | { kind: 'edit'; group: CodeGroup } | { kind: 'move'; group: CodeGroup; ids: number[] };
type OpenDialog = (open: Open) => void;

const invalidates = ['qr_code_list'] as const;

/** What is done to groups, one by one or selected. */
function useGroupActions(
  grouping: Grouping,
  open: OpenDialog,
): { rowActions: RowAction<CodeGroup>[]; batchActions: BatchAction<CodeGroup>[] } {
  const navigate = useNavigate();
  const { mayChange } = useSession();
  const screen = useCodesScreen();
  const codesOf = useCodesOf(grouping);
  const removal = useRemoval<CodeGroup, unknown>(api[grouping].remove, {
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
      grouping === 'internal_code_grouping'
        ? await api.qr_code_list.user_ids({ internal_group_id: group.id })
        : screen === 'qr_code_list_admin'
          ? await api.qr_code_list.user_ids({ group_id: group.id })
          : await api.qr_code_list.ids({ group_id: group.id });
    if (ids.length > 0) open({ kind: 'move', group, ids });
  }

  return {
    rowActions: [
      {
        key: 'codes',
        label: 'common.show_codes',
        icon: <FolderOpenOutlined />,
        onClick: (row) => void navigate(codesOf(row.id)),
      },
      {
        key: 'edit',
        label: 'common.edit',
        icon: <EditOutlined />,
        node: `${grouping}.update`,
        visible: mayChange,
        onClick: (group) => open({ kind: 'edit', group }),
      },
      {
        key: 'move',
        label: 'group.move_codes',
        icon: <SwapOutlined />,
        node: `${grouping}.move`,
        visible: (row) => mayChange(row) && row.code_count > 0 && screen !== null,
        onClick: (group) => void askToMove(group),
      },
      { ...removal.row, icon: <DeleteOutlined /> },
    ],
    batchActions: [removal.batch],
  };
}

/** Groups of codes: the users' own, or the administrators' over all of them. Both are the same screen. */
function GroupingPage({ grouping }: { grouping: Grouping }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const codesOf = useCodesOf(grouping);
  const [open, setOpen] = useState<Open | null>(null);
  const actions = useGroupActions(grouping, setOpen);
  const add = <AddButton node={`${grouping}.add`} label="group.add" onClick={() => setOpen({ kind: 'add' })} />;
  return (
    <>
      <ListPage
        title={`menu.${grouping}`}
        help={t(grouping === 'group' ? 'group.help' : 'group.help_internal')}
        list={api[grouping].inquire}
        columns={groupColumns(grouping, user?.role.kind !== 'customer', codesOf)}
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
        {...actions}
      />
      {open && <GroupDialog grouping={grouping} open={open} onClose={() => setOpen(null)} />}
    </>
  );
}

type GroupDialogProps = { grouping: Grouping; open: Open; onClose: () => void };

function GroupDialog({ grouping, open, onClose }: GroupDialogProps) {
  const { t } = useTranslation();
  const { user } = useSession();
  const calls = api[grouping];
  switch (open.kind) {
    case 'add':
      return (
        <FormModal
          action={calls.add}
          title="group.add"
          submit="group.add"
          fields={fields}
          initial={{ color: groupColors[Date.now() % groupColors.length] }}
          onClose={onClose}
        />
      );
    case 'edit':
      return (
        <FormModal
          action={calls.update}
          title="group.edit"
          submit="common.save"
          fields={fields}
          initial={{ name: open.group.name, color: open.group.color }}
          toInput={(values) => ({ ...values, id: open.group.id })}
          invalidates={invalidates}
          onClose={onClose}
        />
      );
    case 'move':
      return (
        <MoveDialog
          grouping={grouping}
          ids={open.ids}
          name={t('group.move_from', { name: open.group.name, count: open.ids.length })}
          ownerId={open.group.owner_id ?? undefined}
          onClose={onClose}
        />
      );
    case 'order':
      return <OrderDialog grouping={grouping} ownerId={grouping === 'group' ? user?.id : undefined} onClose={onClose} />;
  }
}

export const CodeGroupPage = () => <GroupingPage grouping="group" />;
export const InternalGroupsPage = () => <GroupingPage grouping="internal_code_grouping" />;

import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { disabledStatus } from '../../contract/enums.ts';
import { mayInvite, type User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { AddButton } from '../kit/dialogs/removal.tsx';
import { useCopy } from '../kit/feedback.ts';
import { useFreezing } from '../kit/freezing/useFreezing.tsx';
import { type Filter, ListPage, type RowAction } from '../kit/ListPage.tsx';
import { useDialog } from '../kit/useDialog.ts';
import { userColumns } from './people.columns.tsx';
import { customerRoles, disabledOptions, onlineOptions, statusOptions, userOptions } from './people.fields.tsx';
import { type UserDialog, UserDialogs } from './UserDialogs.tsx';
import { useInvitationLink } from './useInvitationLink.ts';
import { ofPresent, usePeopleActions } from './usePeopleActions.tsx';

type FilterKey =
  | 'search'
  | 'role_id'
  | 'disabled'
  | 'frozen'
  | 'status'
  | 'online_status'
  | 'expired'
  | 'superior_id'
  | 'invitation_code'
  | 'expires_from'
  | 'expires_to'
  | 'created_from'
  | 'created_to';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'search', label: 'user_list.search', placeholder: 'user_list.search_placeholder' },
  { kind: 'remote', key: 'role_id', label: 'user_list.role', source: customerRoles },
  { kind: 'select', key: 'disabled', label: 'user_list.state', options: disabledOptions },
  { kind: 'select', key: 'online_status', label: 'user_list.online', options: onlineOptions },
  { kind: 'select', key: 'status', label: 'user_list.removal.filter', options: statusOptions, more: true },
  { kind: 'boolean', key: 'frozen', label: 'report_list.frozen', more: true },
  { kind: 'boolean', key: 'expired', label: 'user_list.membership', yes: 'common.expired', no: 'common.valid', more: true },
  { kind: 'remote', key: 'superior_id', label: 'user_list.superior', source: userOptions, more: true },
  { kind: 'text', key: 'invitation_code', label: 'user_list.invitation_code', more: true },
  { kind: 'date_range', key: 'expires_from', to: 'expires_to', label: 'user_list.member_expires_at', ahead: true, more: true },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'user_list.created_at', more: true },
];

/** Opens the back office as a user: asked first, since everything done there is done in his name. */
function useLogInAs() {
  const { t } = useTranslation();
  const { actAs } = useSession();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const logInAs = useAction(api.user_list.log_in_as, { success: false });
  return async ({ id, account }: User) => {
    const title = t('user_list.log_in_as_title', { account });
    if (!(await confirm({ title, content: 'user_list.log_in_as_content', confirm: 'user_list.log_in_as' }))) return;
    const session = await logInAs.run({ id });
    if (!session) return;
    actAs(session);
    await navigate('/customer');
  };
}

/** Customers and agents, and everything that is decided about them. */
export function UserListPage() {
  const dialogs = useDialog<UserDialog>();
  const people = usePeopleActions('user_list');
  const freezing = useFreezing<User>('user', {
    name: ({ id, account = `#${id}` }) => account,
    isFrozen: ({ frozen_at }) => frozen_at !== null,
  });
  const logInAs = useLogInAs();
  const linkOf = useInvitationLink();
  const copy = useCopy();

  const aboutOne = (kind: 'update' | 'superior' | 'invitation' | 'password' | 'balance') => (user: User) =>
    void dialogs.open({ kind, user });
  /** A change of one user or of the selected ones. */
  function change(kind: 'role' | 'expiry' | 'ratio' | 'message', label: string) {
    const shown = { key: kind, label, node: `user_list.${kind}` as const };
    return {
      row: { ...shown, onClick: (user: User) => void dialogs.open({ kind, users: [user] }) },
      batch: { ...shown, onClick: (users: User[]) => dialogs.open({ kind, users }) },
    };
  }
  const role = change('role', 'user_list.change_role');
  const expiry = change('expiry', 'menu.button.expiry');
  const ratio = change('ratio', 'user_list.change_ratio');
  const message = change('message', 'menu.button.message');
  const gift = { key: 'gift', label: 'user_list.gift', node: 'member_gift.add' } as const;
  const rowActions: RowAction<User>[] = [
    { key: 'update', label: 'common.edit', node: 'user_list.update', onClick: aboutOne('update') },
    {
      key: 'log_in_as',
      label: 'user_list.log_in_as',
      node: 'user_list.log_in_as',
      visible: (user) => user.disabled === disabledStatus.no,
      onClick: (user) => void logInAs(user),
    },
    role.row,
    expiry.row,
    { ...gift, onClick: (user) => void dialogs.open({ kind: 'gift', users: [user] }) },
    ratio.row,
    { key: 'balance', label: 'menu.button.balance', node: 'user_list.balance', onClick: aboutOne('balance') },
    { key: 'superior', label: 'user_list.change_superior', node: 'user_list.superior', onClick: aboutOne('superior') },
    { key: 'invitation', label: 'user_list.change_invitation_code', node: 'user_list.invitation', onClick: aboutOne('invitation') },
    {
      key: 'copy_invitation',
      label: 'user_list.copy_invitation',
      visible: (user) => mayInvite(user.role_kind),
      onClick: (user) => void copy(linkOf(user.invitation_code)),
    },
    message.row,
    { key: 'password', label: 'menu.button.password', node: 'user_list.password', onClick: aboutOne('password') },
    ...freezing.row,
  ];

  const addButton = <AddButton node="user_list.add" label="user_list.add" onClick={() => void dialogs.open({ kind: 'add' })} />;
  return (
    <>
      <ListPage
        title="menu.user_list"
        list={api.user_list.inquire}
        columns={userColumns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.user_list"
        actions={
          <>
            {people.refreshAllButton}
            {addButton}
          </>
        }
        empty={{ title: 'user_list.empty', help: 'user_list.empty_help', action: addButton }}
        rowActions={[...ofPresent(rowActions), ...people.row]}
        batchActions={[
          role.batch,
          expiry.batch,
          { ...gift, onClick: (users: User[]) => dialogs.open({ kind: 'gift', users }) },
          ratio.batch,
          message.batch,
          ...people.batch,
          ...freezing.batch,
        ]}
      />
      <UserDialogs dialogs={dialogs} />
      {freezing.dialog}
      {people.dialog}
    </>
  );
}

import { PlusOutlined, ReloadOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { disabledStatus } from '../../contract/enums.ts';
import { mayInvite, type User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { copyText } from '../kit/feedback/Copyable.tsx';
import { type BatchAction, type Filter, ListPage, type RowAction } from '../kit/ListPage.tsx';
import { userColumns } from './people.columns.tsx';
import { customerRoles, disabledOptions, onlineOptions, userOptions } from './people.fields.tsx';
import { type UserDialog, UserDialogs } from './UserDialogs.tsx';
import { useInvitationLink } from './useInvitationLink.ts';
import { usePeopleActions } from './usePeopleActions.tsx';

type FilterKey =
  | 'search'
  | 'role_id'
  | 'disabled'
  | 'online_status'
  | 'expired'
  | 'superior_id'
  | 'invitation_code'
  | 'created_from'
  | 'created_to';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'search', label: 'user_list.search', placeholder: 'user_list.search_placeholder' },
  { kind: 'remote', key: 'role_id', label: 'user_list.role', source: customerRoles },
  { kind: 'select', key: 'disabled', label: 'user_list.state', options: disabledOptions },
  { kind: 'select', key: 'online_status', label: 'user_list.online', options: onlineOptions },
  { kind: 'boolean', key: 'expired', label: 'user_list.membership', yes: 'user_list.expired', no: 'user_list.not_expired', more: true },
  { kind: 'remote', key: 'superior_id', label: 'user_list.superior', source: userOptions, more: true },
  { kind: 'text', key: 'invitation_code', label: 'user_list.invitation_code', more: true },
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

function useCopyInvitation() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const linkOf = useInvitationLink();
  return async ({ invitation_code }: User) => {
    try {
      await copyText(linkOf(invitation_code));
      void message.success(t('common.copied'));
    } catch {
      void message.error(t('common.copy_failed'));
    }
  };
}

/** Customers and agents, and everything that is decided about them. */
export function UserListPage() {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<UserDialog | null>(null);
  const ask = usePeopleActions('user_list');
  const logInAs = useLogInAs();
  const copyInvitation = useCopyInvitation();
  // A batch dialog ends its batch action: true clears the selection, false keeps it.
  const settle = useRef<(isDone: boolean) => void>(() => {});

  const about = (kind: 'role' | 'ratio' | 'expiry' | 'message') => (user: User) => setDialog({ kind, users: [user] });
  const aboutAll = (kind: 'role' | 'ratio' | 'expiry' | 'message') => (users: User[]) =>
    new Promise<boolean>((resolve) => {
      settle.current = resolve;
      setDialog({ kind, users });
    });

  const rowActions: RowAction<User>[] = [
    { key: 'update', label: 'common.edit', node: 'user_list.update', onClick: (user) => setDialog({ kind: 'update', user }) },
    {
      key: 'log_in_as',
      label: 'user_list.log_in_as',
      node: 'user_list.log_in_as',
      visible: (user) => user.disabled === disabledStatus.no,
      onClick: (user) => void logInAs(user),
    },
    { key: 'role', label: 'user_list.change_role', node: 'user_list.role', onClick: about('role') },
    { key: 'expiry', label: 'user_list.change_expiry', node: 'user_list.expiry', onClick: about('expiry') },
    { key: 'ratio', label: 'user_list.change_ratio', node: 'user_list.ratio', onClick: about('ratio') },
    {
      key: 'superior',
      label: 'user_list.change_superior',
      node: 'user_list.superior',
      onClick: (user) => setDialog({ kind: 'superior', user }),
    },
    {
      key: 'invitation',
      label: 'user_list.change_invitation_code',
      node: 'user_list.invitation',
      onClick: (user) => setDialog({ kind: 'invitation', user }),
    },
    {
      key: 'copy_invitation',
      label: 'user_list.copy_invitation',
      visible: (user) => mayInvite(user.role_kind),
      onClick: (user) => void copyInvitation(user),
    },
    { key: 'message', label: 'user_list.send_message', node: 'user_list.message', onClick: about('message') },
    {
      key: 'password',
      label: 'user_list.reset_password',
      node: 'user_list.password',
      onClick: (user) => setDialog({ kind: 'password', user }),
    },
    {
      key: 'second_factor',
      label: 'user_list.remove_second_factor',
      node: 'user_list.password',
      danger: true,
      visible: (user) => user.second_factor,
      onClick: (user) => void ask.removeSecondFactor(user),
    },
    {
      key: 'refresh',
      label: 'user_list.refresh',
      node: 'user_list.refresh',
      danger: true,
      onClick: (user) => void ask.forceRefresh([user]),
    },
    {
      key: 'disable',
      label: (user) => (user.disabled === disabledStatus.yes ? 'common.enable' : 'common.disable'),
      node: 'user_list.disable',
      danger: true,
      onClick: (user) => void ask.setDisabled([user], user.disabled === disabledStatus.yes ? disabledStatus.no : disabledStatus.yes),
    },
  ];
  const batchActions: BatchAction<User>[] = [
    { key: 'role', label: 'user_list.change_role', node: 'user_list.role', onClick: aboutAll('role') },
    { key: 'expiry', label: 'user_list.change_expiry', node: 'user_list.expiry', onClick: aboutAll('expiry') },
    { key: 'ratio', label: 'user_list.change_ratio', node: 'user_list.ratio', onClick: aboutAll('ratio') },
    { key: 'message', label: 'user_list.send_message', node: 'user_list.message', onClick: aboutAll('message') },
    { key: 'enable', label: 'common.enable', node: 'user_list.disable', onClick: (users) => ask.setDisabled(users, disabledStatus.no) },
    { key: 'refresh', label: 'user_list.refresh', node: 'user_list.refresh', danger: true, onClick: ask.forceRefresh },
    {
      key: 'disable',
      label: 'common.disable',
      node: 'user_list.disable',
      danger: true,
      onClick: (users) => ask.setDisabled(users, disabledStatus.yes),
    },
  ];

  const addButton = (
    <Allowed node="user_list.add">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => setDialog({ kind: 'add' })}>
        {t('user_list.add')}
      </Button>
    </Allowed>
  );
  function close() {
    settle.current(false);
    setDialog(null);
  }
  return (
    <>
      <ListPage
        title="user_list.title"
        list={api.user_list.inquire}
        columns={userColumns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="user_list.title"
        actions={
          <>
            <Allowed node="user_list.refresh">
              <Button icon={<ReloadOutlined />} onClick={() => void ask.forceRefreshAll()}>
                {t('user_list.refresh_all')}
              </Button>
            </Allowed>
            {addButton}
          </>
        }
        empty={{ title: 'user_list.empty', help: 'user_list.empty_help', action: addButton }}
        rowActions={rowActions}
        batchActions={batchActions}
      />
      <UserDialogs dialog={dialog} onClose={close} onDone={() => settle.current(true)} />
    </>
  );
}

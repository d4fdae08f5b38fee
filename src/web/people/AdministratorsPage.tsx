import { PlusOutlined, ReloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { disabledStatus } from '../../contract/enums.ts';
import type { User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { useSealed } from '../kit/calls/useSealed.ts';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { type BatchAction, type Filter, ListPage, type RowAction } from '../kit/ListPage.tsx';
import { PasswordResetDialog } from './PasswordResetDialog.tsx';
import { administratorColumns } from './people.columns.tsx';
import { administratorRoles, credentialFields, disabledOptions, onlineOptions, profileFields, roleField } from './people.fields.tsx';
import { usePeopleActions } from './usePeopleActions.tsx';

type FilterKey = 'search' | 'role_id' | 'disabled' | 'online_status' | 'created_from' | 'created_to';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'search', label: 'user_list.search', placeholder: 'user_list.search_placeholder' },
  { kind: 'remote', key: 'role_id', label: 'user_list.role', source: administratorRoles },
  { kind: 'select', key: 'disabled', label: 'user_list.state', options: disabledOptions },
  { kind: 'select', key: 'online_status', label: 'user_list.online', options: onlineOptions },
  { kind: 'date_range', key: 'created_from', to: 'created_to', label: 'user_list.created_at', more: true },
];

type Dialog = { kind: 'add' } | { kind: 'update' | 'password'; user: User };

function AddAdministrator({ onClose }: { onClose: () => void }) {
  return (
    <FormModal
      action={useSealed(api.administrators.add, ['password'])}
      title="administrators.add"
      submit="administrators.add"
      fields={[...credentialFields, roleField(administratorRoles), ...profileFields]}
      invalidates={['role']}
      onClose={onClose}
    />
  );
}

function UpdateAdministrator({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation();
  const isOneself = useSession().user?.id === user.id;
  const role = { ...roleField(administratorRoles, user), help: 'administrators.role_help' };
  return (
    <FormModal
      action={api.administrators.update}
      title={t('administrators.update_title', { account: user.account })}
      submit="user_list.save"
      initial={{ name: user.name, phone: user.phone, remark: user.remark, ...(isOneself ? {} : { role_id: user.role_id }) }}
      toInput={(values) => ({ ...values, id: user.id })}
      // Nobody changes his own role: he could lock himself out with one click.
      fields={isOneself ? profileFields : [role, ...profileFields]}
      invalidates={isOneself ? ['admin'] : ['role']}
      onClose={onClose}
    />
  );
}

/** Administrators: who they are, what role they have, and how to take access away at once. */
export function AdministratorsPage() {
  const { t } = useTranslation();
  const { user: oneself } = useSession();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const ask = usePeopleActions('administrators');
  const close = () => setDialog(null);
  const isOther = (user: User) => user.id !== oneself?.id;

  const rowActions: RowAction<User>[] = [
    { key: 'update', label: 'common.edit', node: 'administrators.update', onClick: (user) => setDialog({ kind: 'update', user }) },
    {
      key: 'password',
      label: 'user_list.reset_password',
      node: 'administrators.password',
      visible: isOther,
      onClick: (user) => setDialog({ kind: 'password', user }),
    },
    {
      key: 'second_factor',
      label: 'user_list.remove_second_factor',
      node: 'administrators.password',
      danger: true,
      visible: (user) => user.second_factor && isOther(user),
      onClick: (user) => void ask.removeSecondFactor(user),
    },
    {
      key: 'refresh',
      label: 'user_list.refresh',
      node: 'administrators.refresh',
      danger: true,
      visible: isOther,
      onClick: (user) => void ask.forceRefresh([user]),
    },
    {
      key: 'disable',
      label: (user) => (user.disabled === disabledStatus.yes ? 'common.enable' : 'common.disable'),
      node: 'administrators.disable',
      danger: true,
      visible: isOther,
      onClick: (user) => void ask.setDisabled([user], user.disabled === disabledStatus.yes ? disabledStatus.no : disabledStatus.yes),
    },
  ];
  const batchActions: BatchAction<User>[] = [
    {
      key: 'enable',
      label: 'common.enable',
      node: 'administrators.disable',
      onClick: (users) => ask.setDisabled(users, disabledStatus.no),
    },
    { key: 'refresh', label: 'user_list.refresh', node: 'administrators.refresh', danger: true, onClick: ask.forceRefresh },
    {
      key: 'disable',
      label: 'common.disable',
      node: 'administrators.disable',
      danger: true,
      onClick: (users) => ask.setDisabled(users, disabledStatus.yes),
    },
  ];

  return (
    <>
      <ListPage
        title="administrators.title"
        list={api.administrators.inquire}
        columns={administratorColumns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="administrators.title"
        actions={
          <>
            <Allowed node="administrators.refresh">
              <Button icon={<ReloadOutlined />} onClick={() => void ask.forceRefreshAll()}>
                {t('user_list.refresh_all')}
              </Button>
            </Allowed>
            <Allowed node="administrators.add">
              <Button type="primary" icon={<PlusOutlined />} onClick={() => setDialog({ kind: 'add' })}>
                {t('administrators.add')}
              </Button>
            </Allowed>
          </>
        }
        rowActions={rowActions}
        batchActions={batchActions}
      />
      {dialog?.kind === 'add' && <AddAdministrator onClose={close} />}
      {dialog?.kind === 'update' && <UpdateAdministrator user={dialog.user} onClose={close} />}
      {dialog?.kind === 'password' && <PasswordResetDialog group="administrators" user={dialog.user} onClose={close} />}
    </>
  );
}

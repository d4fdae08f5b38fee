import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useSealed } from '../kit/calls/useSealed.ts';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton } from '../kit/dialogs/removal.tsx';
import { type Filter, ListPage, type RowAction } from '../kit/ListPage.tsx';
import { PasswordResetDialog } from './PasswordResetDialog.tsx';
import { administratorColumns } from './people.columns.tsx';
import {
  administratorRoles,
  credentialFields,
  disabledOptions,
  onlineOptions,
  profileFields,
  roleField,
  statusOptions,
} from './people.fields.tsx';
import { ofPresent, usePeopleActions } from './usePeopleActions.tsx';

type FilterKey = 'search' | 'role_id' | 'disabled' | 'online_status' | 'status' | 'created_from' | 'created_to';
const filters: Filter<FilterKey>[] = [
  { kind: 'text', key: 'search', label: 'user_list.search', placeholder: 'user_list.search_placeholder' },
  { kind: 'remote', key: 'role_id', label: 'user_list.role', source: administratorRoles },
  { kind: 'select', key: 'disabled', label: 'user_list.state', options: disabledOptions },
  { kind: 'select', key: 'online_status', label: 'user_list.online', options: onlineOptions },
  { kind: 'select', key: 'status', label: 'user_list.removal.filter', options: statusOptions, more: true },
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
      submit="common.save"
      initial={{ name: user.name, phone: user.phone, remark: user.remark, ...(isOneself ? {} : { role_id: user.role_id }) }}
      toInput={(values) => ({ ...values, id: user.id })}
      // Nobody changes his own role: he could lock himself out with one click.
      fields={isOneself ? profileFields : [role, ...profileFields]}
      invalidates={isOneself ? ['admin'] : ['role']}
      onClose={onClose}
    />
  );
}

/** Administrators: their accounts, what role they have, and how to take access away at once. */
export function AdministratorsPage() {
  const { user: oneself } = useSession();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const close = () => setDialog(null);
  const isOther = (user: User) => user.id !== oneself?.id;
  const people = usePeopleActions('administrators', isOther);

  const rowActions: RowAction<User>[] = [
    { key: 'update', label: 'common.edit', node: 'administrators.update', onClick: (user) => setDialog({ kind: 'update', user }) },
    {
      key: 'password',
      label: 'menu.button.password',
      node: 'administrators.password',
      visible: isOther,
      onClick: (user) => setDialog({ kind: 'password', user }),
    },
  ];

  return (
    <>
      <ListPage
        title="menu.administrators"
        list={api.administrators.inquire}
        columns={administratorColumns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.administrators"
        actions={
          <>
            {people.refreshAllButton}
            <AddButton node="administrators.add" label="administrators.add" onClick={() => setDialog({ kind: 'add' })} />
          </>
        }
        rowActions={[...ofPresent(rowActions), ...people.row]}
        batchActions={people.batch}
      />
      {people.dialog}
      {dialog?.kind === 'add' && <AddAdministrator onClose={close} />}
      {dialog?.kind === 'update' && <UpdateAdministrator user={dialog.user} onClose={close} />}
      {dialog?.kind === 'password' && <PasswordResetDialog group="administrators" user={dialog.user} onClose={close} />}
    </>
  );
}

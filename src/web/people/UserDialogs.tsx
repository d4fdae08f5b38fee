import { useTranslation } from 'react-i18next';
import { balanceEdits } from '../../contract/money/ledger.ts';
import type { User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useSealed } from '../kit/calls/useSealed.ts';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { shownAmount } from '../kit/feedback.ts';
import type { DialogState } from '../kit/useDialog.ts';
import { PasswordResetDialog } from './PasswordResetDialog.tsx';
import {
  allRoles,
  credentialFields,
  customerRoles,
  expiryField,
  profileFields,
  ratioField,
  roleField,
  superiorField,
} from './people.fields.tsx';

/** Dialogs about one user, or about the selected ones. */
export type UserDialog =
  | { kind: 'add' }
  | { kind: 'update' | 'superior' | 'invitation' | 'password' | 'balance'; user: User }
  | { kind: 'role' | 'ratio' | 'expiry' | 'gift' | 'message'; users: readonly User[] };

type DialogProps = { onClose: () => void };
type AboutUser = DialogProps & { user: User };
/** `onDone` clears the selection the dialog was opened for. */
type AboutUsers = DialogProps & { users: readonly User[]; onDone: () => void };

const idsOf = (users: readonly User[]) => users.map((user) => user.id);

/** What all of these users have; undefined where they differ. */
const shared = <K extends keyof User>(users: readonly User[], key: K): User[K] | undefined =>
  users.every((user) => user[key] === users[0]?.[key]) ? users[0]?.[key] : undefined;

/** The title of a dialog names its user, or tells the number of users. */
function useTitle() {
  const { t } = useTranslation();
  return (act: string, users: readonly User[]) => {
    const who = users.length === 1 ? (users[0]?.account ?? '') : t('user_list.people', { number: users.length });
    return t('user_list.dialog_title', { act: t(act), who });
  };
}

export function UserDialogs({ dialogs: { present: dialog, done: onDone, close: onClose } }: { dialogs: DialogState<UserDialog> }) {
  switch (dialog?.kind) {
    case undefined:
      return null;
    case 'add':
      return <AddUser onClose={onClose} />;
    case 'update':
      return <UpdateUser user={dialog.user} onClose={onClose} />;
    case 'superior':
      return <SuperiorDialog user={dialog.user} onClose={onClose} />;
    case 'invitation':
      return <InvitationDialog user={dialog.user} onClose={onClose} />;
    case 'balance':
      return <BalanceDialog user={dialog.user} onClose={onClose} />;
    case 'password':
      return <PasswordResetDialog group="user_list" user={dialog.user} onClose={onClose} />;
    case 'role':
      return <RoleDialog users={dialog.users} onClose={onClose} onDone={onDone} />;
    case 'ratio':
      return <RatioDialog users={dialog.users} onClose={onClose} onDone={onDone} />;
    case 'gift':
      return <GiftDialog users={dialog.users} onClose={onClose} onDone={onDone} />;
    case 'expiry':
      return <ExpiryDialog users={dialog.users} onClose={onClose} onDone={onDone} />;
    case 'message':
      return <MessageDialog users={dialog.users} onClose={onClose} onDone={onDone} />;
  }
}

function AddUser({ onClose }: DialogProps) {
  return (
    <FormModal
      action={useSealed(api.user_list.add, ['password'])}
      title="user_list.add"
      submit="user_list.add"
      fields={[
        ...credentialFields,
        ...profileFields.slice(0, 2),
        { ...roleField(customerRoles), help: 'user_list.role_help' },
        superiorField(),
        ratioField,
        expiryField,
        ...profileFields.slice(2),
      ]}
      onClose={onClose}
    />
  );
}

function UpdateUser({ user, onClose }: AboutUser) {
  const title = useTitle();
  return (
    <FormModal
      action={api.user_list.update}
      title={title('user_list.update', [user])}
      submit="common.save"
      initial={{ name: user.name, phone: user.phone, remark: user.remark }}
      toInput={(values) => ({ ...values, id: user.id })}
      fields={profileFields}
      onClose={onClose}
    />
  );
}

function SuperiorDialog({ user, onClose }: AboutUser) {
  const title = useTitle();
  return (
    <FormModal
      action={api.user_list.update_superior}
      title={title('user_list.change_superior', [user])}
      submit="user_list.change_superior"
      initial={{ superior_id: user.superior_id }}
      toInput={({ superior_id = null }) => ({ superior_id, id: user.id })}
      fields={[superiorField(user)]}
      onClose={onClose}
    />
  );
}

function InvitationDialog({ user, onClose }: AboutUser) {
  const { t } = useTranslation();
  const title = useTitle();
  return (
    <FormModal
      action={api.user_list.update_invitation_code}
      title={title('user_list.change_invitation_code', [user])}
      submit="user_list.change_invitation_code"
      intro={t('user_list.change_invitation_code_intro')}
      initial={{ invitation_code: user.invitation_code }}
      toInput={(values) => ({ ...values, id: user.id })}
      fields={[
        { kind: 'text', name: 'invitation_code', label: 'user_list.invitation_code', help: 'user_list.invitation_code_help', code: true },
      ]}
      onClose={onClose}
    />
  );
}

function BalanceDialog({ user, onClose }: AboutUser) {
  const { t } = useTranslation();
  const title = useTitle();
  return (
    <FormModal
      action={api.user_list.update_balance}
      title={title('menu.button.balance', [user])}
      submit="menu.button.balance"
      intro={t('user_list.balance_intro', { balance: shownAmount(user.balance) })}
      invalidates={['bill']}
      initial={{ kind: 'gift' }}
      toInput={(values) => ({ ...values, id: user.id })}
      fields={[
        {
          kind: 'radio',
          name: 'kind',
          label: 'user_list.balance_kind',
          help: 'user_list.balance_kind_help',
          options: balanceEdits.map((value) => ({ value, label: `user_list.balance_kind_${value}` })),
        },
        { kind: 'text', name: 'amount', label: 'user_list.balance_change', help: 'user_list.balance_change_help' },
        { kind: 'text', name: 'remark', label: 'common.field.remark', help: 'user_list.balance_remark_help' },
      ]}
      onClose={onClose}
    />
  );
}

function RoleDialog({ users, onClose, onDone }: AboutUsers) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const title = useTitle();
  const role_id = shared(users, 'role_id');
  // To make a user an administrator is to add one, and needs the right to.
  const source = allows('administrators.add') ? allRoles : customerRoles;
  return (
    <FormModal
      action={api.user_list.update_role}
      title={title('user_list.change_role', users)}
      submit="user_list.change_role"
      intro={t('user_list.change_role_intro')}
      initial={{ role_id }}
      invalidates={['administrators', 'role']}
      toInput={(values) => ({ ...values, ids: idsOf(users) })}
      fields={[roleField(source, role_id === undefined ? undefined : users[0])]}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

function RatioDialog({ users, onClose, onDone }: AboutUsers) {
  const title = useTitle();
  return (
    <FormModal
      action={api.user_list.update_ratio}
      title={title('user_list.change_ratio', users)}
      submit="user_list.change_ratio"
      initial={{ share_ratio: shared(users, 'share_ratio') }}
      toInput={(values) => ({ ...values, ids: idsOf(users) })}
      fields={[ratioField]}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

/** Days from the end of each membership on, with what is told to those who get them. */
function GiftDialog({ users, onClose, onDone }: AboutUsers) {
  const { t } = useTranslation();
  const title = useTitle();
  return (
    <FormModal
      action={api.member_gift.add}
      title={title('user_list.gift', users)}
      submit="user_list.gift"
      success="user_list.gift_done"
      intro={t('user_list.gift_intro')}
      invalidates={['user_list']}
      initial={{ days: 7 }}
      toInput={(values) => ({ ...values, ids: idsOf(users) })}
      fields={[
        { kind: 'number', name: 'days', label: 'user_list.gift_days', minimum: 1, maximum: 3650 },
        { kind: 'text', name: 'reason', label: 'common.field.reason', help: 'user_list.gift_reason_help' },
      ]}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

function ExpiryDialog({ users, onClose, onDone }: AboutUsers) {
  const title = useTitle();
  return (
    <FormModal
      action={api.user_list.update_expiry}
      title={title('menu.button.expiry', users)}
      submit="menu.button.expiry"
      initial={{ member_expires_at: shared(users, 'member_expires_at') }}
      toInput={({ member_expires_at = null }) => ({ member_expires_at, ids: idsOf(users) })}
      fields={[expiryField]}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

function MessageDialog({ users, onClose, onDone }: AboutUsers) {
  const title = useTitle();
  return (
    <FormModal
      action={api.message_list.send}
      title={title('menu.button.message', users)}
      submit="menu.button.message"
      success="message_list.sent"
      toInput={(values) => ({ ...values, audience: 'users', user_ids: idsOf(users) })}
      fields={[
        { kind: 'text', name: 'title', label: 'common.field.title' },
        { kind: 'textarea', name: 'content', label: 'common.field.content', rows: 5 },
      ]}
      onClose={onClose}
      onDone={onDone}
    />
  );
}

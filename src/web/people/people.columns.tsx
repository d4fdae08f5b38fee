import { useTranslation } from 'react-i18next';
import { disabledStatus, userStatus } from '../../contract/enums.ts';
import type { User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { Amount, Copyable, Status, Time } from '../kit/feedback.ts';
import { frozenStatus } from '../kit/freezing/Frozen.tsx';
import { columnsOf, type KindColumn } from '../kit/list/kinds.tsx';
import { roleCell } from '../kit/texts/roleName.ts';

const disabledLabel = ({ disabled }: User) => (disabled === disabledStatus.yes ? 'common.disabled' : 'common.enabled');

function Soft({ text }: { text: string }) {
  const { t } = useTranslation();
  return <span className="lc-soft">{t(text)}</span>;
}

/** Online or not, and since when: the time of the last call. */
function Online({ user }: { user: User }) {
  if (user.online_status === null) return <span className="lc-soft">–</span>;
  const isOnline = user.online_status === 2;
  return (
    <>
      <Status kind={isOnline ? 'success' : 'neutral'} label={`user_list.online_${user.online_status}`} />
      {!isOnline && user.online_status_at && (
        <span className="lc-soft">
          {' · '}
          <Time value={user.online_status_at} />
        </span>
      )}
    </>
  );
}

/** When a membership ends, or that it has. */
export function Expiry({ user }: { user: Pick<User, 'member_expires_at' | 'expired'> }) {
  if (user.member_expires_at === null) return <Soft text="user_list.never_expires" />;
  if (!user.expired) return <Time value={user.member_expires_at} />;
  return (
    <>
      <Status kind="error" label="common.expired" />
      <span className="lc-soft">
        {' · '}
        <Time value={user.member_expires_at} />
      </span>
    </>
  );
}

const removedStatus = (user: User) =>
  user.status === userStatus.removed ? { kind: 'neutral' as const, label: 'user_list.removal.removed' } : null;

/** Columns of both lists of people; administrators have the users' words. */
const common = {
  account: {
    key: 'account',
    kind: 'name',
    title: 'user_list.account',
    width: 180,
    render: (user) => <Copyable value={user.account} maximum={22} />,
  },
  name: { key: 'name', title: 'user_list.name', width: 120 },
  phone: { key: 'phone', title: 'user_list.phone', width: 140 },
  role: { key: 'role_name', title: 'user_list.role', width: 150, card: 'field', ...roleCell },
  disabled: {
    key: 'disabled',
    kind: 'status',
    status: (user) =>
      removedStatus(user) ??
      frozenStatus(user) ?? { kind: user.disabled === disabledStatus.yes ? 'error' : 'success', label: disabledLabel(user) },
    title: 'user_list.state',
    width: 100,
  },
  online: {
    key: 'online_status',
    title: 'user_list.online',
    width: 150,
    card: 'field',
    exportValue: (user) => (user.online_status === null ? null : `user_list.online_${user.online_status}`),
    render: (user) => <Online user={user} />,
  },
  secondFactor: {
    key: 'second_factor',
    kind: 'enabled',
    yes: 'update_password.second_factor.on',
    no: 'update_password.second_factor.off',
    title: 'update_password.second_factor.title',
    width: 110,
    card: undefined,
  },
  loginAt: { key: 'login_at', kind: 'time', title: 'user_list.login_at', width: 130 },
  loginIp: { key: 'login_ip', title: 'user_list.login_ip', width: 150, render: (user) => <Address value={user.login_ip} /> },
  registerIp: { key: 'register_ip', title: 'user_list.register_ip', width: 150, render: (user) => <Address value={user.register_ip} /> },
  createdAt: { key: 'created_at', kind: 'time', title: 'user_list.created_at', width: 130 },
  remark: { key: 'remark', title: 'user_list.remark' },
} as const satisfies Record<string, KindColumn<User>>;

function Address({ value }: { value: string | null }) {
  return value ? <Copyable value={value} /> : <span className="lc-soft">–</span>;
}

export const userColumns = columnsOf(api.user_list.inquire, [
  common.account,
  common.name,
  common.role,
  common.disabled,
  {
    key: 'balance',
    width: 130,
    align: 'right',
    card: 'field',
    render: (user) => <Amount value={user.balance} />,
  },
  { key: 'share_ratio', width: 100, align: 'right', render: (user) => <span className="lc-num">{user.share_ratio} %</span> },
  { key: 'member_expires_at', width: 190, card: 'field', render: (user) => <Expiry user={user} /> },
  common.online,
  {
    key: 'superior_account',
    title: 'user_list.superior',
    width: 130,
    render: (user) => user.superior_account ?? <Soft text="user_list.no_superior" />,
  },
  { key: 'invitation_code', kind: 'copy', width: 130 },
  common.phone,
  { ...common.secondFactor, hiddenByDefault: true },
  common.createdAt,
  { key: 'removed_at', kind: 'time', title: 'user_list.removal.removed_at', width: 130, hiddenByDefault: true },
  common.loginAt,
  { ...common.loginIp, hiddenByDefault: true },
  { ...common.registerIp, hiddenByDefault: true },
  common.remark,
]);

export const administratorColumns = columnsOf(api.administrators.inquire, [
  common.account,
  common.name,
  common.role,
  common.disabled,
  common.online,
  common.phone,
  common.secondFactor,
  common.loginAt,
  common.loginIp,
  common.remark,
  common.createdAt,
]);

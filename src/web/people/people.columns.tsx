import { useTranslation } from 'react-i18next';
import { disabledStatus } from '../../contract/enums.ts';
import type { User } from '../../contract/people/user-list.ts';
import { Copyable, Status, Time } from '../kit/feedback.ts';
import type { Column } from '../kit/ListPage.tsx';

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
      <Status kind="error" label="user_list.expired" />
      <span className="lc-soft">
        {' · '}
        <Time value={user.member_expires_at} />
      </span>
    </>
  );
}

/** USDT: six decimals on the wire, two at least on the screen, none lost. */
export const shownAmount = (amount: string): string => amount.replace(/(\.\d{2}\d*?)0+$/, '$1');

/** Columns of both lists of people. */
export const common = {
  account: {
    key: 'account',
    title: 'user_list.account',
    sortable: true,
    width: 180,
    card: 'title',
    render: (user) => <Copyable value={user.account} maximum={22} />,
  },
  name: { key: 'name', title: 'user_list.name', sortable: true, width: 120 },
  phone: { key: 'phone', title: 'user_list.phone', width: 140 },
  role: { key: 'role_name', title: 'user_list.role', sortable: true, width: 110, card: 'field' },
  disabled: {
    key: 'disabled',
    title: 'user_list.state',
    width: 100,
    card: 'aside',
    exportValue: disabledLabel,
    render: (user) => <Status kind={user.disabled === disabledStatus.yes ? 'error' : 'success'} label={disabledLabel(user)} />,
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
    title: 'user_list.second_factor',
    width: 110,
    exportValue: (user) => (user.second_factor ? 'user_list.second_factor_on' : 'user_list.second_factor_off'),
    render: (user) => (
      <Status
        kind={user.second_factor ? 'success' : 'neutral'}
        label={user.second_factor ? 'user_list.second_factor_on' : 'user_list.second_factor_off'}
      />
    ),
  },
  loginAt: { key: 'login_at', title: 'user_list.login_at', sortable: true, width: 130, render: (user) => <Time value={user.login_at} /> },
  loginIp: { key: 'login_ip', title: 'user_list.login_ip', width: 150, render: (user) => <Address value={user.login_ip} /> },
  registerIp: { key: 'register_ip', title: 'user_list.register_ip', width: 150, render: (user) => <Address value={user.register_ip} /> },
  createdAt: {
    key: 'created_at',
    title: 'user_list.created_at',
    sortable: true,
    width: 130,
    render: (user) => <Time value={user.created_at} />,
  },
  remark: { key: 'remark', title: 'user_list.remark', width: 180 },
} as const satisfies Record<string, Column<User>>;

function Address({ value }: { value: string | null }) {
  return value ? <Copyable value={value} /> : <span className="lc-soft">–</span>;
}

export const userColumns: Column<User>[] = [
  common.account,
  common.name,
  common.role,
  common.disabled,
  {
    key: 'balance',
    title: 'user_list.balance',
    sortable: true,
    align: 'right',
    width: 130,
    card: 'field',
    render: (user) => <span className="lc-num">{shownAmount(user.balance)}</span>,
  },
  {
    key: 'share_ratio',
    title: 'user_list.share_ratio',
    sortable: true,
    align: 'right',
    width: 100,
    render: (user) => <span className="lc-num">{user.share_ratio} %</span>,
  },
  {
    key: 'member_expires_at',
    title: 'user_list.member_expires_at',
    sortable: true,
    width: 190,
    card: 'field',
    render: (user) => <Expiry user={user} />,
  },
  common.online,
  {
    key: 'superior_account',
    title: 'user_list.superior',
    width: 130,
    render: (user) => user.superior_account ?? <Soft text="user_list.no_superior" />,
  },
  {
    key: 'invitation_code',
    title: 'user_list.invitation_code',
    width: 130,
    render: (user) => <Copyable value={user.invitation_code} code />,
  },
  common.phone,
  { ...common.secondFactor, hiddenByDefault: true },
  common.createdAt,
  common.loginAt,
  { ...common.loginIp, hiddenByDefault: true },
  { ...common.registerIp, hiddenByDefault: true },
  common.remark,
];

export const administratorColumns: Column<User>[] = [
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
];

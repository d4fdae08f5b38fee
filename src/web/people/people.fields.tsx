import { InputNumber } from 'antd';
import { disabledStatus, onlineStatuses, type RoleKind, userStatus, yesNo } from '../../contract/enums.ts';
import type { User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import type { FieldData } from '../kit/dialogs/FormModal.tsx';
import { type Option, type RemoteOptions, remoteOptions } from '../kit/options.ts';
import { roleName } from '../kit/texts/roleName.ts';

const rolesOf = (kinds: RoleKind[]): RemoteOptions =>
  remoteOptions(
    api.role.options,
    () => ({ kinds }),
    (role) => ({ value: role.id, label: roleName(role.name) }),
  );
export const customerRoles = rolesOf(['customer', 'agent']);
export const administratorRoles = rolesOf(['super', 'administrator']);
export const allRoles = rolesOf(['super', 'administrator', 'agent', 'customer']);

export const userOptions = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (user) => ({ value: user.id, label: user.name ? `${user.account} (${user.name})` : user.account }),
);

export const disabledOptions: Option[] = yesNo.map((value) => ({
  value,
  label: value === disabledStatus.yes ? 'common.disabled' : 'common.enabled',
}));
/** Of the filter: without it a list holds those that are there. */
export const statusOptions: Option[] = [{ value: userStatus.removed, label: 'user_list.removal.removed' }];
export const onlineOptions: Option[] = onlineStatuses.map((value) => ({ value, label: `user_list.online_${value}` }));

export const credentialFields: FieldData[] = [
  {
    kind: 'text',
    name: 'account',
    label: 'user_list.account',
    help: 'user_list.account_help',
    required: true,
    autoComplete: 'off',
  },
  { kind: 'password', name: 'password', label: 'user_list.password', help: 'user_list.password_help', required: true },
];

export const profileFields: FieldData[] = [
  { kind: 'text', name: 'name', label: 'user_list.name' },
  { kind: 'text', name: 'phone', label: 'user_list.phone' },
  { kind: 'textarea', name: 'remark', label: 'user_list.remark', rows: 2 },
];

export const roleField = (source: RemoteOptions, user?: User): FieldData => ({
  kind: 'remote',
  name: 'role_id',
  label: 'user_list.role',
  source,
  clearable: false,
  known: user ? [{ value: user.role_id, label: roleName(user.role_name) }] : [],
});

/** Per cent with two decimals, which the kit's whole numbers don't hold. */
export const ratioField: FieldData = {
  kind: 'custom',
  name: 'share_ratio',
  label: 'user_list.share_ratio',
  help: 'user_list.share_ratio_help',
  render: ({ id, value, onChange, onBlur }) => (
    <InputNumber
      id={id}
      className="lc-wide"
      min={0}
      max={100}
      precision={2}
      suffix="%"
      value={typeof value === 'number' ? value : null}
      onChange={(next) => onChange?.(next)}
      onBlur={onBlur}
    />
  ),
};

export const expiryField: FieldData = {
  kind: 'time',
  name: 'member_expires_at',
  label: 'user_list.member_expires_at',
  help: 'user_list.member_expires_at_help',
  clearable: true,
};

export const superiorField = (user?: User): FieldData => ({
  kind: 'remote',
  name: 'superior_id',
  label: 'user_list.superior',
  help: 'user_list.superior_help',
  source: userOptions,
  placeholder: 'user_list.no_superior',
  known: user?.superior_id && user.superior_account ? [{ value: user.superior_id, label: user.superior_account }] : [],
});

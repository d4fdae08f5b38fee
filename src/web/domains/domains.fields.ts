import type { Domain } from '../../contract/domains/domain-list.ts';
import { blockStatuses, domainTypes } from '../../contract/enums.ts';
import type { UserInfo } from '../../contract/people/admin.ts';
import { api } from '../kit/calls/api.ts';
import type { FieldData } from '../kit/dialogs/FormModal.tsx';
import { blockLabel } from '../kit/domainStates.tsx';
import { type Option, remoteOptions } from '../kit/options.ts';

export const typeOptions: Option[] = domainTypes.map((type) => ({
  value: type,
  label: `domain_list.type_${type}`,
  help: `domain_list.type_${type}_help`,
}));

export const blockOptions: Option[] = blockStatuses.map((status) => ({ value: status, label: blockLabel({ block_status: status }) }));

export const holderOptions = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (user) => ({ value: user.id, label: user.account }),
);

/** The dialog's fields. An emptied holder is the platform pool, as the contract says of null. */
export function domainFields(user: UserInfo | null, edited?: Domain): FieldData[] {
  const known = [
    ...(user ? [{ value: user.id, label: user.account }] : []),
    ...(edited?.holder_id && edited.holder_account ? [{ value: edited.holder_id, label: edited.holder_account }] : []),
  ];
  return [hostField, ...commonFields(known), registrationField];
}

/** The fields of adding many: a host on each line. */
export const addFields = (user: UserInfo | null): FieldData[] => [
  linesField,
  ...commonFields(user ? [{ value: user.id, label: user.account }] : []),
];

const hostField: FieldData = {
  kind: 'text',
  name: 'host',
  label: 'common.field.host',
  help: 'domain_list.host_help',
  placeholder: 'a.example.com',
  code: true,
};

const registrationField: FieldData = {
  kind: 'time',
  name: 'registration_typed',
  label: 'domain_list.registration_typed',
  help: 'domain_list.registration_typed_help',
  clearable: true,
};

const linesField: FieldData = {
  kind: 'textarea',
  name: 'lines',
  label: 'domain_list.lines',
  help: 'domain_list.lines_help',
  placeholder: 'a.example.com',
  rows: 6,
  code: true,
  required: true,
};

const commonFields = (known: Option[]): FieldData[] => [
  { kind: 'radio', name: 'type', label: 'domain_list.type', options: typeOptions },
  {
    kind: 'remote',
    name: 'holder_id',
    label: 'domain_list.holder',
    help: 'domain_list.holder_help',
    placeholder: 'domain_list.pool',
    source: holderOptions,
    known,
    node: 'domain_list.assign',
  },
  { kind: 'text', name: 'remark', label: 'domain_list.remark' },
];

import { type messageAudiences, messageKinds } from '../../../contract/enums.ts';
import { api } from '../../kit/calls/api.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import type { ControlProps } from '../../kit/form/controls.tsx';
import { remoteOptions } from '../../kit/options.ts';
import { roleName } from '../../kit/texts/roleName.ts';
import { UsersSelect } from './UsersSelect.tsx';

type Audience = (typeof messageAudiences)[number];

const roles = remoteOptions(
  api.role.options,
  () => ({}),
  (role) => ({ value: role.id, label: roleName(role.name) }),
);

const words: FieldData[] = [
  {
    kind: 'radio',
    name: 'kind',
    label: 'common.field.type',
    required: false,
    options: messageKinds.map((kind) => ({ value: kind, label: `message_list.kind_${kind}` })),
  },
  { kind: 'text', name: 'title', label: 'common.field.title' },
  { kind: 'textarea', name: 'content', label: 'common.field.content', help: 'message_list.content_help', rows: 5 },
];

function receiverFields(audiences: readonly Audience[]): FieldData[] {
  return [
    {
      kind: 'radio',
      name: 'audience',
      label: 'message_list.audience',
      required: false,
      options: audiences.map((audience) => ({ value: audience, label: `message_list.audience_${audience}` })),
    },
    {
      kind: 'remote',
      name: 'role_id',
      label: 'message_list.role',
      source: roles,
      required: true,
      visible: (values) => values.audience === 'role',
    },
    {
      kind: 'custom',
      name: 'user_ids',
      label: 'message_list.users',
      required: true,
      visible: (values) => values.audience === 'users',
      render: (control) => <UsersSelect {...(control as ControlProps<number[]>)} />,
    },
  ];
}

/** Writes a site message: to whom one chooses, or to the users given. */
export function SendMessageDialog({ user_ids, onClose }: { user_ids?: number[]; onClose: () => void }) {
  const { allows } = useSession();
  const audiences: Audience[] = [
    'all',
    ...(allows('role') || allows('user_list') || allows('administrators') ? (['role'] as const) : []),
    ...(allows('user_list') || allows('domain_list.assign') ? (['users'] as const) : []),
  ];
  return (
    <FormModal
      action={api.message_list.send}
      title="message_list.send"
      submit="menu.button.send"
      success="message_list.sent"
      initial={user_ids ? { kind: 'info', audience: 'users', user_ids } : { kind: 'info', audience: 'all' }}
      toInput={({ role_id, user_ids: chosen, ...rest }) => ({
        ...rest,
        // What is not chosen yet is sent as nothing, for the contract to ask for it beside the field.
        ...(rest.audience === 'role' ? { role_id: role_id ?? null } : {}),
        ...(rest.audience === 'users' ? { user_ids: chosen ?? [] } : {}),
      })}
      fields={user_ids ? words : [...receiverFields(audiences), ...words]}
      onClose={onClose}
    />
  );
}

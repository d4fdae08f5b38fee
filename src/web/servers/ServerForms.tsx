import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { defaultCommands, type Server, serverAuths } from '../../contract/system/server-list.ts';
import { api } from '../kit/calls/api.ts';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import type { FieldData } from '../kit/form/Fields.tsx';
import { typedOnly } from './inputs.ts';

function fieldsOf(edited: Server | undefined): FieldData[] {
  const isKey = (values: Record<string, unknown>) => values.auth !== 'password';
  const kept = (auth: Server['auth']) => (edited?.auth === auth ? { help: 'server_list.kept_help', required: false } : { required: true });
  return [
    { kind: 'text', name: 'name', label: 'common.field.name' },
    { kind: 'text', name: 'host', label: 'server_list.host', code: true, ...(edited ? { help: 'server_list.host_help' } : {}) },
    { kind: 'number', name: 'port', label: 'server_list.port', minimum: 1, maximum: 65_535 },
    { kind: 'text', name: 'ssh_user', label: 'server_list.ssh_user', code: true },
    {
      kind: 'radio',
      name: 'auth',
      label: 'server_list.auth',
      options: serverAuths.map((value) => ({ value, label: `server_list.auth_${value}` })),
    },
    {
      ...{ kind: 'textarea', name: 'private_key', label: 'server_list.private_key', rows: 4, code: true, visible: isKey },
      ...{ help: 'server_list.private_key_help', ...kept('key') },
    },
    { kind: 'password', name: 'passphrase', label: 'server_list.passphrase', help: 'server_list.passphrase_help', visible: isKey },
    { kind: 'password', name: 'ssh_password', label: 'server_list.ssh_password', visible: (values) => !isKey(values), ...kept('password') },
    ...(['front_command', 'back_command', 'code_command'] as const).map(
      (name): FieldData => ({
        kind: 'textarea',
        name,
        label: `server_list.${name}`,
        rows: 3,
        code: true,
        help: 'server_list.command_help',
      }),
    ),
  ];
}

/** A new server, or a changed one. What opens it is never shown again. */
export function ServerForm({ server, onClose }: { server: Server | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const shared = { fields: fieldsOf(server), invalidates: ['server_list'] as const, onClose };
  if (!server)
    return (
      <ProvedModal
        {...shared}
        action={api.server_list.add}
        title="server_list.add"
        submit="server_list.add"
        success="server_list.added"
        initial={{ port: 22, auth: 'key', ...defaultCommands }}
        toInput={typedOnly}
      />
    );
  const { id, name, host, port, ssh_user, auth, front_command, back_command, code_command } = server;
  return (
    <ProvedModal
      {...shared}
      action={api.server_list.update}
      title={t('server_list.edit', { name })}
      submit="common.save"
      success="server_list.saved"
      initial={{ name, host, port, ssh_user, auth, front_command, back_command, code_command }}
      toInput={(values) => ({ ...typedOnly(values), id })}
    />
  );
}

/** Trusts the key that the host shows now, which the administrator compared. */
export function AcceptKey({ server, onClose }: { server: Server; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ProvedModal
      action={api.server_list.pin}
      title={t('server_list.accept_title', { name: server.name })}
      submit="server_list.accept"
      danger
      success="server_list.accepted"
      intro={
        <>
          <Alert type="warning" showIcon title={t('server_list.accept_warning')} />
          <dl className="lc-server-keys">
            <dt>{t('server_list.pinned_key')}</dt>
            <dd className="lc-code">{server.host_key}</dd>
            <dt>{t('server_list.offered_key')}</dt>
            <dd className="lc-code">{server.offered_key}</dd>
          </dl>
          <p className="lc-soft">{t('server_list.compare_help')}</p>
        </>
      }
      toInput={(values) => ({ ...values, id: server.id, host_key: server.offered_key ?? '' })}
      onClose={onClose}
    />
  );
}

export function RemoveServer({ server, onClose }: { server: Server; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ProvedModal
      action={api.server_list.remove}
      title={t('server_list.remove_title', { name: server.name })}
      submit="common.remove"
      danger
      success="server_list.removed"
      intro={
        <>
          <p>{t('server_list.remove_content')}</p>
          {server.schedules > 0 && <p>{t('script_schedule.uses', { number: server.schedules })}</p>}
        </>
      }
      invalidates={['script_schedule']}
      toInput={(values) => ({ ...values, id: server.id })}
      onClose={onClose}
    />
  );
}

import { Alert, Button, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mailSecurities, type shieldPush } from '../../contract/detection/shield-push.ts';
import type { InputOf, OutputOf } from '../../contract/kit/call.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { useFormContext } from '../kit/form/ContractForm.tsx';

type Calls = (typeof shieldPush)['calls'];
type TestInput = InputOf<Calls['test_mail_server']>;

/** Sends a mail by what stands in the form, before it is saved. */
function TryMail() {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const [to, setTo] = useState('');
  const [result, setResult] = useState<OutputOf<Calls['test_mail_server']> | null>(null);
  const test = useAction(api.shield_push.test_mail_server, { success: false });

  async function run() {
    setResult(null);
    const { password, ...typed } = form.getFieldsValue(true) as TestInput;
    const input = { ...typed, username: typed.username ?? '', from_name: typed.from_name ?? '', ...(password ? { password } : {}), to };
    setResult((await test.run(input)) ?? null);
  }

  return (
    <div className="lc-field-wide lc-push-try">
      <Input
        aria-label={t('shield_push.test_to')}
        placeholder={t('shield_push.test_to')}
        value={to}
        onChange={(event) => setTo(event.target.value)}
      />
      <Button loading={test.isRunning} disabled={to.trim() === ''} onClick={() => void run()}>
        {t('shield_push.test_channel')}
      </Button>
      <div role="status">
        {result && (
          <Alert
            type={result.error === null ? 'success' : 'error'}
            showIcon
            title={result.error === null ? `${t('shield_push.test_arrived')} · ${result.duration_ms} ms` : t('shield_push.test_failed')}
            description={<span className="lc-code">{result.error ?? result.answer}</span>}
          />
        )}
      </div>
    </div>
  );
}

/** By which server mails are sent. */
function MailServerForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { data } = useCall(api.shield_push.mail_server, {}, { gcTime: 0 });
  const confirm = useConfirm();
  const remove = useAction(api.shield_push.remove_mail_server, { success: 'shield_push.mail_removed', onSuccess: onClose });
  if (!data) return null;
  const { server } = data;
  const {
    has_password,
    updated_at: _updated,
    ...known
  } = server ?? {
    has_password: false,
    updated_at: '',
    host: '',
    port: 465,
    security: 'tls',
    username: '',
    from_address: '',
    from_name: '',
  };

  async function askRemove() {
    const agreed = await confirm({
      title: 'shield_push.remove_mail_title',
      content: 'shield_push.remove_mail_content',
      confirm: 'common.remove',
      danger: true,
    });
    if (agreed) await remove.run({});
  }

  return (
    <FormModal
      action={api.shield_push.update_mail_server}
      title="shield_push.mail"
      submit="common.save"
      success="shield_push.mail_saved"
      initial={known}
      toInput={({ password, ...values }) => ({ ...values, ...(password ? { password } : {}) })}
      intro={t('shield_push.mail_intro')}
      onClose={onClose}
      fields={[
        { kind: 'text', name: 'host', label: 'shield_push.host', placeholder: 'smtp.example.com' },
        { kind: 'number', name: 'port', label: 'shield_push.port', minimum: 1, maximum: 65_535 },
        {
          kind: 'select',
          name: 'security',
          label: 'shield_push.security',
          options: mailSecurities.map((value) => ({ value, label: `shield_push.security_${value}` })),
        },
        { kind: 'text', name: 'username', label: 'shield_push.username', help: 'shield_push.username_help', required: false },
        {
          kind: 'password',
          name: 'password',
          label: 'common.field.password',
          required: false,
          ...(has_password ? { help: 'shield_push.keep_help' } : {}),
        },
        { kind: 'text', name: 'from_address', label: 'shield_push.from_address', placeholder: 'office@example.com' },
        { kind: 'text', name: 'from_name', label: 'shield_push.from_name', required: false },
      ]}
    >
      <TryMail />
      {server && (
        <Button danger loading={remove.isRunning} onClick={() => void askRemove()}>
          {t('shield_push.remove_mail')}
        </Button>
      )}
    </FormModal>
  );
}

/** The button of super administrators that opens it. */
export function MailServerButton() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { data } = useCall(api.shield_push.choices, {});
  const [isOpen, setIsOpen] = useState(false);
  if (!data?.may_set_mail_server || !allows('configuration.update')) return null;
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('shield_push.mail')}</Button>
      {isOpen && <MailServerForm onClose={() => setIsOpen(false)} />}
    </>
  );
}

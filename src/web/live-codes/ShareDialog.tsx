import { CopyOutlined, ExportOutlined, ReloadOutlined } from '@ant-design/icons';
import { Alert, App, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../contract/codes/live-code.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { ContractForm, type ContractFormState, Field, useContractForm } from '../kit/dialogs/FormModal.tsx';
import { copyText } from '../kit/feedback/Copyable.tsx';
import { Copyable, Status } from '../kit/feedback.ts';
import { generatePassword } from './password.ts';

/** The address of the share page; with the password in it, whoever has the link sees the statistics. */
const shareLink = (code: Pick<LiveCode, 'share_url'>, password: string | null): string =>
  `${location.origin}${code.share_url}${password === null ? '' : `&password=${encodeURIComponent(password)}`}`;

/** Sets, replaces and removes the password of the share page, and hands out its link. */
export function ShareDialog({ code, onClose }: { code: LiveCode; onClose: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const mayUpdate = useSession().allows('qr_code_list.share');
  const confirm = useConfirm();
  const [hasPassword, setHasPassword] = useState(code.has_password);
  const [password, setPassword] = useState<string | null>(null);
  const remove = useAction(api.qr_code_list.update_password, { success: 'qr_code_list.share.removed' });
  const form = useContractForm(api.qr_code_list.update_password, {
    initial: { password: generatePassword() },
    toInput: (values) => ({ id: code.id, password: values.password ?? '' }),
    success: 'qr_code_list.share.saved',
    onDone() {
      setPassword(String(form.form.getFieldValue('password')));
      setHasPassword(true);
    },
  });

  async function askToRemove() {
    const options = {
      title: 'qr_code_list.share.remove_title',
      content: 'qr_code_list.share.remove_content',
      confirm: 'qr_code_list.share.remove',
    };
    await confirm({
      ...options,
      danger: true,
      run: async () => {
        if (!(await remove.run({ id: code.id, password: null }))) return;
        setHasPassword(false);
        setPassword(null);
      },
    });
  }

  const link = shareLink(code, password);
  async function copyLink() {
    try {
      await copyText(link);
      void message.success(t('common.copied'));
    } catch {
      void message.error(t('common.copy_failed'));
    }
  }

  const footer = (
    <div className="lc-form-footer">
      <Button danger type="text" onClick={() => void askToRemove()}>
        {t('qr_code_list.share.remove')}
      </Button>
      {password !== null && (
        <>
          <Button icon={<ExportOutlined />} href={link} target="_blank" rel="noopener">
            {t('qr_code_list.share.open')}
          </Button>
          <Button type="primary" icon={<CopyOutlined />} onClick={() => void copyLink()}>
            {t('qr_code_list.actions.copy_link')}
          </Button>
        </>
      )}
    </div>
  );
  return (
    <Modal
      open
      title={t('qr_code_list.actions.share')}
      width="min(96%, 520px)"
      onCancel={onClose}
      footer={hasPassword && mayUpdate ? footer : null}
    >
      <div className="code-share">
        <p className="lc-soft">{t('qr_code_list.share.help')}</p>
        {password !== null ? (
          <Alert
            className="code-alert"
            type="success"
            title={t('qr_code_list.share.ready')}
            description={
              <>
                <Copyable value={link} maximum={52} />
                <p className="lc-soft">{t('qr_code_list.share.once')}</p>
              </>
            }
          />
        ) : (
          <>
            <Status
              kind={hasPassword ? 'success' : 'neutral'}
              label={hasPassword ? 'qr_code_list.share.has_password' : 'qr_code_list.share.no_password'}
            />
            {mayUpdate && <PasswordForm form={form} hasPassword={hasPassword} />}
          </>
        )}
      </div>
    </Modal>
  );
}

/** A password to be set: a random one is offered, another may be typed. */
function PasswordForm({ form, hasPassword }: { form: ContractFormState; hasPassword: boolean }) {
  const { t } = useTranslation();
  return (
    <ContractForm form={form}>
      <div className="code-share-password">
        <Field
          name="password"
          label={hasPassword ? 'set_qr_code.password.replace' : 'set_qr_code.password.set'}
          help={hasPassword ? 'qr_code_list.share.replace_help' : 'qr_code_list.share.set_help'}
          kind="text"
          code
        />
        <Button
          className="code-share-button"
          icon={<ReloadOutlined />}
          aria-label={t('qr_code_list.share.generate')}
          title={t('qr_code_list.share.generate')}
          onClick={() => form.form.setFieldValue('password', generatePassword())}
        />
        <Button className="code-share-button" type="primary" loading={form.isRunning} onClick={() => void form.submit()}>
          {t(hasPassword ? 'qr_code_list.share.replace' : 'qr_code_list.share.set')}
        </Button>
      </div>
    </ContractForm>
  );
}

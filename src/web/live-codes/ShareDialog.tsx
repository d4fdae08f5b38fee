import { CopyOutlined, ExportOutlined, ReloadOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../contract/codes/live-code.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { ContractForm, type ContractFormState, Field, useContractForm } from '../kit/dialogs/FormModal.tsx';
import { Copyable, Status, useCopy } from '../kit/feedback.ts';
import { generatePassword } from './password.ts';
import { ShareBounds } from './ShareBounds.tsx';

/** The address of the share page; with the password in it, a reader of the link sees the statistics. */
const shareLink = (code: Pick<LiveCode, 'share_url'>, password: string | null): string =>
  `${location.origin}${code.share_url}${password === null ? '' : `&password=${encodeURIComponent(password)}`}`;

/** Sets, replaces and removes the password of the share page, and hands out its link. */
export function ShareDialog({ code, onClose }: { code: LiveCode; onClose: () => void }) {
  const { t } = useTranslation();
  const copy = useCopy();
  const { allows } = useSession();
  const mayUpdate = allows('qr_code_list.share') || allows('qr_code_list_admin.update');
  const [hasPassword, setHasPassword] = useState(code.has_password);
  const [password, setPassword] = useState<string | null>(null);
  const form = useContractForm(api.qr_code_list.update_password, {
    initial: { password: generatePassword() },
    toInput: (values) => ({ id: code.id, password: values.password ?? '' }),
    // What is said is that the link was copied, and below what it is.
    success: false,
    onDone() {
      const given = String(form.form.getFieldValue('password'));
      setPassword(given);
      setHasPassword(true);
      void copy(shareLink(code, given));
    },
  });

  const link = shareLink(code, password);
  const footer = (
    <Acts
      code={code}
      link={password === null ? null : link}
      onRemoved={() => {
        setHasPassword(false);
        setPassword(null);
      }}
    />
  );
  return (
    <Modal open title={t('qr_code_list.actions.share')} onCancel={onClose} footer={hasPassword && mayUpdate ? footer : null}>
      <div className="lc-code-share">
        <p className="lc-soft">{t('qr_code_list.share.help')}</p>
        {password !== null ? (
          <Alert
            className="lc-code-alert"
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
        {hasPassword && mayUpdate && <ShareBounds id={code.id} />}
      </div>
    </Modal>
  );
}

type ActsProps = {
  code: LiveCode;
  /** With the password, which is known only where it was just set. */
  link: string | null;
  onRemoved: () => void;
};

/** Ends the sharing, opens the page and copies its link. */
function Acts({ code, link, onRemoved }: ActsProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  const confirm = useConfirm();
  const remove = useAction(api.qr_code_list.update_password, { success: 'qr_code_list.share.removed' });
  const askToRemove = () =>
    confirm({
      title: 'qr_code_list.share.remove_title',
      content: 'qr_code_list.share.remove_content',
      confirm: 'qr_code_list.share.remove',
      danger: true,
      run: async () => {
        if (await remove.run({ id: code.id, password: null })) onRemoved();
      },
    });
  return (
    <div className="lc-form-footer">
      <Button danger type="text" onClick={() => void askToRemove()}>
        {t('qr_code_list.share.remove')}
      </Button>
      {link !== null && (
        <>
          <Button icon={<ExportOutlined />} href={link} target="_blank" rel="noopener">
            {t('qr_code_list.share.open')}
          </Button>
          <Button type="primary" icon={<CopyOutlined />} onClick={() => void copy(link)}>
            {t('qr_code_list.actions.copy_link')}
          </Button>
        </>
      )}
    </div>
  );
}

/** A password to be set: a random one is offered, another may be typed. */
function PasswordForm({ form, hasPassword }: { form: ContractFormState; hasPassword: boolean }) {
  const { t } = useTranslation();
  return (
    <ContractForm form={form} entersSend>
      <div className="lc-code-share-password">
        <Field
          name="password"
          label={hasPassword ? 'set_qr_code.password.replace' : 'set_qr_code.password.set'}
          help={hasPassword ? 'qr_code_list.share.replace_help' : 'qr_code_list.share.set_help'}
          kind="text"
          code
        />
        <Button
          className="lc-code-share-button"
          icon={<ReloadOutlined />}
          aria-label={t('qr_code_list.share.generate')}
          title={t('qr_code_list.share.generate')}
          onClick={() => form.form.setFieldValue('password', generatePassword())}
        />
        <Button className="lc-code-share-button" type="primary" loading={form.isRunning} onClick={() => void form.submit()}>
          {t(hasPassword ? 'qr_code_list.share.replace' : 'qr_code_list.share.set')}
        </Button>
      </div>
    </ContractForm>
  );
}

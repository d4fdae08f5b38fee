import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useSealed } from '../../kit/calls/useSealed.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Failure, Status, Time } from '../../kit/feedback.ts';
import { CodeField } from './CodeField.tsx';
import { Enrolment } from './Enrolment.tsx';
import { PasswordField } from './PasswordField.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';

type Open = 'enrol' | 'renew' | 'disable' | null;
const fewCodes = 3;

/** The own second factor: whether it is on, and what one may do about it. */
export function SecondFactorPanel() {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { data, error, refetch } = useCall(api.update_password.second_factor, {});
  const close = () => setOpen(null);
  function show(recovery_codes: readonly string[]) {
    setOpen(null);
    setCodes(recovery_codes);
  }
  const renew = useSealed(api.update_password.renew_recovery_codes, ['password']);
  const disable = useSealed(api.update_password.disable_second_factor, ['password']);

  if (!data && error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 2 }} />;
  const state = data.enabled ? 'update_password.second_factor.on' : 'update_password.second_factor.off';
  return (
    <>
      <dl className="lc-security-facts">
        <dt>{t('update_password.second_factor.state')}</dt>
        <dd>
          <Status kind={data.enabled ? 'success' : data.mandatory ? 'error' : 'neutral'} label={state} />
          {data.mandatory && <span className="lc-soft"> · {t('update_password.second_factor.mandatory')}</span>}
        </dd>
        {data.enabled && (
          <>
            <dt>{t('update_password.second_factor.since')}</dt>
            <dd>
              <Time value={data.confirmed_at} />
            </dd>
            <dt>{t('update_password.recovery.title')}</dt>
            <dd>
              <Status
                kind={data.recovery_codes_left > fewCodes ? 'neutral' : 'warning'}
                label={t('update_password.recovery.left', { number: data.recovery_codes_left })}
              />
            </dd>
          </>
        )}
      </dl>
      <div className="lc-security-actions">
        {data.enabled ? (
          <>
            <Button onClick={() => setOpen('renew')}>{t('update_password.recovery.renew')}</Button>
            <Button onClick={() => setOpen('enrol')}>{t('update_password.second_factor.replace')}</Button>
            {!data.mandatory && (
              <Button danger onClick={() => setOpen('disable')}>
                {t('update_password.second_factor.disable')}
              </Button>
            )}
          </>
        ) : (
          <Button type="primary" onClick={() => setOpen('enrol')}>
            {t('update_password.second_factor.enable')}
          </Button>
        )}
      </div>
      <Modal
        open={open === 'enrol'}
        onCancel={close}
        footer={null}
        centered
        destroyOnHidden
        mask={{ closable: false }}
        width={460}
        title={t(data.enabled ? 'update_password.second_factor.replace' : 'update_password.second_factor.enable')}
      >
        <Enrolment proof={data.enabled ? 'password_and_code' : 'password'} onRecoveryCodes={show} />
      </Modal>
      {open === 'renew' && (
        <FormModal
          action={renew}
          title="update_password.recovery.renew"
          submit="update_password.recovery.renew"
          intro={t('update_password.recovery.renew_help')}
          success={false}
          onDone={({ recovery_codes }) => setCodes(recovery_codes)}
          onClose={close}
        >
          <PasswordField />
          <CodeField />
        </FormModal>
      )}
      {open === 'disable' && (
        <FormModal
          action={disable}
          title="update_password.second_factor.disable"
          submit="update_password.second_factor.disable"
          intro={t('update_password.second_factor.disable_help')}
          success="update_password.second_factor.switched_off"
          onClose={close}
        >
          <PasswordField />
          <CodeField />
        </FormModal>
      )}
      <Modal
        open={codes !== null && open === null}
        closable={false}
        footer={null}
        centered
        width={460}
        title={t('update_password.recovery.title')}
      >
        {codes && <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />}
      </Modal>
    </>
  );
}

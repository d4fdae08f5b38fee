import { Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { updatePassword } from '../../../contract/people/update-password.ts';
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

type SecondFactor = OutputOf<(typeof updatePassword)['calls']['second_factor']>;
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

  if (!data && error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} paragraph={{ rows: 2 }} />;
  return (
    <>
      <Facts factor={data} />
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
      {open === 'renew' && <RenewCodes onRenewed={setCodes} onClose={close} />}
      {open === 'disable' && <DisableSecondFactor onClose={close} />}
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

/** Whether it is on, since when, and how many recovery codes are left. */
function Facts({ factor: { enabled, mandatory, confirmed_at, recovery_codes_left } }: { factor: SecondFactor }) {
  const { t } = useTranslation();
  const state = enabled ? 'update_password.second_factor.on' : 'update_password.second_factor.off';
  return (
    <dl className="lc-security-facts">
      <dt>{t('common.field.state')}</dt>
      <dd>
        <Status kind={enabled ? 'success' : mandatory ? 'error' : 'neutral'} label={state} />
        {mandatory && <span className="lc-soft"> · {t('update_password.second_factor.mandatory')}</span>}
      </dd>
      {enabled && (
        <>
          <dt>{t('update_password.second_factor.since')}</dt>
          <dd>
            <Time value={confirmed_at} />
          </dd>
          <dt>{t('update_password.recovery.title')}</dt>
          <dd>
            <Status
              kind={recovery_codes_left > fewCodes ? 'neutral' : 'warning'}
              label={t('update_password.recovery.left', { number: recovery_codes_left })}
            />
          </dd>
        </>
      )}
    </dl>
  );
}

type RenewCodesProps = { onRenewed: (codes: readonly string[]) => void; onClose: () => void };

function RenewCodes({ onRenewed, onClose }: RenewCodesProps) {
  const { t } = useTranslation();
  return (
    <FormModal
      action={useSealed(api.update_password.renew_recovery_codes, ['password'])}
      title="update_password.recovery.renew"
      submit="update_password.recovery.renew"
      intro={t('update_password.recovery.renew_help')}
      success={false}
      onDone={({ recovery_codes }) => onRenewed(recovery_codes)}
      onClose={onClose}
    >
      <PasswordField />
      <CodeField />
    </FormModal>
  );
}

function DisableSecondFactor({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormModal
      action={useSealed(api.update_password.disable_second_factor, ['password'])}
      title="update_password.second_factor.disable"
      submit="update_password.second_factor.disable"
      intro={t('update_password.second_factor.disable_help')}
      success="update_password.second_factor.switched_off"
      onClose={onClose}
    >
      <PasswordField />
      <CodeField />
    </FormModal>
  );
}

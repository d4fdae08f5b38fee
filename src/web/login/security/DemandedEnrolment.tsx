import { useQueryClient } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../kit/calls/session.tsx';
import { useDocumentTitle } from '../../kit/feedback.ts';
import { LoginFrame } from '../LoginFrame.tsx';
import { Enrolment } from './Enrolment.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import './security.css';

/** All that is open to an administrator without a second factor where the site demands one. */
export function DemandedEnrolment() {
  const { t } = useTranslation();
  const { logOut } = useSession();
  const client = useQueryClient();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  useDocumentTitle(t('update_password.enrol.title'));
  const goOn = () => void client.invalidateQueries({ queryKey: ['admin'] });
  return (
    <LoginFrame title={t('update_password.enrol.title')} help={t('update_password.enrol.demanded')}>
      {codes ? <RecoveryCodes codes={codes} onDone={goOn} /> : <Enrolment proof="none" onRecoveryCodes={setCodes} />}
      <p className="lc-login-other">
        <Button type="link" onClick={() => void logOut()}>
          {t('common.shell.log_out')}
        </Button>
      </p>
    </LoginFrame>
  );
}

import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { deviceTokenOf } from '../kit/calls/deviceTokens.ts';
import { failureDetail, failureTitle } from '../kit/calls/failure.ts';
import { ApiFailure } from '../kit/calls/request.ts';
import { useSession } from '../kit/calls/session.tsx';
import { start } from '../kit/calls/start.ts';
import { useSealed } from '../kit/calls/useSealed.ts';
import { useDocumentTitle } from '../kit/feedback/documentTitle.ts';
import { keepLoginFailures } from '../kit/messages/loginFailures.ts';
import { useSiteTitle } from '../kit/shell/Brand.tsx';
import { useStarted } from '../kit/shell/startFrame.ts';
import { currentLanguage } from '../kit/texts/i18n.ts';
import { type Credentials, CredentialsForm, SecondFactorForm } from './LoginForms.tsx';
import { LoginFrame } from './LoginFrame.tsx';
import { RegisterLink } from './RegisterLink.tsx';

/** Where to go after the login: a path of this app, never an address elsewhere. */
const wayBack = (from: string | null) =>
  from?.startsWith('/') && !from.startsWith('//') && !from.startsWith('/admin_login') ? from : '/customer';

const isLocked = (error: unknown) => error instanceof ApiFailure && error.code === 'login.locked';
const asksForCode = (error: unknown) => error instanceof ApiFailure && error.code === 'login.second_factor_required';

export function LoginPage() {
  const { t } = useTranslation();
  const session = useSession();
  const siteTitle = useSiteTitle();
  const [params] = useSearchParams();
  const [failure, setFailure] = useState<unknown>(null);
  const [isRunning, setIsRunning] = useState(false);
  /** What was typed so far, while the second factor is asked for. */
  const [known, setKnown] = useState<Credentials | null>(null);
  /** What was typed where the account is locked: with a code it may go through. */
  const [locked, setLocked] = useState<Credentials | null>(null);
  const logIn = useSealed(start.login, ['password']);
  const title = t(known ? 'update_password.second_factor.title' : 'login.title');
  useDocumentTitle(title);
  useStarted();
  useWayIn(session.isLoggedIn, wayBack(params.get('from')));

  async function send(credentials: Credentials, code?: string) {
    setFailure(null);
    setIsRunning(true);
    try {
      const account = credentials.account.trim();
      const answer = await logIn({ ...credentials, account, code, device_token: deviceTokenOf(account), language: currentLanguage() });
      keepLoginFailures(answer.failures);
      session.enter(answer);
    } catch (error) {
      setLocked(isLocked(error) ? credentials : null);
      if (asksForCode(error)) setKnown(credentials);
      else setFailure(error);
      setIsRunning(false);
    }
  }

  function startAgain() {
    setKnown(null);
    setLocked(null);
    setFailure(null);
  }

  const codeHelp = locked ? 'login.locked.help' : 'login.second_factor.help';
  const help = known ? t(codeHelp, { account: known.account.trim() }) : t('login.welcome', { site: siteTitle });
  return (
    <LoginFrame title={title} help={help}>
      {failure !== null && (
        <p className="lc-login-failure" role="alert">
          {failureTitle(failure)}
          {failureDetail(failure) !== '' && <small>{failureDetail(failure)}</small>}
        </p>
      )}
      {known ? (
        <SecondFactorForm isRunning={isRunning} onSend={(totp) => void send(known, totp)} onBack={startAgain} />
      ) : (
        <>
          <CredentialsForm isRunning={isRunning || session.isLoggedIn} onSend={(values) => void send(values)} />
          {locked && (
            <button type="button" className="lc-login-button lc-login-quiet" onClick={() => setKnown(locked)}>
              {t('login.locked.use_code')}
            </button>
          )}
          <RegisterLink />
        </>
      )}
    </LoginFrame>
  );
}

/** Leads in as soon as somebody is logged in, in this tab or another; the form stays until the first screen is there. */
function useWayIn(isLoggedIn: boolean, to: string): void {
  const navigate = useNavigate();
  const enter = useEffectEvent(() => void navigate(to, { replace: true }));
  useEffect(() => {
    if (isLoggedIn) enter();
  }, [isLoggedIn]);
}

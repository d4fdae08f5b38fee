import { SafetyCertificateOutlined, UserOutlined } from '@ant-design/icons';
import { Alert, App, Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { ApiFailure, api } from '../kit/calls/api.ts';
import { deviceTokenOf } from '../kit/calls/deviceTokens.ts';
import { failureText } from '../kit/calls/failure.ts';
import { type LoginInfo, useSession } from '../kit/calls/session.tsx';
import { useSealed } from '../kit/calls/useSealed.ts';
import { useDocumentTitle } from '../kit/feedback.ts';
import { useSiteTitle } from '../kit/shell/Brand.tsx';
import { useFormat } from '../kit/texts/format.ts';
import { currentLanguage } from '../kit/texts/i18n.ts';
import { LineInput, PasswordInput } from './inputs.tsx';
import { LoginFrame } from './LoginFrame.tsx';
import { RegisterLink } from './RegisterLink.tsx';

type Credentials = { account: string; password: string };

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
  const tellFailures = useFailureNotice();
  const logIn = useSealed(api.admin.login, ['password']);
  const title = t(known ? 'update_password.second_factor.title' : 'login.title');
  useDocumentTitle(title);
  if (session.isLoggedIn) return <Navigate to={wayBack(params.get('from'))} replace />;

  async function send(credentials: Credentials, code?: string) {
    setFailure(null);
    setIsRunning(true);
    try {
      const account = credentials.account.trim();
      const answer = await logIn({ ...credentials, account, code, device_token: deviceTokenOf(account), language: currentLanguage() });
      tellFailures(answer.failures);
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
      {failure !== null && <Alert type="error" showIcon title={failureText(failure)} role="alert" />}
      {known ? (
        <SecondFactorForm isRunning={isRunning} onSend={(totp) => void send(known, totp)} onBack={startAgain} />
      ) : (
        <>
          <CredentialsForm isRunning={isRunning} onSend={(values) => void send(values)} />
          {locked && (
            <Button type="link" size="large" block onClick={() => setKnown(locked)}>
              {t('login.locked.use_code')}
            </Button>
          )}
          <RegisterLink />
        </>
      )}
    </LoginFrame>
  );
}

/** Says after a login that many others failed before it: the screen that opens is not about it. */
function useFailureNotice() {
  const { notification } = App.useApp();
  const { t } = useTranslation();
  const format = useFormat();
  return (failures: LoginInfo['failures']) => {
    if (!failures) return;
    const { number, addresses, last_at } = failures;
    const time = format.time(last_at);
    notification.warning({
      title: t('login.failures.title', { number }),
      description: t('login.failures.content', { addresses: addresses.join(', '), time }),
      duration: 0,
    });
  };
}

function CredentialsForm({ isRunning, onSend }: { isRunning: boolean; onSend: (values: Credentials) => void }) {
  const { t } = useTranslation();
  return (
    <Form<Credentials> layout="vertical" requiredMark={false} validateTrigger="onSubmit" onFinish={onSend}>
      <Form.Item
        name="account"
        label={t('common.field.account')}
        rules={[{ required: true, whitespace: true, message: t('login.account_required') }]}
      >
        <LineInput prefix={<UserOutlined aria-hidden />} placeholder={t('login.account_placeholder')} autoComplete="username" autoFocus />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('common.field.password')}
        dependencies={['account']}
        rules={[
          { required: true, message: t('login.password_placeholder') },
          ({ getFieldValue }) => ({
            validator: async (_, password?: string) => {
              if (password && password === String(getFieldValue('account') ?? '').trim()) throw new Error(t('login.identical'));
            },
          }),
        ]}
      >
        <PasswordInput placeholder={t('login.password_placeholder')} autoComplete="current-password" />
      </Form.Item>
      <Button type="primary" htmlType="submit" size="large" block loading={isRunning}>
        {t('login.title')}
      </Button>
    </Form>
  );
}

type SecondFactorFormProps = { isRunning: boolean; onSend: (totp: string) => void; onBack: () => void };

/** The code of the app or, where the phone is lost, a recovery code: the server tells them apart. */
function SecondFactorForm({ isRunning, onSend, onBack }: SecondFactorFormProps) {
  const { t } = useTranslation();
  return (
    <Form<{ code: string }> layout="vertical" requiredMark={false} validateTrigger="onSubmit" onFinish={({ code }) => onSend(code.trim())}>
      <Form.Item
        name="code"
        label={t('update_password.enrol.code')}
        extra={t('login.second_factor.code_help')}
        rules={[{ required: true, whitespace: true, message: t('login.second_factor.code_required') }]}
      >
        <LineInput
          prefix={<SafetyCertificateOutlined aria-hidden />}
          placeholder={t('update_password.code_placeholder')}
          autoComplete="one-time-code"
          autoFocus
          maxLength={40}
        />
      </Form.Item>
      <Button type="primary" htmlType="submit" size="large" block loading={isRunning}>
        {t('login.second_factor.submit')}
      </Button>
      <Button type="text" size="large" block disabled={isRunning} onClick={onBack}>
        {t('login.second_factor.back')}
      </Button>
    </Form>
  );
}

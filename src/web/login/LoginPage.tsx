import { LockOutlined, UserOutlined } from '@ant-design/icons';
import { Alert, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { failureText } from '../kit/failure.ts';
import { useDocumentTitle } from '../kit/feedback.ts';
import { useSession } from '../kit/session.tsx';
import { Brand, useSiteTitle } from '../kit/shell/Brand.tsx';
import { LanguageSwitch, ThemeSwitch } from '../kit/shell/switches.tsx';
import { BrandPicture } from './BrandPicture.tsx';
import './login.css';

type Credentials = { account: string; password: string };

/** Where to go after the login: a path of this app, never an address elsewhere. */
const wayBack = (from: string | null) =>
  from?.startsWith('/') && !from.startsWith('//') && !from.startsWith('/admin_login') ? from : '/customer';

export function LoginPage() {
  const { t } = useTranslation();
  const session = useSession();
  const siteTitle = useSiteTitle();
  const [params] = useSearchParams();
  const [failure, setFailure] = useState<unknown>(null);
  const [isRunning, setIsRunning] = useState(false);
  useDocumentTitle(t('login.title'));
  if (session.isLoggedIn) return <Navigate to={wayBack(params.get('from'))} replace />;

  async function send({ account, password }: Credentials) {
    setFailure(null);
    setIsRunning(true);
    try {
      await session.logIn({ account: account.trim(), password });
    } catch (error) {
      setFailure(error);
      setIsRunning(false);
    }
  }

  return (
    <div className="lc-login">
      <section className="lc-login-brand" aria-hidden>
        <Brand />
        <BrandPicture />
        <div>
          <h2>{t('login.promise')}</h2>
          <p>{t('login.promise_help')}</p>
        </div>
      </section>
      <main className="lc-login-main">
        <div className="lc-login-switches">
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
        <div className="lc-login-form">
          <div className="lc-login-phone-brand">
            <Brand />
          </div>
          <h1>{t('login.title')}</h1>
          <p className="lc-soft">{t('login.welcome', { site: siteTitle })}</p>
          {failure !== null && <Alert type="error" showIcon title={failureText(failure)} role="alert" />}
          <Form<Credentials> layout="vertical" requiredMark={false} validateTrigger="onSubmit" onFinish={(values) => void send(values)}>
            <Form.Item
              name="account"
              label={t('login.account')}
              rules={[{ required: true, whitespace: true, message: t('login.account_required') }]}
            >
              <Input
                size="large"
                prefix={<UserOutlined aria-hidden />}
                placeholder={t('login.account_placeholder')}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                autoFocus
                maxLength={64}
              />
            </Form.Item>
            <Form.Item
              name="password"
              label={t('login.password')}
              dependencies={['account']}
              rules={[
                { required: true, message: t('login.password_required') },
                ({ getFieldValue }) => ({
                  validator: async (_, password?: string) => {
                    if (password && password === String(getFieldValue('account') ?? '').trim()) throw new Error(t('login.identical'));
                  },
                }),
              ]}
            >
              <Input.Password
                size="large"
                prefix={<LockOutlined aria-hidden />}
                placeholder={t('login.password_placeholder')}
                autoComplete="current-password"
                maxLength={200}
              />
            </Form.Item>
            <Button type="primary" htmlType="submit" size="large" block loading={isRunning}>
              {t('login.submit')}
            </Button>
          </Form>
        </div>
      </main>
    </div>
  );
}

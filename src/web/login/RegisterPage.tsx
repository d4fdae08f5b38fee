import { GiftOutlined, LockOutlined, UserOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Form, Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router';
import { type Registration, registrationFault } from '../../contract/people/registration.ts';
import { ApiFailure, api } from '../kit/calls/api.ts';
import { failureText, fieldErrorText } from '../kit/calls/failure.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useSealed } from '../kit/calls/useSealed.ts';
import { useDocumentTitle } from '../kit/feedback.ts';
import { useSiteTitle } from '../kit/shell/Brand.tsx';
import { menuSections } from '../kit/shell/menuTree.ts';
import { SiteAwaited } from '../kit/shell/SiteAwaited.tsx';
import { useSite } from '../kit/site.tsx';
import { currentLanguage } from '../kit/texts/i18n.ts';
import { invitationCode } from './invitation.ts';
import { LoginFrame } from './LoginFrame.tsx';

type Values = Required<Registration>;
const untouched: Values = { account: '', password: '', repeat: '', code: '' };

export function RegisterPage() {
  const { t } = useTranslation();
  const site = useSite();
  const siteTitle = useSiteTitle();
  const code = useSearchParams()[0].get('code');
  useDocumentTitle(t('admin_register.title'));
  const help = site.admin_register ? t('admin_register.welcome', { site: siteTitle }) : undefined;
  return (
    <LoginFrame title={t('admin_register.title')} help={help}>
      {/* Until the site has answered nobody can say whether registration is on: neither form nor refusal flashes up. */}
      {site.id === 0 ? (
        <SiteAwaited />
      ) : site.admin_register ? (
        <RegisterForm key={code} codeFromAddress={code} />
      ) : (
        <Closed hint={site.no_registration_hint} />
      )}
      <p className="lc-login-other">
        {t('admin_register.have_account')} <Link to="/admin_login">{t('admin_register.log_in')}</Link>
      </p>
    </LoginFrame>
  );
}

function Closed({ hint }: { hint: string }) {
  const { t } = useTranslation();
  return <Alert type="info" showIcon title={t('admin_register.closed')} description={hint || t('admin_register.closed_help')} />;
}

function RegisterForm({ codeFromAddress }: { codeFromAddress: string | null }) {
  const { t } = useTranslation();
  const session = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { allow_invitation_code_edit } = useSite();
  const given = invitationCode(codeFromAddress, allow_invitation_code_edit);
  const [form] = Form.useForm<Values>();
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const register = useSealed(api.admin.register, ['password']);
  // Whoever comes here with a session has nothing to register; the one that this form opens finds its way below.
  if (session.isLoggedIn && !isRunning && failure === null) return <Navigate to="/customer" replace />;

  function show(fields: Record<string, string>): boolean {
    const known = Object.entries(fields).filter(([field]) => field in untouched);
    form.setFields(known.map(([field, words]) => ({ name: field as keyof Values, errors: [words] })));
    const first = known[0]?.[0];
    if (first) form.getFieldInstance(first as keyof Values)?.focus();
    return first !== undefined;
  }

  async function openFirstScreen() {
    const call = { queryKey: ['admin', 'get_token_menu', {}], queryFn: () => api.admin.get_token_menu({}) };
    const { tree_menu_arr } = await client.fetchQuery(call);
    const first = menuSections(tree_menu_arr)[0]?.entries[0];
    if (first) await navigate(first.route, { replace: true });
    else setFailure(t('errors.field.login_err_01'));
  }

  async function send(typed: Values) {
    const values = { ...untouched, ...typed };
    setFailure(null);
    const fault = registrationFault(values);
    if (fault) {
      show({ [fault.field]: fieldErrorText(fault.key) });
      return;
    }
    setIsRunning(true);
    try {
      const { repeat: _repeat, code, ...account } = values;
      session.enter(await register({ ...account, ...(code ? { code } : {}), language: currentLanguage() }));
      await openFirstScreen();
    } catch (error) {
      const fields = error instanceof ApiFailure ? error.fields : {};
      const isShown = show(Object.fromEntries(Object.entries(fields).map(([field, code]) => [field, fieldErrorText(code)])));
      if (!isShown) setFailure(failureText(error));
    }
    setIsRunning(false);
  }

  return (
    <>
      {failure !== null && <Alert type="error" showIcon title={failure} role="alert" />}
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ ...untouched, code: given.code }}
        onFinish={(values) => void send(values)}
        // A fault stands until its field changes; the next one is looked for when the form is sent again.
        onValuesChange={(changed) => form.setFields(Object.keys(changed).map((name) => ({ name: name as keyof Values, errors: [] })))}
      >
        <Form.Item name="account" label={t('admin_register.account')}>
          <Input
            size="large"
            prefix={<UserOutlined aria-hidden />}
            placeholder={t('admin_register.account_placeholder')}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            maxLength={64}
          />
        </Form.Item>
        <Form.Item name="password" label={t('admin_register.password')}>
          <Input.Password
            size="large"
            prefix={<LockOutlined aria-hidden />}
            placeholder={t('admin_register.password_placeholder')}
            autoComplete="new-password"
            maxLength={200}
          />
        </Form.Item>
        <Form.Item name="repeat" label={t('admin_register.repeat')}>
          <Input.Password
            size="large"
            prefix={<LockOutlined aria-hidden />}
            placeholder={t('admin_register.repeat_placeholder')}
            autoComplete="new-password"
            maxLength={200}
          />
        </Form.Item>
        <Form.Item name="code" label={t('admin_register.code')} extra={given.isLocked ? t('admin_register.code_locked') : undefined}>
          <Input
            size="large"
            prefix={<GiftOutlined aria-hidden />}
            placeholder={t('admin_register.code_placeholder')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={given.isLocked}
            maxLength={64}
          />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={isRunning}>
          {t('admin_register.submit')}
        </Button>
      </Form>
    </>
  );
}

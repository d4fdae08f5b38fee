import { GiftOutlined, UserOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { Alert, Button, Form } from 'antd';
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
import { LineInput, PasswordInput } from './inputs.tsx';
import { boundInvitation, forgetInvitation, invitationCode } from './invitation.ts';
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
        {t('admin_register.have_account')} <Link to="/admin_login">{t('common.not_logged_in.log_in')}</Link>
      </p>
    </LoginFrame>
  );
}

function Closed({ hint }: { hint: string }) {
  const { t } = useTranslation();
  return <Alert type="info" showIcon title={t('errors.register.closed')} description={hint || t('admin_register.closed_help')} />;
}

/** Sends a registration and opens the first screen of the new account; `show` puts faults beside their fields and says whether it could. */
function useRegistration(show: (faults: Record<string, string>) => boolean) {
  const { t } = useTranslation();
  const session = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const register = useSealed(api.admin.register, ['password']);

  async function openFirstScreen() {
    const call = { queryKey: ['admin', 'get_token_menu', {}], queryFn: () => api.admin.get_token_menu({}) };
    const { tree_menu_arr } = await client.fetchQuery(call);
    const first = menuSections(tree_menu_arr)[0]?.entries[0];
    if (first) await navigate(first.route, { replace: true });
    else setFailure(t('errors.field.login_err_01'));
  }

  async function send(values: Values) {
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
      forgetInvitation();
      await openFirstScreen();
    } catch (error) {
      const fields = error instanceof ApiFailure ? error.fields : {};
      const isShown = show(Object.fromEntries(Object.entries(fields).map(([field, code]) => [field, fieldErrorText(code)])));
      if (!isShown) setFailure(failureText(error));
    }
    setIsRunning(false);
  }
  // A visitor who has a session has nothing to register; the one that this form opens finds its way by itself.
  return { send, failure, isRunning, isNeedless: session.isLoggedIn && !isRunning && failure === null };
}

function RegisterForm({ codeFromAddress }: { codeFromAddress: string | null }) {
  const { t } = useTranslation();
  const { allow_invitation_code_edit } = useSite();
  const [bound] = useState(() => boundInvitation(codeFromAddress));
  /** The code is nobody's: who came by it must be able to register all the same. */
  const [isRefused, setIsRefused] = useState(false);
  const given = invitationCode(bound, allow_invitation_code_edit || isRefused);
  const isOther = bound !== null && codeFromAddress !== null && bound !== codeFromAddress.trim() && !isRefused;
  const codeNote = isOther ? t('admin_register.code_first') : given.isLocked ? t('admin_register.code_locked') : undefined;
  const [form] = Form.useForm<Values>();
  function show(fields: Record<string, string>): boolean {
    if ('code' in fields) {
      forgetInvitation();
      setIsRefused(true);
    }
    const known = Object.entries(fields).filter(([field]) => field in untouched);
    form.setFields(known.map(([field, words]) => ({ name: field as keyof Values, errors: [words] })));
    const first = known[0]?.[0];
    if (first) form.getFieldInstance(first as keyof Values)?.focus();
    return first !== undefined;
  }

  const { send, failure, isRunning, isNeedless } = useRegistration(show);
  if (isNeedless) return <Navigate to="/customer" replace />;
  return (
    <>
      {failure !== null && <Alert type="error" showIcon title={failure} role="alert" />}
      <Form<Values>
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ ...untouched, code: given.code }}
        onFinish={(values) => void send({ ...untouched, ...values })}
        // A fault stands until its field changes; the next one is looked for when the form is sent again.
        onValuesChange={(changed) => form.setFields(Object.keys(changed).map((name) => ({ name: name as keyof Values, errors: [] })))}
      >
        <Form.Item name="account" label={t('common.field.account')}>
          <LineInput
            prefix={<UserOutlined aria-hidden />}
            placeholder={t('admin_register.account_placeholder')}
            autoComplete="username"
            autoFocus
          />
        </Form.Item>
        <Form.Item name="password" label={t('common.field.password')}>
          <PasswordInput placeholder={t('admin_register.password_placeholder')} autoComplete="new-password" />
        </Form.Item>
        <Form.Item name="repeat" label={t('admin_register.repeat')}>
          <PasswordInput placeholder={t('admin_register.repeat_placeholder')} autoComplete="new-password" />
        </Form.Item>
        <Form.Item name="code" label={t('user_list.invitation_code')} extra={codeNote}>
          <LineInput
            prefix={<GiftOutlined aria-hidden />}
            placeholder={t('admin_register.code_placeholder')}
            autoComplete="off"
            disabled={given.isLocked}
          />
        </Form.Item>
        <Button type="primary" htmlType="submit" size="large" block loading={isRunning}>
          {t('admin_register.title')}
        </Button>
      </Form>
    </>
  );
}

import { type FormEvent, type InputHTMLAttributes, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { plainIcons } from '../kit/look/plainIcons.tsx';
import { loadAhead } from '../kit/shell/startFrame.ts';

export type Credentials = { account: string; password: string };

// The forms of the login are plain elements: whoever only wants in need not load what the screens behind are made of.

type FieldProps = {
  label: string;
  icon: ReactNode;
  error: string | undefined;
  help?: string;
  end?: ReactNode;
} & InputHTMLAttributes<HTMLInputElement>;

function Field({ label, icon, error, help, end, ...input }: FieldProps) {
  const id = useId();
  const element = useRef<HTMLInputElement>(null);
  const isFirst = input.autoFocus;
  useEffect(() => {
    if (isFirst) element.current?.focus();
  }, [isFirst]);
  const notes = [error ? `${id}-error` : '', help ? `${id}-help` : ''].filter(Boolean).join(' ');
  return (
    <div className="lc-login-field">
      <label htmlFor={id}>{label}</label>
      <div className="lc-login-input">
        {icon}
        <input
          id={id}
          ref={element}
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          aria-invalid={error !== undefined}
          aria-describedby={notes || undefined}
          {...input}
        />
        {end}
      </div>
      {error && (
        <p id={`${id}-error`} className="lc-login-error" role="alert">
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="lc-soft">
          {help}
        </p>
      )}
    </div>
  );
}

function PasswordField(props: Omit<FieldProps, 'icon' | 'end' | 'type'>) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const eye = (
    <button
      type="button"
      className="lc-plain-button"
      aria-pressed={isShown}
      aria-label={t('login.show_password')}
      onClick={() => setIsShown(!isShown)}
    >
      {plainIcons.eye}
    </button>
  );
  return <Field {...props} icon={plainIcons.lock} type={isShown ? 'text' : 'password'} maxLength={200} end={eye} />;
}

function SubmitButton({ isRunning, children }: { isRunning: boolean; children: string }) {
  return (
    <button type="submit" className="lc-login-button" disabled={isRunning} aria-busy={isRunning}>
      {isRunning && <span className="lc-login-spinner" aria-hidden />}
      {children}
    </button>
  );
}

export function CredentialsForm({ isRunning, onSend }: { isRunning: boolean; onSend: (values: Credentials) => void }) {
  const { t } = useTranslation();
  const [account, setAccount] = useState('');
  const [password, setPassword] = useState('');
  const [isSent, setIsSent] = useState(false);
  const isIdentical = password !== '' && password === account.trim();
  const accountError = account.trim() === '' ? t('login.account_required') : undefined;
  const passwordError = password === '' ? t('login.password_placeholder') : isIdentical ? t('login.identical') : undefined;

  function send(event: FormEvent) {
    event.preventDefault();
    setIsSent(true);
    if (!accountError && !passwordError && !isRunning) onSend({ account, password });
  }

  return (
    <form className="lc-login-fields" noValidate onSubmit={send} onInput={() => loadAhead()}>
      <Field
        label={t('common.field.account')}
        icon={plainIcons.user}
        error={isSent ? accountError : undefined}
        value={account}
        onChange={(event) => setAccount(event.target.value)}
        placeholder={t('login.account_placeholder')}
        autoComplete="username"
        autoFocus
      />
      <PasswordField
        label={t('common.field.password')}
        error={isSent ? passwordError : undefined}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        placeholder={t('login.password_placeholder')}
        autoComplete="current-password"
      />
      <SubmitButton isRunning={isRunning}>{t('login.title')}</SubmitButton>
    </form>
  );
}

type SecondFactorFormProps = { isRunning: boolean; onSend: (totp: string) => void; onBack: () => void };

/** The code of the app or, where the phone is lost, a recovery code: the server tells them apart. */
export function SecondFactorForm({ isRunning, onSend, onBack }: SecondFactorFormProps) {
  const { t } = useTranslation();
  const [code, setCode] = useState('');
  const [isSent, setIsSent] = useState(false);

  function send(event: FormEvent) {
    event.preventDefault();
    setIsSent(true);
    if (code.trim() !== '' && !isRunning) onSend(code.trim());
  }

  return (
    <form className="lc-login-fields" noValidate onSubmit={send}>
      <Field
        label={t('update_password.enrol.code')}
        icon={plainIcons.shield}
        error={isSent && code.trim() === '' ? t('login.second_factor.code_required') : undefined}
        help={t('login.second_factor.code_help')}
        value={code}
        onChange={(event) => setCode(event.target.value)}
        placeholder={t('update_password.code_placeholder')}
        autoComplete="one-time-code"
        autoFocus
        maxLength={40}
      />
      <SubmitButton isRunning={isRunning}>{t('login.second_factor.submit')}</SubmitButton>
      <button type="button" className="lc-login-button lc-login-quiet" disabled={isRunning} onClick={onBack}>
        {t('login.second_factor.back')}
      </button>
    </form>
  );
}

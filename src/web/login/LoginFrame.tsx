import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Brand } from '../kit/shell/Brand.tsx';
import { LanguageSwitch, ThemeSwitch } from '../kit/shell/switches.tsx';
import { BrandPicture } from './BrandPicture.tsx';
import './login.css';

type LoginFrameProps = { title: string; help?: ReactNode; children: ReactNode };

/** What stands around every form before the back office: the brand at the left, the form at the right, one column on a phone. */
export function LoginFrame({ title, help, children }: LoginFrameProps) {
  const { t } = useTranslation();
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
          <h1>{title}</h1>
          {help && <p className="lc-soft">{help}</p>}
          {children}
        </div>
      </main>
    </div>
  );
}

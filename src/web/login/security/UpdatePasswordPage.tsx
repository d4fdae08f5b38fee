import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { Page } from '../../kit/feedback.ts';
import { PasswordPanel } from './PasswordPanel.tsx';
import { SecondFactorPanel } from './SecondFactorPanel.tsx';
import { SessionsPanel } from './SessionsPanel.tsx';
import './security.css';

function Panel({ title, help, children }: { title: string; help: string; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <section className="lc-panel lc-security-panel">
      <h2>{t(title)}</h2>
      <p className="lc-soft">{t(help)}</p>
      {children}
    </section>
  );
}

/** The own password, second factor and sessions. Who acts as somebody else has no business here. */
export function UpdatePasswordPage() {
  const { t } = useTranslation();
  const { impersonator } = useSession();
  return (
    <Page title="update_password.title">
      {impersonator ? (
        <Alert type="info" showIcon title={t('update_password.acting')} description={t('update_password.acting_help')} />
      ) : (
        <div className="lc-security">
          <div className="lc-security-column">
            <Allowed node="update_password.update">
              <Panel title="update_password.password_title" help="update_password.password_help">
                <PasswordPanel />
              </Panel>
            </Allowed>
            <Panel title="update_password.second_factor.title" help="update_password.second_factor.help">
              <SecondFactorPanel />
            </Panel>
          </div>
          <Panel title="update_password.sessions.title" help="update_password.sessions.help">
            <SessionsPanel />
          </Panel>
        </div>
      )}
    </Page>
  );
}

import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { Page } from '../../kit/feedback.ts';
import { OwnAddressesPanel } from './OwnAddressesPanel.tsx';
import { OwnDevicesPanel } from './OwnDevicesPanel.tsx';
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

/** The own password, second factor, sessions, and what is the own of visits. An administrator acting as another user has no business here. */
export function UpdatePasswordPage() {
  const { t } = useTranslation();
  const { impersonator } = useSession();
  return (
    <Page title="menu.update_password">
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
          <div className="lc-security-column">
            <Panel title="update_password.sessions.title" help="update_password.sessions.help">
              <SessionsPanel />
            </Panel>
            <Panel title="own_device.title" help="own_device.help">
              <OwnDevicesPanel />
            </Panel>
            <Panel title="own_address.title" help="own_address.help">
              <OwnAddressesPanel />
            </Panel>
          </div>
        </div>
      )}
    </Page>
  );
}

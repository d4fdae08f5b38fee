import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import { type SettingKey, settings } from '../../../contract/settings.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { Failure, Page } from '../../kit/feedback.ts';
import { sendsOnCtrlEnter } from './ConfigurationPage.tsx';
import { SettingRow } from './SettingRow.tsx';
import { SettingsBar } from './SettingsBar.tsx';
import { type SettingValues, useSettingsForm } from './useSettingsForm.ts';
import './settings.css';

const sections = [
  { name: 'new_users', keys: ['default_share_ratio', 'online_detection'] },
  { name: 'login', keys: ['login_failure_limit', 'login_failure_minutes'] },
  { name: 'registration', keys: ['admin_register', 'no_registration_hint'] },
] as const satisfies { name: string; keys: SettingKey[] }[];

/** The settings that concern users, on a screen of their own. */
export function SubscriberConfigDefaultPage() {
  const { t } = useTranslation();
  const answer = useCall(api.subscriber_config_default.inquire, {});
  return (
    <Page title="subscriber_config_default.title" help={t('subscriber_config_default.help')}>
      {answer.data ? (
        <Defaults stored={answer.data} />
      ) : answer.isError ? (
        <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />
      ) : (
        <div className="lc-panel">
          <Skeleton active paragraph={{ rows: 8 }} />
        </div>
      )}
    </Page>
  );
}

function Defaults({ stored }: { stored: SettingValues }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const form = useSettingsForm(stored, api.subscriber_config_default.update, {
    toInput: (values) => values as object,
    success: 'subscriber_config_default.saved',
    mayChange: async () => true,
  });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only hears Ctrl-Enter of the controls inside.
    <div className="settings-groups" onKeyDown={sendsOnCtrlEnter(() => void form.save())}>
      {sections.map(({ name, keys }) => (
        <section key={name} className="lc-panel settings-group">
          <h2>{t(`subscriber_config_default.${name}`)}</h2>
          {keys.map((key) => (
            <SettingRow
              key={key}
              settingKey={key}
              form={form}
              mayChange={allows('subscriber_config_default.update')}
              changed={null}
              restore={() => form.set(key, settings[key].default)}
            />
          ))}
        </section>
      ))}
      <SettingsBar form={form} submit="subscriber_config_default.save" />
    </div>
  );
}

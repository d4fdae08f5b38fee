import { SearchOutlined } from '@ant-design/icons';
import { Anchor, Checkbox, Input, Skeleton } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SettingGroup, settingGroups } from '../../../contract/settings.ts';
import type { SettingRow as StoredSetting } from '../../../contract/system/configuration.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Empty, Failure, Page } from '../../kit/feedback.ts';
import { useMedia } from '../../kit/look/media.ts';
import { SettingRow } from './SettingRow.tsx';
import { SettingsBar } from './SettingsBar.tsx';
import { valueText } from './settingKinds.ts';
import { type SettingValues, useSettingsForm } from './useSettingsForm.ts';
import './settings.css';

const sectionId = (group: SettingGroup) => `settings-${group}`;
const scroller = () => document.getElementById('main') ?? window;

/** Sends the form with Ctrl-Enter (⌘-Enter), as every form. */
export const sendsOnCtrlEnter = (send: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  send();
};

/** All settings that the user may see, by group: find, change, restore. */
export function ConfigurationPage() {
  const answer = useCall(api.configuration.inquire, {});
  return (
    <Page title="configuration.title" help={<ConfigurationHelp />}>
      {answer.data ? (
        <Settings rows={answer.data.content} />
      ) : answer.isError ? (
        <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />
      ) : (
        <div className="lc-panel">
          <Skeleton active paragraph={{ rows: 10 }} />
        </div>
      )}
    </Page>
  );
}

function ConfigurationHelp() {
  const { t } = useTranslation();
  return t('configuration.help');
}

function Settings({ rows }: { rows: readonly StoredSetting[] }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const isWide = useMedia('(min-width: 992px)');
  const [search, setSearch] = useState('');
  const [isChangedOnly, setIsChangedOnly] = useState(false);
  const stored: SettingValues = Object.fromEntries(rows.map((row) => [row.key, row.value]));
  const reset = useAction(api.configuration.reset, {
    success: 'configuration.restored',
    invalidates: ['website', 'subscriber_config_default'],
  });
  const form = useSettingsForm(stored, api.configuration.update, {
    toInput: (values) => ({ values: values as Record<string, never> }),
    success: 'configuration.saved',
    mayChange: async (values) =>
      values.maintenance !== true ||
      (await confirm({
        title: 'configuration.maintenance_title',
        content: 'configuration.maintenance_content',
        confirm: 'configuration.maintenance_confirm',
        danger: true,
      })),
  });

  const sought = search.trim().toLowerCase();
  const isSought = (row: StoredSetting) =>
    [row.key, t(`settings.${row.key}.title`), t(`settings.${row.key}.help`)].some((words) => words.toLowerCase().includes(sought));
  const shown = rows.filter((row) => (!isChangedOnly || row.updated_at !== null || form.isEdited(row.key)) && isSought(row));
  const groups = settingGroups.filter((group) => shown.some((row) => row.group === group));

  async function restore(row: StoredSetting) {
    // What nobody has stored yet only goes back on the screen.
    if (row.updated_at === null) return form.set(row.key, row.default);
    const title = t('configuration.restore_title', { name: t(`settings.${row.key}.title`) });
    const content = t('configuration.restore_content', { value: valueText(row.key, row.default, t) });
    if (!(await confirm({ title, content, confirm: 'configuration.restore' }))) return;
    if ((await reset.run({ keys: [row.key] })) !== undefined) await form.reread(row.key);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only hears Ctrl-Enter of the controls inside.
    <div className="settings" onKeyDown={sendsOnCtrlEnter(() => void form.save())}>
      {isWide && (
        <nav className="settings-index" aria-label={t('configuration.index')}>
          <Anchor
            getContainer={scroller}
            offsetTop={76}
            affix={false}
            onClick={(event) => event.preventDefault()}
            items={groups.map((group) => ({ key: group, href: `#${sectionId(group)}`, title: t(`settings.groups.${group}`) }))}
          />
        </nav>
      )}
      <div className="settings-groups">
        <search className="settings-tools">
          <Input
            allowClear
            prefix={<SearchOutlined aria-hidden />}
            placeholder={t('configuration.search')}
            aria-label={t('configuration.search')}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <Checkbox checked={isChangedOnly} onChange={(event) => setIsChangedOnly(event.target.checked)}>
            {t('configuration.changed_only')}
          </Checkbox>
        </search>
        {groups.map((group) => (
          <section key={group} id={sectionId(group)} className="lc-panel settings-group" aria-labelledby={`${sectionId(group)}-title`}>
            <h2 id={`${sectionId(group)}-title`}>{t(`settings.groups.${group}`)}</h2>
            {shown
              .filter((row) => row.group === group)
              .map((row) => (
                <SettingRow
                  key={row.key}
                  settingKey={row.key}
                  form={form}
                  mayChange={allows('configuration.update')}
                  changed={row.updated_at === null ? null : { at: row.updated_at, account: row.updated_by_account }}
                  restore={() => void restore(row)}
                />
              ))}
          </section>
        ))}
        {groups.length === 0 && <Empty picture="search" title="configuration.no_match" help="configuration.no_match_help" />}
        <SettingsBar form={form} submit="configuration.save" />
      </div>
    </div>
  );
}

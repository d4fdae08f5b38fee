import { UndoOutlined } from '@ant-design/icons';
import { Button, Tag, Tooltip } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type SettingKey, settings } from '../../../contract/settings.ts';
import { sameValues } from '../../kit/form/contract.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { SettingControl } from './SettingControl.tsx';
import { valueText } from './settingKinds.ts';
import type { SettingsForm } from './useSettingsForm.ts';

type SettingRowProps = {
  settingKey: SettingKey;
  form: SettingsForm;
  mayChange: boolean;
  /** Who changed it and when; null while nobody has. */
  changed: { at: string; account: string | null } | null;
  restore: () => void;
};

const million = 1_000_000;

/** One setting: what it is called and does at the left, its value at the right, its default below. */
export function SettingRow({ settingKey, form, mayChange, changed, restore }: SettingRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const { audience, default: fallback } = settings[settingKey];
  const value = form.valueOf(settingKey);
  const fault = form.faultOf(settingKey);
  const isDefault = sameValues(value, fallback);

  return (
    <div className={form.isEdited(settingKey) ? 'setting setting-edited' : 'setting'} id={`setting-${settingKey}`}>
      <div className="setting-words">
        <h3 id={`${id}-title`}>
          {t(`settings.${settingKey}.title`)}
          {changed && <ChangedTag changed={changed} />}
          {audience === 'super' && <Tag>{t('configuration.super_only')}</Tag>}
        </h3>
        <p id={`${id}-help`}>{t(`settings.${settingKey}.help`)}</p>
      </div>
      <div className="setting-value">
        <SettingControl
          settingKey={settingKey}
          value={value}
          onChange={(next) => form.set(settingKey, next)}
          onBlur={() => form.check(settingKey)}
          isDisabled={!mayChange}
          isFaulty={fault !== undefined}
          labelledBy={`${id}-title`}
          describedBy={`${id}-help ${id}-fault`}
        />
        <p id={`${id}-fault`} className="setting-fault" role={fault ? 'alert' : undefined}>
          {fault}
        </p>
        <p className="setting-default">
          {settingKey === 'upload_limit_bytes' && typeof value === 'number' && (
            <span>{t('configuration.bytes', { megabytes: format.exact(Math.round((value / million) * 10) / 10) })}</span>
          )}
          {!isDefault && <span>{t('configuration.default', { value: valueText(settingKey, fallback, t) })}</span>}
          {mayChange && (changed !== null || !isDefault) && (
            <Button type="link" size="small" icon={<UndoOutlined aria-hidden />} onClick={restore}>
              {t('configuration.restore')}
            </Button>
          )}
        </p>
      </div>
    </div>
  );
}

function ChangedTag({ changed }: { changed: { at: string; account: string | null } }) {
  const { t } = useTranslation();
  const format = useFormat();
  const time = format.time(changed.at);
  const words = changed.account
    ? t('configuration.changed_by', { account: changed.account, time })
    : t('configuration.changed_at', { time });
  return (
    <Tooltip title={words}>
      <Tag color="processing">{t('configuration.changed')}</Tag>
    </Tooltip>
  );
}

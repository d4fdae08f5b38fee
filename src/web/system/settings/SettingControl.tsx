import { ColorPicker, Input, InputNumber, Select, Switch } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SettingKey } from '../../../contract/settings.ts';
import { kindOf } from './settingKinds.ts';

type ControlProps = {
  settingKey: SettingKey;
  value: unknown;
  onChange: (value: unknown) => void;
  onBlur: () => void;
  isDisabled: boolean;
  isFaulty: boolean;
  /** Ids of the elements that name and describe the control. */
  labelledBy: string;
  describedBy: string;
};

const zones = () => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** The control that a setting's type asks for. */
export function SettingControl({ settingKey, value, onChange, onBlur, isDisabled, isFaulty, labelledBy, describedBy }: ControlProps) {
  const { t } = useTranslation();
  const kind = kindOf(settingKey);
  const common = {
    disabled: isDisabled,
    onBlur,
    status: isFaulty ? ('error' as const) : undefined,
    'aria-labelledby': labelledBy,
    'aria-describedby': describedBy,
    'aria-invalid': isFaulty,
  };
  switch (kind.kind) {
    case 'switch':
      return (
        <Switch
          checked={value === true}
          onChange={onChange}
          disabled={isDisabled}
          aria-labelledby={labelledBy}
          aria-describedby={describedBy}
        />
      );
    case 'number':
      return (
        <InputNumber
          {...common}
          className="lc-setting-number"
          value={value as number | null}
          min={kind.minimum}
          max={kind.maximum}
          precision={kind.step === undefined ? 0 : 2}
          onChange={onChange}
        />
      );
    case 'choice':
      return (
        <Select
          {...common}
          className="lc-wide"
          value={value as string}
          options={kind.options.map((option) => ({ value: option.value, label: t(option.label) }))}
          onChange={onChange}
        />
      );
    case 'zone':
      return (
        <Select
          {...common}
          className="lc-wide"
          value={value as string}
          options={zones().map((zone) => ({ value: zone, label: zone }))}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={onChange}
        />
      );
    case 'list':
      return (
        <Select
          {...common}
          className="lc-wide"
          mode="tags"
          open={false}
          suffixIcon={null}
          tokenSeparators={[',', ' ', '\n']}
          value={value as string[]}
          maxCount={kind.maximum}
          placeholder={t('configuration.list_placeholder')}
          onChange={onChange}
        />
      );
    case 'color':
      return (
        <ColorPicker
          value={String(value)}
          disabled={isDisabled}
          disabledAlpha
          format="hex"
          showText
          onChange={(picked) => onChange(picked.toHexString())}
        />
      );
    case 'picture':
      return <Picture {...common} value={String(value)} onChange={onChange} />;
    case 'text': {
      const text = { ...common, value: String(value ?? ''), maxLength: kind.maximum };
      return kind.isLong ? (
        <Input.TextArea {...text} autoSize={{ minRows: 2, maxRows: 8 }} onChange={(event) => onChange(event.target.value)} />
      ) : (
        <Input {...text} onChange={(event) => onChange(event.target.value)} />
      );
    }
  }
}

function Picture({
  value,
  onChange,
  ...common
}: {
  value: string;
  onChange: (value: string) => void;
  disabled: boolean;
  onBlur: () => void;
}) {
  const [broken, setBroken] = useState('');
  return (
    <span className="lc-setting-picture">
      {value !== '' && broken !== value && <img src={value} alt="" width={34} height={34} onError={() => setBroken(value)} />}
      <Input {...common} value={value} onChange={(event) => onChange(event.target.value)} />
    </span>
  );
}

import { Checkbox, Input, InputNumber, Radio, Select, Switch } from 'antd';
import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Option, RemoteOptions } from '../options.ts';
import { useText } from '../texts/text.ts';
import type { ControlProps } from './pickers.tsx';
import { RemoteSelect } from './RemoteSelect.tsx';
import { type KnownPicture, UploadControl } from './UploadControl.tsx';

export type { ControlProps } from './pickers.tsx';

/** The control of a field, by kind. Texts are message keys or text. */
export type ControlData =
  | { kind: 'text' | 'password'; placeholder?: string; autoComplete?: string; prefix?: ReactNode; suffix?: ReactNode; code?: boolean }
  | { kind: 'textarea'; placeholder?: string; rows?: number; code?: boolean }
  | { kind: 'number'; placeholder?: string; minimum?: number; maximum?: number; suffix?: string }
  | {
      kind: 'select';
      options: readonly Option[];
      placeholder?: string;
      clearable?: boolean;
      searchable?: boolean;
      /** The value is a list. */
      multiple?: boolean;
    }
  | { kind: 'radio'; options: readonly Option[] }
  | { kind: 'remote'; source: RemoteOptions; placeholder?: string; clearable?: boolean; known?: readonly Option[] }
  | { kind: 'switch' | 'checkbox' }
  | { kind: 'time' | 'day'; placeholder?: string; clearable?: boolean }
  | { kind: 'color' }
  /** An uploaded picture's id; `known` is the picture that the field holds at first. */
  | { kind: 'picture'; known: KnownPicture; removable?: boolean }
  | { kind: 'custom'; render: (props: ControlProps) => ReactNode };

// antd's form item adds value, onChange and the like; what they hold depends on the kind, so they pass through untyped.
// They weigh as much as all other controls, and few forms have one.
const pickers = () => import('./pickers.tsx');
const ZonedPicker = lazy(async () => ({ default: (await pickers()).ZonedPicker }));
const DayPicker = lazy(async () => ({ default: (await pickers()).DayPicker }));
const ColorField = lazy(async () => ({ default: (await pickers()).ColorField }));

type Props = { data: ControlData; label: string; describedBy?: string; id?: string };

export function Control({ data, label, describedBy, ...control }: Props) {
  const { t } = useTranslation();
  const text = useText();
  const common = { ...control, 'aria-describedby': describedBy };
  const placeholder = 'placeholder' in data && data.placeholder ? text(data.placeholder) : undefined;
  const optionsOf = (options: readonly Option[]) =>
    options.map((option) => ({
      value: option.value as string,
      label: text(option.label),
      title: option.help ? text(option.help) : undefined,
    }));
  switch (data.kind) {
    case 'text':
      return (
        <Input
          {...common}
          placeholder={placeholder}
          prefix={data.prefix}
          suffix={data.suffix}
          autoComplete={data.autoComplete ?? 'off'}
          className={data.code ? 'lc-code' : undefined}
        />
      );
    case 'password':
      return <Input.Password {...common} placeholder={placeholder} autoComplete={data.autoComplete ?? 'new-password'} />;
    case 'textarea':
      return (
        <Input.TextArea
          {...common}
          placeholder={placeholder}
          autoSize={{ minRows: data.rows ?? 3, maxRows: 16 }}
          className={data.code ? 'lc-code' : undefined}
        />
      );
    case 'number':
      return (
        <InputNumber
          {...common}
          className="lc-wide"
          placeholder={placeholder}
          min={data.minimum}
          max={data.maximum}
          precision={0}
          suffix={data.suffix ? text(data.suffix) : undefined}
        />
      );
    case 'select':
      return (
        <Select
          {...common}
          {...(data.multiple ? { mode: 'multiple' } : {})}
          options={optionsOf(data.options)}
          placeholder={placeholder ?? t('common.choose')}
          allowClear={data.clearable ?? data.multiple ?? false}
          showSearch={data.searchable ? { optionFilterProp: 'label' } : false}
        />
      );
    case 'radio':
      return <RadioField {...control} label={label} options={data.options} />;
    case 'remote':
      return (
        <RemoteSelect
          {...control}
          source={data.source}
          placeholder={data.placeholder}
          clearable={data.clearable ?? true}
          known={data.known ?? []}
        />
      );
    case 'switch':
      return <Switch {...control} aria-label={label} />;
    case 'checkbox':
      return <Checkbox {...control}>{label}</Checkbox>;
    case 'time':
      return (
        <Suspense fallback={<Input disabled aria-label={label} />}>
          <ZonedPicker {...control} placeholder={placeholder} clearable={data.clearable} />
        </Suspense>
      );
    case 'day':
      return (
        <Suspense fallback={<Input disabled aria-label={label} />}>
          <DayPicker {...control} placeholder={placeholder} clearable={data.clearable} />
        </Suspense>
      );
    case 'color':
      return (
        <Suspense fallback={<Input disabled aria-label={label} />}>
          <ColorField {...control} />
        </Suspense>
      );
    case 'picture':
      return <UploadControl {...control} label={label} known={data.known} removable={data.removable ?? false} />;
    case 'custom':
      return data.render(control as ControlProps);
  }
}

/** Buttons side by side where a few short words fit; else, or where each choice needs a word of help, one below the other. */
function RadioField({ options, label, ...control }: ControlProps<never> & { options: readonly Option[]; label: string }) {
  const text = useText();
  const words = options.map((option) => text(option.label));
  const width = [...words.join('')].reduce((sum, character) => sum + (character > '\u2E7F' ? 2 : 1), 0);
  const hasHelp = options.some((option) => option.help);
  if (!hasHelp && width <= 44) {
    const buttons = options.map((option, at) => ({ value: option.value as string, label: words[at] }));
    return <Radio.Group {...(control as object)} aria-label={label} options={buttons} optionType="button" />;
  }
  return (
    <Radio.Group {...(control as object)} aria-label={label} className="lc-radios">
      {options.map((option, at) => (
        <Radio key={String(option.value)} value={option.value}>
          {words[at]}
          {option.help && <small>{text(option.help)}</small>}
        </Radio>
      ))}
    </Radio.Group>
  );
}

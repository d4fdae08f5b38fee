import { languageNames, languages } from '../../../contract/enums.ts';
import { color } from '../../../contract/kit/fields.ts';
import { type SettingKey, settingShape, settings } from '../../../contract/settings.ts';

/** How a setting is asked for: its type, and what its limits and its meaning say more. */
type SettingKind =
  | { kind: 'switch' }
  | { kind: 'number'; minimum?: number; maximum?: number; step?: number }
  /** Labels are message keys or text. */
  | { kind: 'choice'; options: { value: string; label: string }[] }
  | { kind: 'list'; maximum?: number }
  | { kind: 'color' }
  | { kind: 'picture' }
  | { kind: 'zone' }
  | { kind: 'text'; isLong: boolean; maximum?: number };

const longText = 400;
/** Choices that are called otherwise than they are stored. */
const wordedKeys: readonly SettingKey[] = ['withdrawal_payout', 'expired_codes'];
const labelOf = (key: SettingKey, value: string): string => {
  if (wordedKeys.includes(key)) return `settings.${key}.option_${value}`;
  return isLanguage(value) ? languageNames[value] : value;
};
const isLanguage = (value: string): value is keyof typeof languageNames => languages.some((language) => language === value);
const figure = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

export function kindOf(key: SettingKey): SettingKind {
  if (settings[key].schema === color) return { kind: 'color' };
  if (key === 'time_zone') return { kind: 'zone' };
  if (key === 'admin_logo') return { kind: 'picture' };
  const { type, schema } = settingShape(key);
  if (type === 'boolean') return { kind: 'switch' };
  if (type === 'number') {
    return { kind: 'number', minimum: figure(schema.minimum), maximum: figure(schema.maximum), step: figure(schema.multipleOf) };
  }
  if (type === 'list') return { kind: 'list', maximum: figure(schema.maxItems) };
  if (type === 'choice') {
    const values = (schema.enum as unknown[]).map(String);
    return { kind: 'choice', options: values.map((value) => ({ value, label: labelOf(key, value) })) };
  }
  const maximum = figure(schema.maxLength);
  return { kind: 'text', isLong: (maximum ?? 0) >= longText, maximum };
}

/** A setting's value in words. */
export function valueText(key: SettingKey, value: unknown, t: (key: string) => string): string {
  if (typeof value === 'boolean') return t(value ? 'configuration.on' : 'configuration.off');
  if (value === '' || (Array.isArray(value) && value.length === 0)) return t('configuration.empty_value');
  if (Array.isArray(value)) return value.join(', ');
  const kind = kindOf(key);
  const chosen = kind.kind === 'choice' ? kind.options.find((option) => option.value === value) : undefined;
  return chosen ? t(chosen.label) : String(value);
}

/** What a value of the setting must be like. */
export const schemaOf = (key: SettingKey) => settings[key].schema;

import type { Language } from '../../../contract/enums.ts';

const exact: Partial<Record<Language, Intl.NumberFormat>> = {};
const compact: Partial<Record<Language, Intl.NumberFormat>> = {};
const percents: Partial<Record<Language, Intl.NumberFormat>> = {};

export function exactNumber(value: number, language: Language): string {
  exact[language] ??= new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  return exact[language].format(value);
}

/** Four figures at most, one of them behind the point: 8015万 is read at a glance, and fits where 1.2万 does. */
const brief: Intl.NumberFormatOptions = {
  notation: 'compact',
  maximumFractionDigits: 1,
  maximumSignificantDigits: 4,
  roundingPriority: 'lessPrecision',
};

/** 12,345 becomes 1.2万 in Chinese and 12.3k in English; below 10,000 the exact figure is short enough. */
export function shortNumber(value: number, language: Language): string {
  if (Math.abs(value) < 10_000) return exactNumber(value, language);
  compact[language] ??= new Intl.NumberFormat(language, brief);
  return compact[language].format(value).replace('K', 'k');
}

/** A share, 0–1, as a percentage with at most one digit after the point. */
export function percent(share: number, language: Language): string {
  percents[language] ??= new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  return percents[language].format(share);
}

import type { BuiltInLanguage } from './enums.ts';

/** What becomes of the codes of a membership that is over: they go on answering, or stop after its grace. */
export const expiredCodes = ['answer', 'stop'] as const;
export type ExpiredCodes = (typeof expiredCodes)[number];

/** The settings that answering and counting visits depend on. */
export type VisitSettings = {
  admin_title: string;
  color: string;
  time_zone: string;
  default_language: BuiltInLanguage;
  visit_scheme: 'http' | 'https';
  jump_schemes: string[];
  expired_codes: ExpiredCodes;
  membership_grace_days: number;
  report_link: boolean;
};

/**
 * What they are until an operator changes them. They stand apart from the schemas, so that the processes that answer and load visits read
 * settings without the library of schemas, which would be a third of their memory.
 */
export const visitSettingDefaults: VisitSettings = {
  admin_title: '活码系统',
  color: '#1f6feb',
  time_zone: 'Asia/Shanghai',
  default_language: 'zh-CN',
  visit_scheme: 'http',
  jump_schemes: ['weixin', 'alipays', 'tel', 'mailto', 'sms'],
  expired_codes: 'answer',
  membership_grace_days: 0,
  report_link: true,
};

/** For how long codes answer after the end of a membership. */
export const graceMilliseconds = ({
  expired_codes,
  membership_grace_days,
}: Pick<VisitSettings, 'expired_codes' | 'membership_grace_days'>): number =>
  expired_codes === 'stop' ? membership_grace_days * 86_400_000 : Number.POSITIVE_INFINITY;

export function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

const isOfKind = (value: unknown, example: unknown): boolean =>
  Array.isArray(example) ? Array.isArray(value) && value.every((item) => typeof item === 'string') : typeof value === typeof example;

/** The settings as the stored rows make them. Schemas checked each value before it was stored; here one of another kind counts as not set. */
export function visitSettingsOf(rows: readonly { key: string; value: unknown }[]): VisitSettings {
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  const entries = Object.entries(visitSettingDefaults).map(([key, fallback]) => {
    const value = stored.get(key);
    return [key, isOfKind(value, fallback) ? value : fallback];
  });
  // Every value is of its default's kind; only the mapped type is lost on the way through entries.
  const read = Object.fromEntries(entries) as VisitSettings;
  return isTimeZone(read.time_zone) ? read : { ...read, time_zone: visitSettingDefaults.time_zone };
}

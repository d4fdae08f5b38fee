import type { TargetRule } from '../../../../contract/codes/targeting.ts';
import { china } from '../../../kit/places.ts';

/** Languages offered by name; a rule may hold any other tag. */
export const commonLanguages = [
  'zh',
  'zh-CN',
  'zh-TW',
  'zh-HK',
  'en',
  'ja',
  'ko',
  'vi',
  'th',
  'ms',
  'id',
  'ru',
  'es',
  'pt',
  'fr',
  'de',
  'ar',
] as const;

/** A rule without conditions that ask for nothing: empty lists and what was taken back. */
export function compact(rule: { [K in keyof TargetRule]?: TargetRule[K] | undefined }): TargetRule {
  return Object.fromEntries(
    Object.entries(rule).filter(([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0)),
  ) as TargetRule;
}

/** Whether a rule asks for a province and for countries none of which is China: nobody comes from both. */
export const placeContradiction = ({ countries, regions }: TargetRule): boolean =>
  (regions?.length ?? 0) > 0 && (countries?.length ?? 0) > 0 && !countries?.includes(china);

import type { TFunction } from 'i18next';
import type { LiveCode } from '../../contract/codes/live-code.ts';
import { accessModes, jumpTypes, pageStyles, rotationModes, targetKinds, visitRestrictions } from '../../contract/enums.ts';
import { type Hosted, hostName } from '../kit/host.ts';
import type { Option } from '../kit/options.ts';

/** The contract's enumerations as choices; labels and help are message keys. */
const choicesOf = <T extends string | number>(values: readonly T[], name: string): (Option & { value: T })[] =>
  values.map((value) => ({ value, label: `qr_code_list.${name}.${value}`, help: `qr_code_list.${name}_help.${value}` }));

export const rotationChoices = choicesOf(rotationModes, 'rotation');
export const jumpChoices = choicesOf(jumpTypes, 'jump');
export const accessChoices = choicesOf(accessModes, 'access');
export const restrictionChoices = choicesOf(visitRestrictions, 'restriction');
export const targetKindChoices = choicesOf(targetKinds, 'target_kind');
export const pageStyleChoices = choicesOf(pageStyles, 'page_style');

/** The domain that the code has now. */
export type PresentDomain = (Hosted & { id: number }) | null;

export function presentDomain(code: Partial<LiveCode> | undefined, type: 'entry' | 'landing'): PresentDomain {
  const [id, host] = [code?.[`${type}_domain_id`], code?.[`${type}_host`]];
  return id && host ? { id, host, host_unicode: code?.[`${type}_host_unicode`] ?? null } : null;
}

/** Where a forward answers in the place of a code, or of one of its aliases. */
export function forwardedAddress(code: LiveCode, path: string): string {
  const entry = presentDomain(code, 'entry');
  return `${entry ? hostName(entry) : ''}${path}`;
}

/** What is said of forwards that answer in the place of the code; one that hides all of its keys is told once. */
export function forwardWarnings(code: LiveCode, t: TFunction): string[] {
  const { forward_path, forwarded_alias } = code;
  const own = forward_path === null ? [] : [t('set_qr_code.forwarded', { address: forwardedAddress(code, forward_path) })];
  if (forwarded_alias === null || forwarded_alias.path === forward_path) return own;
  return [...own, aliasForwarded(code, forwarded_alias, t)];
}

export const aliasForwarded = (code: LiveCode, { key, path }: { key: string; path: string }, t: TFunction): string =>
  t('set_qr_code.alias_forwarded', { key, address: forwardedAddress(code, path) });

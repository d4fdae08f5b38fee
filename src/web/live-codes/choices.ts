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

/** Where a forward answers in the code's place. */
export function forwardedAddress(code: LiveCode): string {
  const entry = presentDomain(code, 'entry');
  return `${entry ? hostName(entry) : ''}${code.forward_path}`;
}

import { initialTarget, type LiveCodeDetails, type Target } from '../../../contract/codes/live-code.ts';
import { type CodeFieldValues, codeFields, initialFields } from '../../../contract/codes/live-code-fields.ts';
import type { QrKind } from '../../../contract/codes/qr-kind.ts';
import type { TargetRule } from '../../../contract/codes/targeting.ts';
import type { TargetKind } from '../../../contract/enums.ts';
import { pick } from '../../../contract/kit/pick.ts';
import type { Values } from '../../kit/form/contract.ts';
import { completeUrl } from './url.ts';

/** A target as the form holds it. `key` tells rows apart while they move; `picture_url` shows the upload that `content` names. */
export type TargetValues = {
  key: string;
  id?: number;
  kind: TargetKind;
  content: string;
  picture_url: string | null;
  any_picture: boolean;
  /** What was read in the picture. */
  qr_kind: QrKind | null;
  qr_text: string | null;
  name: string;
  weight: number | null;
  threshold: number | null;
  refill_hour: number | null;
  enabled: boolean;
  expires_at: string | null;
  rules: TargetRule[] | null;
};

/** What a domain's choice holds beside ids: the server's pick (only while the code is made), or no domain. */
export type DomainChoice = number | 'auto' | 'none';

export type CodeValues = Omit<CodeFieldValues, 'entry_domain_id' | 'landing_domain_id' | 'fallback_url'> & {
  entry_domain_id: DomainChoice;
  landing_domain_id: DomainChoice;
  fallback_url: string;
  /** A new password of the share page; empty keeps the present one. */
  password: string;
  removes_password: boolean;
  targets: TargetValues[];
};

let lastKey = 0;
const nextKey = () => `target-${++lastKey}`;

export const newTarget = (kind: TargetKind = 'url'): TargetValues => ({
  ...initialTarget,
  key: nextKey(),
  kind,
  content: '',
  picture_url: null,
  qr_kind: null,
  qr_text: null,
});

/** A second target like the first, which starts its own counts. */
export const copyTarget = (target: TargetValues): TargetValues => ({ ...target, key: nextKey(), id: undefined });

/** A target of the wire as forms hold it. */
export const targetValues = (target: Target): TargetValues => {
  const { id, kind, content, picture_url, any_picture, qr_kind, qr_text, name, weight } = target;
  const { threshold, refill_hour, enabled, expires_at, rules } = target;
  const picture = { picture_url, any_picture, qr_kind, qr_text };
  return { key: nextKey(), id, kind, content, ...picture, name, weight, threshold, refill_hour, enabled, expires_at, rules };
};

/** The form of a code that doesn't exist yet: the defaults that the server would take. */
export const newCodeValues = (): CodeValues => ({
  ...initialFields,
  entry_domain_id: 'auto',
  landing_domain_id: 'auto',
  fallback_url: '',
  password: '',
  removes_password: false,
  targets: [newTarget()],
});

export const codeValues = (code: LiveCodeDetails): CodeValues => ({
  ...pick(code, codeFields),
  entry_domain_id: code.entry_domain_id ?? 'none',
  landing_domain_id: code.landing_domain_id ?? 'none',
  fallback_url: code.fallback_url ?? '',
  password: '',
  removes_password: false,
  targets: code.targets.map(targetValues),
});

/** A new code that is set like an existing one: its key, its password and its targets' counts are its own. */
export function copiedValues(code: LiveCodeDetails, name: string): CodeValues {
  const values = codeValues(code);
  return { ...values, file_name: '', name: Array.from(name).slice(0, 64).join(''), targets: values.targets.map(copyTarget) };
}

const domainInput = (choice: unknown) => (choice === 'auto' ? undefined : choice === 'none' ? null : choice);

/** A target of a form as the wire takes it. An address that was typed without its scheme is sent as it was meant. */
export function targetInput({ key: _key, picture_url: _picture, qr_kind: _kind, qr_text: _text, weight, ...target }: TargetValues) {
  const content = target.content ?? '';
  return { ...target, content: target.kind === 'url' ? completeUrl(content) : content, weight: weight ?? 1 };
}

/**
 * What the form's values mean to `qr_code_list/add` and `qr_code_list/update`.
 * @param existing the code that is changed and the version the form was filled from; undefined makes a code
 */
export function toCodeInput(values: Values, existing: { id: number; version: number } | undefined): Values {
  const { removes_password, password, entry_domain_id, landing_domain_id, targets, fallback_url, ...rest } = values as Partial<CodeValues> &
    Values;
  const input: Values = {
    ...rest,
    ...(existing ? { id: existing.id, version: existing.version } : {}),
    entry_domain_id: domainInput(entry_domain_id),
    landing_domain_id: domainInput(landing_domain_id),
    fallback_url: fallback_url || null,
    targets: (targets ?? []).map(targetInput),
  };
  if (password) input.password = password;
  else if (removes_password) input.password = null;
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
}

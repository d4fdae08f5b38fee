import type { z } from 'zod';
import type { LiveCodeDetails, liveCodeFields, Target } from '../../../contract/codes/live-code.ts';
import type { QrKind } from '../../../contract/codes/qr-kind.ts';
import type { TargetRule } from '../../../contract/codes/targeting.ts';
import type { TargetKind } from '../../../contract/enums.ts';
import type { Values } from '../../kit/form/contract.ts';

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

type Fields = { [K in keyof typeof liveCodeFields]: z.infer<(typeof liveCodeFields)[K]> };

/** What a domain's choice holds beside ids: the server's pick (only while the code is made), or no domain. */
export type DomainChoice = number | 'auto' | 'none';

export type CodeValues = Omit<Fields, 'entry_domain_id' | 'landing_domain_id' | 'fallback_url'> & {
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
  key: nextKey(),
  kind,
  content: '',
  picture_url: null,
  any_picture: false,
  qr_kind: null,
  qr_text: null,
  name: '',
  weight: 1,
  threshold: null,
  refill_hour: null,
  enabled: true,
  expires_at: null,
  rules: null,
});

/** A second target like the first, which starts its own counts. */
export const copyTarget = (target: TargetValues): TargetValues => ({ ...target, key: nextKey(), id: undefined });

const targetValues = (target: Target): TargetValues => {
  const { id, kind, content, picture_url, any_picture, qr_kind, qr_text, name, weight } = target;
  const { threshold, refill_hour, enabled, expires_at, rules } = target;
  const picture = { picture_url, any_picture, qr_kind, qr_text };
  return { key: nextKey(), id, kind, content, ...picture, name, weight, threshold, refill_hour, enabled, expires_at, rules };
};

/** The form of a code that doesn't exist yet: the defaults that the server would take. */
export const newCodeValues = (): CodeValues => ({
  file_name: '',
  name: '',
  remark: '',
  group_id: null,
  entry_domain_id: 'auto',
  landing_domain_id: 'auto',
  open: true,
  rotation_mode: 1,
  jump_type: 1,
  access_mode: 1,
  restriction_visit: 1,
  open_log: true,
  fallback_url: '',
  page_title: '',
  page_text: '',
  page_style: 'card',
  page_color: null,
  expires_at: null,
  same_target: false,
  js_config_ids: [],
  password: '',
  removes_password: false,
  targets: [newTarget()],
});

export const codeValues = (code: LiveCodeDetails): CodeValues => ({
  file_name: code.file_name,
  name: code.name,
  remark: code.remark,
  group_id: code.group_id,
  entry_domain_id: code.entry_domain_id ?? 'none',
  landing_domain_id: code.landing_domain_id ?? 'none',
  open: code.open,
  rotation_mode: code.rotation_mode,
  jump_type: code.jump_type,
  access_mode: code.access_mode,
  restriction_visit: code.restriction_visit,
  open_log: code.open_log,
  fallback_url: code.fallback_url ?? '',
  page_title: code.page_title,
  page_text: code.page_text,
  page_style: code.page_style,
  page_color: code.page_color,
  expires_at: code.expires_at,
  same_target: code.same_target,
  js_config_ids: code.js_config_ids,
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

function targetInput({ key: _key, picture_url: _picture, qr_kind: _kind, qr_text: _text, weight, ...target }: TargetValues) {
  return { ...target, content: target.content ?? '', weight: weight ?? 1 };
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

import { z } from 'zod';
import { targetKinds } from '../enums.ts';
import { count, id, time } from '../kit/fields.ts';

/** Versions that are kept of a code. */
export const maxVersions = 100;

/** What was done to a code, or `kept`: the state in which the first change that was kept found it. */
export const versionActions = [
  'kept',
  'created',
  'imported',
  'changed',
  'target_changed',
  'domain_changed',
  'domain_replaced',
  'paused',
  'reopened',
  'grouped',
  'removed',
  'restored',
  'transferred',
  'version_restored',
  'undone',
] as const;
export const versionAction = z.enum(versionActions);
export type VersionAction = z.infer<typeof versionAction>;

/** One field before and after. What an id was called then stands in the names. */
const fieldChange = z.object({
  field: z.string(),
  before: z.json(),
  after: z.json(),
  before_name: z.string().nullable(),
  after_name: z.string().nullable(),
});
export type FieldChange = z.infer<typeof fieldChange>;

const targetChange = z.object({
  change: z.enum(['added', 'removed', 'changed']),
  id,
  /** The place it has, or had, among the targets, from 1. */
  place: count,
  kind: z.enum(targetKinds),
  name: z.string(),
  content: z.string(),
  picture_url: z.string().nullable(),
  changes: z.array(fieldChange),
});
export type TargetChange = z.infer<typeof targetChange>;

/** What became of the share page's password, which no version holds. */
export const passwordChanges = ['set', 'changed', 'removed'] as const;

export const codeVersion = z.object({
  version: count,
  action: versionAction,
  at: time,
  user_account: z.string().nullable(),
  impersonator_account: z.string().nullable(),
  /** How the code is now. */
  current: z.boolean(),
  changes: z.array(fieldChange),
  targets: z.array(targetChange),
  /** The same targets in another order. */
  reordered: z.boolean(),
  design_changed: z.boolean(),
  password: z.enum(passwordChanges).nullable(),
});
export type CodeVersion = z.infer<typeof codeVersion>;

/**
 * A part of a version that could not be restored, and stayed as it is. `name` says what it was: a host, a group, a file name, a target.
 */
export const leftOut = z.object({
  live_code_id: id,
  code_name: z.string(),
  field: z.string(),
  reason: z.enum([
    'taken',
    'reserved',
    'unknown_domain',
    'unknown_group',
    'unknown_snippet',
    'unknown_file',
    'invalid_url',
    'invalid_scheme',
    'too_long',
    'no_target',
  ]),
  name: z.string(),
});
export type LeftOut = z.infer<typeof leftOut>;

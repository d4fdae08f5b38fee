import { z } from 'zod';
import { blockState } from '../domains/block-state.ts';
import { certificateStates, dnsStates } from '../domains/domain-check.ts';
import { blockStatuses, freezables, targetKinds } from '../enums.ts';
import { count, freezing, hostUnicode, id, line, oneOf, text, time } from '../kit/fields.ts';
import { freeForm } from '../kit/json.ts';
import { alias } from './alias.ts';
import { liveCodeFields } from './live-code-fields.ts';
import { qrKinds } from './qr-kind.ts';
import { targetRules } from './targeting.ts';

export const maxTargets = 100;
export const maxThreshold = 1_000_000_000;

/** A target as it is written; `id` names an existing one in an update, and the order of the list is the sort. */
export const targetInput = z.strictObject({
  id: id.optional(),
  kind: z.enum(targetKinds),
  /** A URL, the id of an uploaded file as text, or the text itself, by `kind`. */
  content: text(8192).min(1, 'required'),
  name: line(64).optional(),
  weight: z.number().int().min(1).max(10_000).optional(),
  /** Visits this target serves before the next one takes over; null is endless. */
  threshold: z.number().int().min(0).max(maxThreshold).nullable().optional(),
  /** The hour (0–23, site time) at which the remaining visits are set back to the threshold every day; null never. */
  refill_hour: z.number().int().min(0).max(23).nullable().optional(),
  enabled: z.boolean().optional(),
  expires_at: time.nullable().optional(),
  rules: targetRules.optional(),
  /** The picture is meant to hold no QR code, such as a poster: otherwise one without a code that can be read is refused. */
  any_picture: z.boolean().optional(),
});
export type TargetInput = z.infer<typeof targetInput>;
/** What a new target has where nothing is said. */
export const initialTarget = {
  name: '',
  weight: 1,
  threshold: null,
  refill_hour: null,
  enabled: true,
  expires_at: null,
  rules: null,
  any_picture: false,
};

export const target = z.object({
  id,
  kind: z.enum(targetKinds),
  content: z.string(),
  /** Where a picture is seen; null for other kinds. */
  picture_url: z.string().nullable(),
  any_picture: z.boolean(),
  /** What the QR code in the picture says and is; nulls for other kinds, and where nobody has looked. */
  qr_text: z.string().nullable(),
  qr_kind: z.enum(qrKinds).nullable(),
  name: z.string(),
  /** The larger one is first. */
  sort: z.number(),
  weight: z.number(),
  threshold: z.number().nullable(),
  /** Visits left, leases of running redirect processes included; null is endless. */
  remaining: z.number().nullable(),
  refill_hour: z.number().nullable(),
  enabled: z.boolean(),
  expires_at: time.nullable(),
  /** Null serves everybody. */
  rules: targetRules,
  /** Null while the figures of its code are locked, as `press_number`. */
  view_number: count.nullable(),
  /** Long presses of its picture: visitors who meant to save or scan it. */
  press_number: count.nullable(),
});
export type Target = z.infer<typeof target>;

/** The share page's password: write-only, null removes it. */
export const sharePassword = z.string().min(4).max(64).nullable();

export const qrDesign = freeForm(300_000);

const shownGroup = z.object({ id, name: z.string(), color: z.string() }).nullable();

export const liveCode = z.object({
  id,
  ...liveCodeFields,
  file_name: z.string(),
  fallback_url: z.string().nullable(),
  owner_id: id,
  owner_account: z.string(),
  has_password: z.boolean(),
  qr_design: z.record(z.string(), z.json()).nullable(),
  removed: z.boolean(),
  removed_at: time.nullable(),
  /** Who moved it to the recycle bin. */
  removed_by_account: z.string().nullable(),
  /** What an administrator froze, so that the code does not answer: the code itself, its owner or one of its domains. */
  frozen: z.enum(freezables).nullable(),
  ...freezing,
  /**
   * Beyond its owner's quota, with what he has and may have: it answers and records as ever; it is not changed, and its figures are locked (null)
   * to all but administrators, until the quota allows it or he chooses it. Null: within it.
   */
  over_quota: z.object({ used: count, limit: count }).nullable(),
  group: shownGroup,
  /** The administrators' own grouping: they alone are told. */
  internal_group: shownGroup.optional(),
  created_at: time,
  updated_at: time,
  /** Grows with every change; an update that names an older one is refused with 409. */
  version: count,
  entry_host: z.string().nullable(),
  entry_host_unicode: hostUnicode,
  landing_host: z.string().nullable(),
  landing_host_unicode: hostUnicode,
  entry_block_status: oneOf(blockStatuses).nullable(),
  entry_suspected_since: time.nullable(),
  landing_block_status: oneOf(blockStatuses).nullable(),
  landing_suspected_since: time.nullable(),
  /** What the QR image holds; null while the code has no entry domain. */
  url: z.string().nullable(),
  /** Where it is drawn in its saved design: a PNG, or an SVG by that ending; `size` and `margin` as parameters. Null as `url` is. */
  qr_image_url: z.string().nullable(),
  /** The path of the forward on its entry domain that answers in its place; null: none does. */
  forward_path: z.string().nullable(),
  /** One of its aliases that a forward answers in its place, and the forward's path; null: none is. */
  forwarded_alias: z.object({ key: z.string(), path: z.string() }).nullable(),
  /** Its newest short link that is on and shown. */
  short_url: z.string().nullable(),
  share_url: z.string(),
  view_number: count.nullable(),
  ip_view_number: count.nullable(),
  today_view_number: count.nullable(),
  today_ip_view_number: count.nullable(),
  target_count: count,
  /** When the first of the targets ends that serve now and of whose end its owner has been or is about to be told; null: none ends soon. */
  target_expiring_at: time.nullable(),
  /** Visits left over the targets that are on and not expired; null when one of them is endless. */
  remaining: z.number().nullable(),
});
export type LiveCode = z.infer<typeof liveCode>;

/** What is known of a domain that a code stands on. */
const codeDomain = z.object({
  id,
  /** What the code has it for. */
  use: z.enum(['entry', 'landing']),
  host: z.string(),
  host_unicode: hostUnicode,
  enabled: z.boolean(),
  ...blockState,
  /** Null until it was checked. */
  dns_state: z.enum(dnsStates).nullable(),
  certificate_state: z.enum(certificateStates).nullable(),
  certificate_expires_at: time.nullable(),
});
export type CodeDomain = z.infer<typeof codeDomain>;

export const liveCodeDetails = liveCode.extend({
  targets: z.array(target),
  domains: z.array(codeDomain),
  /** Its further keys, in the order in which they were given. */
  aliases: z.array(alias),
  /** Days that its visits are kept; counts by hour stay. */
  log_days: count,
});
export type LiveCodeDetails = z.infer<typeof liveCodeDetails>;

import { z } from 'zod';
import { accessModes, blockStatuses, jumpTypes, pageStyles, rotationModes, targetKinds, visitRestrictions } from '../enums.ts';
import { color, count, hostUnicode, id, line, oneOf, targetUrl, text, time } from '../kit/fields.ts';
import { freeForm } from '../kit/json.ts';
import { qrKinds } from './qr-kind.ts';
import { targetRules } from './targeting.ts';

export const maximumTargets = 100;
export const fileNamePattern = /^[a-z0-9_-]{4,32}$/;
export const maximumSnippets = 20;
export const maximumThreshold = 1_000_000_000;

const fileName = z.string().trim().toLowerCase().regex(fileNamePattern, 'invalid_file_name').max(32);

/** A target as it is written; `id` names an existing one in an update, and the order of the list is the sort. */
export const targetInput = z.strictObject({
  id: id.optional(),
  kind: z.enum(targetKinds),
  /** A URL, the id of an uploaded file as text, or the text itself, by `kind`. */
  content: text(8192).min(1, 'required'),
  name: line(64).optional(),
  weight: z.number().int().min(1).max(10_000).optional(),
  /** Visits this target serves before the next one takes over; null is endless. */
  threshold: z.number().int().min(0).max(maximumThreshold).nullable().optional(),
  /** The hour (0–23, site time) at which the remaining visits are set back to the threshold every day; null never. */
  refill_hour: z.number().int().min(0).max(23).nullable().optional(),
  enabled: z.boolean().optional(),
  expires_at: time.nullable().optional(),
  rules: targetRules.optional(),
  /** The picture is meant to hold no QR code, such as a poster: otherwise one without a code that can be read is refused. */
  any_picture: z.boolean().optional(),
});
export type TargetInput = z.infer<typeof targetInput>;

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
  view_number: count,
  /** Long presses of its picture: visitors who meant to save or scan it. */
  press_number: count,
});
export type Target = z.infer<typeof target>;

/** Every changeable field of a live code but its targets. */
export const liveCodeFields = {
  file_name: fileName,
  name: line(64).min(1, 'required'),
  remark: line(200),
  /** A group of the code's owner; null is without a group. */
  group_id: id.nullable(),
  entry_domain_id: id.nullable(),
  landing_domain_id: id.nullable(),
  open: z.boolean(),
  rotation_mode: oneOf(rotationModes),
  jump_type: oneOf(jumpTypes),
  access_mode: oneOf(accessModes),
  restriction_visit: oneOf(visitRestrictions),
  open_log: z.boolean(),
  fallback_url: targetUrl.nullable(),
  page_title: line(64),
  page_text: text(2000),
  page_style: z.enum(pageStyles),
  page_color: color.nullable(),
  expires_at: time.nullable(),
  /** A visitor who comes again is sent to the target he had, as long as it is usable. */
  same_target: z.boolean(),
  /** Snippets that run on the code's pages, beside those for all codes. */
  js_config_ids: z.array(id).max(maximumSnippets),
};
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
  landing_block_status: oneOf(blockStatuses).nullable(),
  /** What the QR image holds; null while the code has no entry domain. */
  url: z.string().nullable(),
  /** The path of the forward on its entry domain that answers in its place; null: none does. */
  forward_path: z.string().nullable(),
  /** Its newest short link that is on and shown. */
  short_url: z.string().nullable(),
  share_url: z.string(),
  view_number: count,
  ip_view_number: count,
  today_view_number: count,
  today_ip_view_number: count,
  target_count: count,
  /** When the first of the targets ends that serve now and of whose end its owner has been or is about to be told; null: none ends soon. */
  target_expiring_at: time.nullable(),
  /** Visits left over the targets that are on and not expired; null when one of them is endless. */
  remaining: z.number().nullable(),
});
export type LiveCode = z.infer<typeof liveCode>;
export const liveCodeDetails = liveCode.extend({ targets: z.array(target) });
export type LiveCodeDetails = z.infer<typeof liveCodeDetails>;

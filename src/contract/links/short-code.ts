import { z } from 'zod';
import { qrDesign } from '../codes/live-code.ts';
import { blockStatuses, showStatuses } from '../enums.ts';
import { call, group, longBody, requireAny } from '../kit/call.ts';
import { count, day, done, hostUnicode, id, ids, line, oneOf, targetUrl, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { platformTypes } from './platform-config.ts';

/** So many links are made by one call; of platforms that ask another service, fewer. */
export const maxMade = 5000;
export const maxRequested = 20;
export const shortPattern = /^[a-z0-9_-]{1,32}$/;

const short = z.string().trim().toLowerCase().regex(shortPattern, 'invalid_short').max(32);
const remark = line(200);
const display = oneOf(showStatuses);

export const shortCode = z.object({
  id,
  short: z.string().nullable(),
  domain_id: id.nullable(),
  host: z.string().nullable(),
  host_unicode: hostUnicode,
  /** Of the short domain; both null where another's platform made the link. */
  host_enabled: z.boolean().nullable(),
  block_status: oneOf(blockStatuses).nullable(),
  suspected_since: time.nullable(),
  platform_id: id.nullable(),
  platform_name: z.string().nullable(),
  platform_type: oneOf(platformTypes).nullable(),
  live_code_id: id.nullable(),
  live_code_name: z.string().nullable(),
  live_code_file_name: z.string().nullable(),
  url: z.string().nullable(),
  /** The whole link. */
  short_url: z.string(),
  /** Visits come through this server: they are counted, and the destination can be changed. */
  counted: z.boolean(),
  display,
  enabled: z.boolean(),
  expires_at: time.nullable(),
  expired: z.boolean(),
  remark: z.string(),
  qr_design: z.record(z.string(), z.json()).nullable(),
  owner_id: id,
  owner_account: z.string(),
  view_number: count,
  ip_view_number: count,
  today_view_number: count,
  today_ip_view_number: count,
  created_at: time,
  updated_at: time,
});
export type ShortCode = z.infer<typeof shortCode>;

/** What became of one destination: the link, or why there is none, in words. */
export const madeLink = z.object({
  live_code_id: id.nullable(),
  url: z.string().nullable(),
  id: id.nullable(),
  short_url: z.string().nullable(),
  error: z.string().nullable(),
});
export type MadeLink = z.infer<typeof madeLink>;

/** Where a link is made: on a short domain, by a platform, or, without both, on the owner's first healthy short domain. */
const place = { domain_id: id.optional(), platform_id: id.optional() };

export const shortCodeGroup = group('short_code', {
  inquire: call({
    summary: "Short links of the caller; hidden ones are administrators' only.",
    access: requireAny('short_code', 'short_qr_code_list'),
    input: listInput(['id', 'short', 'expires_at', 'view_number', 'today_view_number', 'created_at', 'updated_at'], {
      /** Found in path, destination, remark and the live code's name and file name. */
      search: z.string().max(100).optional(),
      domain_id: id.optional(),
      platform_id: id.optional(),
      live_code_id: id.optional(),
      owner_id: id.optional(),
      display: display.optional(),
      enabled: z.boolean().optional(),
      expired: z.boolean().optional(),
      /** Days on which it ends. */
      expires_from: day.optional(),
      expires_to: day.optional(),
      created_from: day.optional(),
      created_to: day.optional(),
    }),
    output: pageOf(shortCode).extend({ at_least: z.boolean() }),
  }),
  domains: call({
    summary: 'The short domains that the caller may make links on.',
    access: requireAny('short_code', 'short_qr_code_list', 'qr_code_list'),
    input: z.object({ owner_id: id.optional() }),
    output: z.object({ content: z.array(z.object({ id, host: z.string(), host_unicode: hostUnicode, is_blocked: z.boolean() })) }),
  }),
  add: call({
    summary:
      'Make short links of live codes or addresses, each with its own result. Repeating a request_key of one person repeats its links, whatever became of the first answer.',
    access: requireAny('short_code.add'),
    bodyLimit: longBody,
    input: z.object({
      request_key: z.uuid(),
      live_code_ids: z.array(id).max(maxMade).optional(),
      urls: z.array(targetUrl).max(maxMade).optional(),
      ...place,
      /** A path of one's own, for a single link on a short domain. */
      short: short.optional(),
      expires_at: time.nullable().optional(),
      remark: remark.optional(),
    }),
    output: z.object({ added: count, results: z.array(madeLink) }),
    limit: { max: 120, seconds: 60 },
  }),
  update: call({
    summary: "Change a short link. The destination of one that another's platform holds can't be changed: make a new link.",
    access: requireAny('short_code.update'),
    input: z.object({
      id,
      live_code_id: id.optional(),
      url: targetUrl.optional(),
      expires_at: time.nullable().optional(),
      remark: remark.optional(),
    }),
    output: shortCode,
    writes: true,
  }),
  update_enabled: call({
    summary: 'Switch short links on or off; one that is off answers as closed.',
    access: requireAny('short_code.update'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  }),
  update_display: call({
    summary: "Show or hide short links in customers' lists. They go on working.",
    access: requireAny('short_code.display'),
    input: z.object({ ids, display }),
    output: done,
    writes: true,
  }),
  update_design: call({
    summary: 'Set how the QR images of short links look; null is the usual look.',
    access: requireAny('short_code.update', 'short_qr_code_list.download'),
    input: z.object({ ids, qr_design: qrDesign.nullable() }),
    output: done,
    writes: true,
  }),
  regenerate: call({
    summary: 'Give a short link a new address, its own path if wished. The old one stops working, unless another platform holds it.',
    access: requireAny('short_code.regenerate'),
    input: z.object({
      id,
      /** The link that is to be replaced: where it is another by now, nothing happens. */
      short_url: z.string().max(4096),
      /** Null for the first healthy short domain; with neither this nor a platform it is made as it was. */
      domain_id: id.nullable().optional(),
      platform_id: id.optional(),
      short: short.optional(),
    }),
    output: shortCode,
    limit: { max: 60, seconds: 60 },
  }),
  remove: call({
    summary: 'Remove short links for ever; what was recorded of their visits stays.',
    access: requireAny('short_code.remove'),
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
});

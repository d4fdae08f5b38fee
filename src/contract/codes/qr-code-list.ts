import { z } from 'zod';
import { accept_risk } from '../domains/domain-replacement.ts';
import { carriers, visitSources } from '../enums.ts';
import { call, group, longBody, publicAccess, requireAny } from '../kit/call.ts';
import { count, day, done, id, ids, line, selectedIds, text, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { pick } from '../kit/pick.ts';
import { exportFormats, startedOperation } from '../system/async-operations.ts';
import { breakdowns, seriesPoint, visitSums } from '../visits/statistics.ts';
import { aliasCalls } from './alias.ts';
import { codeVersion, leftOut } from './code-version.ts';
import { liveCode, liveCodeDetails, maxTargets, qrDesign, sharePassword, targetInput } from './live-code.ts';
import { batchFields, filterFields, liveCodeFields } from './live-code-fields.ts';
import { trialCalls } from './qr-code-trial.ts';
import { shareCalls, sharedCode } from './share.ts';
import { targetBatches } from './target-batches.ts';

const optionalFields = z.object(liveCodeFields).partial().shape;
const targets = z.array(targetInput).min(1, 'required').max(maxTargets);

export const codeFilters = {
  /** Found in name, file name, aliases and remark. */
  search: z.string().max(100).optional(),
  ...z.object(pick(liveCodeFields, filterFields)).partial().shape,
  entry_domain_id: id.optional(),
  landing_domain_id: id.optional(),
  /** 0: without a group. */
  group_id: z.union([id, z.literal(0)]).optional(),
  /** Frozen by an administrator, the code itself. */
  frozen: z.boolean().optional(),
  exhausted: z.boolean().optional(),
  /** A target that serves now ends within the hours of the setting `target_reminder_hours`. */
  expiring: z.boolean().optional(),
  /** An address of the code is also one of another code of its owner. */
  duplicated: z.boolean().optional(),
  created_from: day.optional(),
  created_to: day.optional(),
  /** What one act of the caller made or changed, an import for example. */
  change_id: z.uuid().optional(),
  /** Days on which it ends, or one of its targets does. */
  expires_from: day.optional(),
  expires_to: day.optional(),
};
export const userFilters = {
  ...codeFilters,
  owner_id: id.optional(),
  /** 0: without an internal group. */ internal_group_id: z.union([id, z.literal(0)]).optional(),
};
const sortable = [
  'id',
  'name',
  'file_name',
  'created_at',
  'updated_at',
  'view_number',
  'ip_view_number',
  'today_view_number',
  'today_ip_view_number',
] as const;

const comparedSums = z.object({ now: visitSums, before: visitSums });

/** `change_id` names what was changed for `undo`; null where nothing was. */
const changed = done.extend({ change_id: z.uuid().nullable() });

/** A code as lists show it. */
const listedCode = liveCode.extend({
  /** The alias by which a search found it; null where its own words have the text, too. */
  found_alias: z.string().nullable(),
});
export type ListedCode = z.infer<typeof listedCode>;

/** A list without filters is counted to its end, one with filters up to 10,000: beyond, `at_least` says that there are more. */
const codePage = pageOf(listedCode).extend({ at_least: z.boolean() });

export const qrCodeList = group('qr_code_list', {
  ...targetBatches,
  inquire: call({
    summary: "The caller's live codes; an agent's with those of his customers.",
    access: requireAny('qr_code_list'),
    input: listInput(sortable, codeFilters),
    output: codePage,
  }),
  user_inquire: call({
    summary: "All users' live codes, for administrators.",
    access: requireAny('qr_code_list_admin'),
    input: listInput(sortable, userFilters),
    output: codePage,
  }),
  qr_code_remove: call({
    summary: 'Removed live codes, which can be restored.',
    access: requireAny('qr_code_list', 'qr_code_remove'),
    input: listInput(['id', 'name', 'file_name', 'removed_at'], { search: codeFilters.search }),
    output: codePage,
  }),
  ids: call({
    summary: 'The ids of the codes that fit the filters, in the order of the list: the first 5,000.',
    access: requireAny('qr_code_list'),
    input: listInput(sortable, codeFilters).omit({ page: true, page_size: true }),
    output: selectedIds,
  }),
  user_ids: call({
    summary: "The same over all users' codes.",
    access: requireAny('qr_code_list_admin'),
    input: listInput(sortable, userFilters).omit({ page: true, page_size: true }),
    output: selectedIds,
  }),
  export: call({
    summary: 'Export codes as an operation: the given ones, or those that fit the filters. An import takes the file.',
    access: requireAny('qr_code_list.export', 'qr_code_list_admin.export'),
    input: z.object({ ...userFilters, ids: ids.optional(), format: z.enum(exportFormats) }),
    output: startedOperation,
    writes: true,
  }),
  sheet: call({
    summary: 'What a print sheet needs of codes: their links and whole designs, in the given order; 50 at once.',
    access: requireAny('qr_code_list.download', 'qr_code_list', 'qr_code_list_admin'),
    input: z.object({ ids: z.array(id).min(1).max(50) }),
    output: z.object({
      content: z.array(
        liveCode.pick({
          id: true,
          name: true,
          file_name: true,
          remark: true,
          url: true,
          entry_host: true,
          entry_host_unicode: true,
          qr_design: true,
        }),
      ),
    }),
  }),
  duplicate: call({
    summary: 'Make a copy of a code of the caller, with everything but its key, its counts and its password.',
    access: requireAny('qr_code_list.add'),
    input: z.object({ id, name: liveCodeFields.name.optional() }),
    output: liveCodeDetails,
    writes: true,
  }),
  details: call({
    summary: 'One live code with its targets.',
    access: requireAny('qr_code_list', 'set_qr_code', 'qr_code_list_admin'),
    input: z.object({ id }),
    output: liveCodeDetails,
  }),
  add: call({
    summary: 'Make a live code. Only one target is required; a code without a name is called after it.',
    access: requireAny('qr_code_list.add'),
    bodyLimit: longBody,
    input: z.object({
      ...optionalFields,
      name: line(64).optional(),
      password: sharePassword.optional(),
      qr_design: qrDesign.nullable().optional(),
      targets,
    }),
    output: liveCodeDetails,
    writes: true,
    secrets: ['password'],
  }),
  update: call({
    summary: 'Change a live code; targets, where given, replace the present ones (those with an id are kept with their counts).',
    access: requireAny('qr_code_list.update', 'set_qr_code.save', 'qr_code_list_admin.update'),
    bodyLimit: longBody,
    input: z.object({
      id,
      version: count.optional(),
      ...optionalFields,
      password: sharePassword.optional(),
      qr_design: qrDesign.nullable().optional(),
      targets: targets.optional(),
    }),
    output: liveCodeDetails,
    writes: true,
    secrets: ['password'],
  }),
  update_password: call({
    summary: "Set the share page's password, or take it off with null.",
    access: requireAny('qr_code_list.share', 'qr_code_list_admin.update'),
    input: z.object({ id, password: sharePassword }),
    output: liveCodeDetails,
    writes: true,
    secrets: ['password'],
  }),
  update_url: call({
    summary: 'Change where one target leads.',
    access: requireAny('qr_code_list.update', 'qr_code_list_admin.update'),
    input: z.object({ id, target_id: id, content: text(8192).min(1, 'required') }),
    output: liveCodeDetails,
    writes: true,
  }),
  refill: call({
    summary: 'Set the remaining visits of a code, or of one of its targets, back to the threshold.',
    access: requireAny('qr_code_list.refill', 'qr_code_list_admin.update'),
    input: z.object({ id, target_id: id.optional() }),
    output: liveCodeDetails,
    writes: true,
  }),
  oepn_all_status: call({
    summary: "The owner's switch over all codes: closed, every code of the caller answers as closed, whatever its own switch says.",
    access: requireAny('qr_code_list.open_all'),
    input: z.object({ open: z.boolean() }),
    output: z.object({ open: z.boolean() }),
    writes: true,
  }),
  change_domain_name: call({
    summary: 'Put other domains on live codes; null takes the domain off.',
    access: requireAny('qr_code_list.domain', 'qr_code_list_admin.domain', 'batche_query.batch'),
    input: z.object({ ids, entry_domain_id: id.nullable().optional(), landing_domain_id: id.nullable().optional(), accept_risk }),
    output: changed,
    writes: true,
  }),
  batch_update: call({
    summary: 'Change the same fields on many live codes.',
    access: requireAny('qr_code_list.batch', 'qr_code_list_admin.batch'),
    input: z.object({
      ids,
      changes: z.strictObject(pick(liveCodeFields, batchFields)).partial(),
    }),
    output: changed,
    writes: true,
  }),
  update_open: call({
    summary: 'Open or close live codes.',
    access: requireAny('qr_code_list.open', 'qr_code_list_admin.open', 'batche_query.batch'),
    input: z.object({ ids, open: z.boolean() }),
    output: changed,
    writes: true,
  }),
  update_open_on_domain: call({
    summary: 'Open or close every live code on a domain, be it their entry or their landing domain.',
    access: requireAny('qr_code_list.open', 'qr_code_list_admin.open'),
    input: z.object({ domain_id: id, open: z.boolean() }),
    output: changed,
    writes: true,
  }),
  update_restriction_visit: call({
    summary: 'Set the visit restriction of live codes.',
    access: requireAny('qr_code_list.restriction', 'qr_code_list_admin.restriction'),
    input: z.object({ ids, restriction_visit: liveCodeFields.restriction_visit }),
    output: changed,
    writes: true,
  }),
  update_open_log: call({
    summary: 'Keep a row for each visit of these codes, or count only.',
    access: requireAny('qr_code_list.log', 'qr_code_list_admin.log'),
    input: z.object({ ids, open_log: z.boolean() }),
    output: changed,
    writes: true,
  }),
  update_remove: call({
    summary: 'Move live codes to the recycle bin, or restore them.',
    access: requireAny('qr_code_list.remove', 'qr_code_remove.restore', 'qr_code_list_admin.remove'),
    input: z.object({ ids, removed: z.boolean() }),
    output: changed,
    writes: true,
  }),
  remove: call({
    summary: 'Delete a removed live code for ever; its name confirms it.',
    access: requireAny('qr_code_remove.remove'),
    input: z.object({ id, name: line(64) }),
    output: done,
    writes: true,
  }),
  transfer: call({
    summary:
      'Give live codes to another user, without their group, snippets and share password. Domains he may not use: refuse, take them off, or put his own on.',
    access: requireAny('qr_code_list_admin.transfer'),
    input: z.object({ ids, owner_id: id, domains: z.enum(['refuse', 'take_off', 'replace']) }),
    output: changed.extend({ /** Codes that lost a domain. */ lost_domains: count }),
    writes: true,
  }),
  versions: call({
    summary: 'How a live code came to be what it is: its last changes, newest first, each with what it changed.',
    access: requireAny('qr_code_list', 'set_qr_code', 'qr_code_list_admin'),
    input: listInput(['version'], { id }).omit({ sort: true, order: true }),
    output: pageOf(codeVersion),
  }),
  restore_version: call({
    summary: 'Make a live code what it was in one of its versions, which is a new version. What is no longer possible is told and stays.',
    access: requireAny('qr_code_list.update', 'set_qr_code.save', 'qr_code_list_admin.update'),
    input: z.object({ id, version: count }),
    output: z.object({ code: liveCodeDetails, left_out: z.array(leftOut) }),
    writes: true,
  }),
  undo: call({
    summary: "Undo one of the caller's own changes on all codes that nobody has changed since.",
    access: requireAny('qr_code_list', 'set_qr_code.save', 'qr_code_list_admin'),
    input: z.object({ change_id: z.uuid() }),
    output: done.extend({ changed_since: count, left_out: z.array(leftOut) }),
    writes: true,
  }),
  get_ip: call({
    summary: "A code's visitor addresses, each with its visits, place and last visit.",
    access: requireAny('qr_code_list.ip', 'qr_code_list_admin'),
    input: listInput(['visits', 'last_at', 'first_at'], {
      id,
      ip: z.string().max(45).optional(),
      from: day.optional(),
      to: day.optional(),
    }),
    output: pageOf(
      z.object({
        ip: z.string(),
        visits: count,
        first_at: time,
        last_at: time,
        country: z.string(),
        region: z.string(),
        city: z.string(),
        carrier: z.enum(carriers),
        source: z.enum(visitSources).nullable(),
        model_name: z.string(),
      }),
    ),
  }),
  statistics: call({
    summary: "One code's statistics: totals, a series by hour or day, breakdowns, visits by target.",
    access: requireAny('qr_code_list.statistics', 'qr_code_list_admin'),
    input: z.object({ id, from: day.optional(), to: day.optional() }),
    output: z.object({
      from: day,
      to: day,
      step: z.enum(['hour', 'day']),
      totals: visitSums,
      series: z.array(seriesPoint),
      breakdowns,
      /** Presses: long ones on its picture. */
      targets: z.array(z.object({ target_id: id, name: z.string(), visits: count, presses: count })),
    }),
  }),
  figures: call({
    summary:
      "One code's figures of today, the last 7 and the last 30 days, each with those of the period before, and the 30 days one by one.",
    access: requireAny('qr_code_list.statistics', 'qr_code_list_admin'),
    input: z.object({ id }),
    output: z.object({
      now: time,
      /** Compared with yesterday up to the same time of day. */
      today: comparedSums,
      last_7: comparedSums,
      last_30: comparedSums,
      days: z.array(seriesPoint),
    }),
  }),
  ...trialCalls,
  ...aliasCalls,
  ...shareCalls,
  share_access: call({
    summary: "The public statistics of a shared code, by its key and the share page's password.",
    access: publicAccess,
    input: z.object({ file_name: line(32).min(1, 'required').toLowerCase(), password: z.string().min(1).max(64) }),
    output: sharedCode,
    secrets: ['password'],
    limit: { max: 240, seconds: 60 },
  }),
});

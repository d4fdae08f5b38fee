import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { crud } from '../kit/crud.ts';
import { color, count, done, id, ids, line, rank, time } from '../kit/fields.ts';
import type { NodeKey } from '../permissions.ts';

/** Distinct to colour-blind eyes too, and readable on both grounds. */
export const groupColors = ['#0f766e', '#2563eb', '#b45309', '#be185d', '#7c3aed', '#15803d', '#0891b2', '#dc2626'];

const fields = { name: line(40).min(1, 'required'), color: color.toLowerCase().optional(), sort: rank.optional() };

export const codeGroup = z.object({
  id,
  /** Null: the administrators' own. */
  owner_id: id.nullable(),
  owner_account: z.string().nullable(),
  name: z.string(),
  color: z.string(),
  sort: z.number(),
  /** Codes in use, and the visits that passed to them; of codes whose figures are locked, none. */
  code_count: count,
  view_number: count,
  created_at: time,
  updated_at: time,
});
export type CodeGroup = z.infer<typeof codeGroup>;

type Words = { groups: string; move: string };

/** Both groupings have the same calls; whose groups they are is what differs. */
const calls = <P extends 'group' | 'internal_code_grouping'>(path: P, lists: readonly NodeKey[], words: Words) => {
  const rows = crud(path, {
    row: codeGroup,
    fields,
    filters: { search: z.string().max(100).optional() },
    sortable: ['id', 'name', 'sort', 'code_count', 'view_number', 'created_at'],
    nouns: ['a group', words.groups],
  });
  return {
    ...rows,
    remove: { ...rows.remove, summary: 'Remove groups. Their codes stay, without a group.' },
    options: call({
      summary: 'Groups to choose from in their order, of one owner where he is named.',
      access: requireAny(path, ...lists),
      input: z.object({ search: z.string().max(100).optional(), owner_id: id.optional() }),
      output: z.object({ content: z.array(codeGroup.pick({ id: true, name: true, color: true, owner_account: true })) }),
    }),
    update_sort: call({
      summary: 'Put the groups of one owner into this order; those that are not named follow.',
      access: requireAny(`${path}.update`),
      input: z.object({ ids }),
      output: done,
      writes: true,
    }),
    move: call({
      summary: words.move,
      access: requireAny(`${path}.move`),
      input: z.object({ ids, group_id: id.nullable() }),
      output: done.extend({ change_id: z.uuid().nullable() }),
      writes: true,
    }),
  };
};

export const codeGroups = group(
  'group',
  calls('group', ['qr_code_list', 'set_qr_code', 'qr_code_list_admin'], {
    groups: "groups of live codes: the caller's own, an agent's with those of his customers, an administrator's all",
    move: 'Put live codes into a group of their owner; null takes them out of theirs.',
  }),
);
export const internalCodeGrouping = group(
  'internal_code_grouping',
  calls('internal_code_grouping', ['qr_code_list_admin'], {
    groups: "the administrators' own grouping over all users' codes, which customers are not told of",
    move: "Put any users' live codes into a group of the administrators; null takes them out of theirs.",
  }),
);

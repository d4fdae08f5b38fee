import { z } from 'zod';
import type { NodeKey } from '../permissions.ts';
import { call, requireAny } from './call.ts';
import { done, id, ids, rank } from './fields.ts';
import { listInput, pageOf } from './page.ts';

/** Screens whose buttons are add, update and remove. */
export type CrudScreen = {
  [K in NodeKey]: [`${K}.add`, `${K}.update`, `${K}.remove`] extends [NodeKey, NodeKey, NodeKey] ? K : never;
}[NodeKey];

// That a screen of `CrudScreen` has these buttons is what the type says; the compiler does not follow it through the template.
const button = (name: CrudScreen, act: 'add' | 'update' | 'remove') => requireAny(`${name}.${act}` as NodeKey);

/**
 * The calls of a screen of rows, to spread into its `group`: inquire, add, update, remove. A call that differs is written by hand after
 * the spread.
 * @param row what lists show and answers return
 * @param fields what `add` takes; one that may be missing has a default in the database. `update` takes any of them
 * @param nouns one row and several, for the API's documentation
 */
export function crud<R extends z.ZodType, F extends z.ZodRawShape, L extends z.ZodRawShape, const S extends readonly [string, ...string[]]>(
  name: CrudScreen,
  { row, fields, filters, sortable, nouns: [one, many] }: { row: R; fields: F; filters: L; sortable: S; nouns: readonly [string, string] },
) {
  const input = z.object(fields);
  return {
    inquire: call({ summary: `List ${many}.`, access: requireAny(name), input: listInput(sortable, filters), output: pageOf(row) }),
    add: call({ summary: `Add ${one}.`, access: button(name, 'add'), input, output: row, writes: true }),
    update: call({
      summary: `Change ${one}.`,
      access: button(name, 'update'),
      input: z.object({ id, ...input.partial().shape }),
      output: row,
      writes: true,
    }),
    remove: call({ summary: `Remove ${many}.`, access: button(name, 'remove'), input: z.object({ ids }), output: done, writes: true }),
  };
}

/** The call that switches rows with the field `enabled` on or off. */
export const updateEnabled = (name: CrudScreen, many: string) =>
  call({
    summary: `Switch ${many} on or off.`,
    access: button(name, 'update'),
    input: z.object({ ids, enabled: z.boolean() }),
    output: done,
    writes: true,
  });

/** The call that ranks a row with the field `sort`. */
export const updateSort = <R extends z.ZodType>(name: CrudScreen, row: R, one: string) =>
  call({
    summary: `Rank ${one}: larger comes first, null before all others.`,
    access: button(name, 'update'),
    input: z.object({ id, sort: rank.nullable() }),
    output: row,
    writes: true,
  });

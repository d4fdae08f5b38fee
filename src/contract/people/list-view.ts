import { z } from 'zod';
import { call, group, loggedIn } from '../kit/call.ts';
import { done, id, line } from '../kit/fields.ts';
import { freeJson } from '../kit/json.ts';

/** So many views of one list a user may keep. */
export const maxViews = 30;

const list = z
  .string()
  .regex(/^[a-z][a-z0-9_.-]{0,63}$/)
  .max(64);

const listView = z.object({
  id,
  name: z.string(),
  /** Filters and order, as the address has them. */
  query: z.string(),
  arrangement: z.json().nullable(),
  shared: z.boolean(),
  own: z.boolean(),
});
export type ListView = z.infer<typeof listView>;

export const listViews = group('list_view', {
  inquire: call({
    summary: "The views of a list: the caller's own, and those that administrators share.",
    access: loggedIn,
    input: z.object({ list }),
    output: z.object({ content: z.array(listView) }),
  }),
  add: call({
    summary: 'Keep a view of a list; one of the same name is replaced. Administrators may share it with everybody.',
    access: loggedIn,
    input: z.object({
      list,
      name: line(40).min(1, 'required'),
      query: z.string().max(2000),
      arrangement: freeJson(16_384).nullable().optional(),
      shared: z.boolean().optional(),
    }),
    output: z.object({ id }),
    writes: true,
  }),
  remove: call({
    summary: 'Forget one of the own views.',
    access: loggedIn,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
});

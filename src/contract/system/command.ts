import { z } from 'zod';
import { blockState } from '../domains/block-state.ts';
import { domainTypes } from '../enums.ts';
import { call, group, loggedIn } from '../kit/call.ts';
import { count, hostUnicode, id, line, oneOf } from '../kit/fields.ts';

/** At most so many rows of each kind are found: a user who wants more opens the list. */
export const maxFound = 6;

/** Codes on a domain are counted up to here. */
export const maxCounted = 10_000;

export const foundCode = z.object({
  id,
  name: z.string(),
  file_name: z.string(),
  /** The alias by which it was found; null where its own words have the text, too. */
  found_alias: z.string().nullable(),
  open: z.boolean(),
  owner_account: z.string(),
  /** Whether the caller may change it; an agent only sees his customers' codes. */
  changeable: z.boolean(),
});
export type FoundCode = z.infer<typeof foundCode>;

export const foundDomain = z.object({
  id,
  host: z.string(),
  host_unicode: hostUnicode,
  type: oneOf(domainTypes),
  enabled: z.boolean(),
  ...blockState,
  changeable: z.boolean(),
  /** Codes on it, as entry or landing domain, that the caller may open and close. */
  open_codes: count,
  closed_codes: count,
});
export type FoundDomain = z.infer<typeof foundDomain>;

export const command = group('command', {
  search: call({
    summary: "What the command palette finds of a text: the caller's live codes (also by a pasted link) and domains.",
    access: loggedIn,
    input: z.object({ text: line(300).min(1, 'required') }),
    output: z.object({ codes: z.array(foundCode), domains: z.array(foundDomain) }),
  }),
});

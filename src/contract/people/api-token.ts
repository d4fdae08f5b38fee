import { z } from 'zod';
import { call, group, loggedIn, requireAny } from '../kit/call.ts';
import { count, day, done, id, ids, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { allNodeKeys, type NodeKey } from '../permissions.ts';

/** What every token begins with, so that a leaked one is found by scanners. */
export const tokenPrefix = 'lc_';
export const maxTokens = 50;
export const defaultCallsPerMinute = 600;

/**
 * `waiting`: its owner got another role since he said what it may do, and has to say it again. A token of a user who is disabled does
 * nothing either, whatever its state.
 */
export const tokenStates = ['active', 'waiting', 'expired', 'revoked'] as const;
export type TokenState = (typeof tokenStates)[number];

const nodeKey = z.enum(allNodeKeys as [NodeKey, ...NodeKey[]]);

/** A first call for a new token, as a shell takes it. */
export const tokenExample = (origin: string, token: string): string =>
  [
    `curl -X POST '${origin}/api/api_token/self'`,
    `  -H 'Authorization: Bearer ${token}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '{}'`,
  ].join(' \\\n');

/** The source of what a token did, as the log keeps it: `api_token 12 (name)`. */
export const tokenSource = ({ id: token_id, name }: { id: number; name: string }): string => `api_token ${token_id} (${name})`;
/** The name of the token in a log row's source; undefined where a person acted. */
export const tokenOfSource = (source: string): string | undefined => /^api_token \d+ \((.*)\)$/.exec(source)?.[1];

export const apiToken = z.object({
  id,
  user_id: id,
  user_account: z.string(),
  name: z.string(),
  /** The first characters of the token. */
  prefix: z.string(),
  state: z.enum(tokenStates),
  nodes: z.array(z.string()),
  /** Of those, the ones that it holds now: what its owner has lost since, it has lost too. */
  held: count,
  networks: z.array(z.string()),
  calls_per_minute: count,
  expires_at: time.nullable(),
  last_used_at: time.nullable(),
  last_used_ip: z.string().nullable(),
  created_at: time,
});
export type ApiToken = z.infer<typeof apiToken>;

const fields = {
  name: line(60).min(1, 'required'),
  /** Screens (reading) and buttons (acting) that it may use, of those that the caller holds himself. */
  nodes: z.array(nodeKey).min(1, 'required').max(allNodeKeys.length),
  /** Addresses and networks such as `203.0.113.0/24` that it may come from; none: from anywhere. */
  networks: z.array(line(50)).max(50).optional(),
  calls_per_minute: z.number().int().min(1).max(6000).optional(),
  /** Null: until it is revoked. */
  expires_at: time.nullable().optional(),
};

export const apiTokenGroup = group('api_token', {
  inquire: call({
    summary: 'The own API tokens; for administrators those of all users.',
    access: requireAny('api_token'),
    machines: false,
    input: listInput(['id', 'name', 'last_used_at', 'expires_at', 'created_at'], {
      search: z.string().max(100).optional(),
      state: z.enum(tokenStates).optional(),
      user_id: id.optional(),
      /** Days on which it ends. */
      expires_from: day.optional(),
      expires_to: day.optional(),
    }),
    output: pageOf(apiToken),
  }),
  add: call({
    summary: 'Make a token. The answer holds it this once; only its hash is kept.',
    access: requireAny('api_token.add'),
    machines: false,
    input: z.object(fields),
    output: z.object({ id, token: z.string() }),
  }),
  update: call({
    summary: 'Change what one of the own tokens may do. It also confirms the token for the role that the caller has now.',
    access: requireAny('api_token.update'),
    machines: false,
    input: z.object({ id, ...fields, name: fields.name.optional(), nodes: fields.nodes.optional() }),
    output: done,
    writes: true,
  }),
  revoke: call({
    summary: 'End tokens at once and for good; administrators may end those of other users.',
    access: requireAny('api_token.revoke'),
    machines: false,
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  self: call({
    summary: 'The token that makes this call: whose it is, and what it may do at this moment.',
    access: loggedIn,
    machines: true,
    input: z.object({}),
    output: z.object({ name: z.string(), account: z.string(), role: z.string(), nodes: z.array(z.string()) }),
  }),
});

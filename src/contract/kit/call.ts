import { z } from 'zod';
import type { NodeKey } from '../permissions.ts';

/**
 * Who may make a call: anybody, any logged-in user, or users whose role holds one of the named nodes. `enrolling`: also somebody
 * who has to set up his second factor before he may do anything else.
 */
export type Access = { kind: 'public' } | { kind: 'login'; enrolling?: true } | { kind: 'nodes'; nodes: readonly NodeKey[] };

export const publicAccess = { kind: 'public' } as const satisfies Access;
export const loggedIn = { kind: 'login' } as const satisfies Access;
export const loggedInOrEnrolling = { kind: 'login', enrolling: true } as const satisfies Access;
/** Holders of any of these nodes: a screen (`'domain_list'`) or a button on it (`'domain_list.add'`). */
export const requireAny = (...nodes: readonly [NodeKey, ...NodeKey[]]) => ({ kind: 'nodes', nodes }) as const satisfies Access;

/** At most `max` calls in `seconds`, counted per address of the caller and, where `field` names one, per that input field and address. */
export type CallLimit = { max: number; seconds: number; field?: string };

/** The `bodyLimit` of calls whose longest possible input is far longer than any that a user needs: many texts, each of them short. */
export const longBody = 2_000_000;

export type Call<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType, A extends Access = Access> = {
  access: A;
  input: I;
  output: O;
  /** A call that changes rows: it runs in a transaction, leaves an audit row and repeats its answer for a repeated `request_id`. */
  writes: boolean;
  /** Input fields whose values must never reach a log (passwords, codes). */
  secrets: readonly string[];
  limit?: CallLimit;
  /** The greatest body in bytes; undefined: it follows from the bounds of the input. */
  bodyLimit?: number;
  /** Answers everybody while the site is under maintenance, too; all other calls answer administrators only. */
  in_maintenance: boolean;
  /** API tokens may make it: those calls that name nodes, unless a call says otherwise because only a person may make it. */
  machines: boolean;
  summary: string;
};

type CallOptions<I extends z.ZodObject, O extends z.ZodType, A extends Access> = {
  access: A;
  /** One line of English for the API documentation. */
  summary: string;
  input: I;
  output: O;
  writes?: boolean;
  secrets?: readonly string[];
  limit?: CallLimit;
  bodyLimit?: number;
  in_maintenance?: boolean;
  machines?: boolean;
};

/** Declares one call. Unknown input keys are refused; output is stripped to what `output` names. */
export function call<I extends z.ZodObject, O extends z.ZodType, A extends Access>(options: CallOptions<I, O, A>): Call<I, O, A> {
  const machines = options.access.kind !== 'login';
  return { writes: false, secrets: [], in_maintenance: false, machines, ...options, input: options.input.strict() as I };
}

export type Group<N extends string = string, C extends Record<string, Call> = Record<string, Call>> = { name: N; calls: C };

/** The calls served below `POST /api/{name}/`. */
export const group = <N extends string, C extends Record<string, Call>>(name: N, calls: C): Group<N, C> => ({ name, calls });

/** What a caller sends. */
export type InputOf<C extends Call> = z.input<C['input']>;
/** What a service receives. */
export type ParsedInputOf<C extends Call> = z.output<C['input']>;
/** What a caller gets back. */
export type OutputOf<C extends Call> = z.output<C['output']>;

/** The body of every failed call. `fields` maps an input path such as `targets.0.content` to an error code. */
export const failure = z.object({
  code: z.string(),
  message: z.string(),
  /** What there is to say besides, as a second line. */
  detail: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  error_id: z.string().optional(),
});
export type Failure = z.infer<typeof failure>;

import { z } from 'zod';
import type { NodeKey } from '../permissions.ts';
import { maxSealedLength } from '../sealing.ts';

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

/**
 * What a call asks for besides the session, before it does anything: the caller's own password and, where he has a second factor, a code.
 * Its input has the fields for it (`proof`); its service does not see them.
 */
export type Proved =
  | true
  | {
      /** Who has no second factor is refused. */
      needs_code?: true;
      /** Only super administrators in person, who need a second factor. */
      super_only?: true;
      /** Not where these fields have these values. */
      unless?: Readonly<Record<string, boolean>>;
      /** What it is asked for depends on what is stored: the service sees the fields, and checks them by itself. */
      by_service?: true;
    };

/** The fields of a proof; all may be left out, because what is missing is told after the rights. */
const proof = {
  /** Sealed with `encrypted`. */
  password: z.string().max(maxSealedLength).optional(),
  /** A code of the second factor, or a recovery code. */
  totp: z.string().trim().max(40).optional(),
  encrypted: z.boolean().optional(),
};
export type Proof = z.output<z.ZodObject<typeof proof>>;
type WithProof<I extends z.ZodObject, P> = P extends undefined ? I : z.ZodObject<z.core.util.Extend<I['shape'], typeof proof>>;

export type Call<
  I extends z.ZodObject = z.ZodObject,
  O extends z.ZodType = z.ZodType,
  A extends Access = Access,
  P extends Proved | undefined = Proved | undefined,
> = {
  access: A;
  proved: P;
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
  /** API tokens may make it: those calls that name nodes and ask for no proof, unless a call says otherwise because only a person may make it. */
  machines: boolean;
  summary: string;
};

type CallOptions<I extends z.ZodObject, O extends z.ZodType, A extends Access, P extends Proved | undefined> = {
  access: A;
  proved?: P;
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
export function call<I extends z.ZodObject, O extends z.ZodType, A extends Access, const P extends Proved | undefined = undefined>({
  proved,
  secrets = [],
  ...options
}: CallOptions<I, O, A, P>): Call<WithProof<I, P>, O, A, NoInfer<P>> {
  const machines = options.access.kind !== 'login' && !proved;
  const input = (proved ? options.input.extend(proof) : options.input).strict() as WithProof<I, P>;
  const hidden = proved ? [...secrets, 'password', 'totp'] : secrets;
  return { writes: false, in_maintenance: false, machines, ...options, proved: proved as NoInfer<P>, secrets: hidden, input };
}

export type Group<N extends string = string, C extends Record<string, Call> = Record<string, Call>> = { name: N; calls: C };

/** The calls served below `POST /api/{name}/`. */
export const group = <N extends string, C extends Record<string, Call>>(name: N, calls: C): Group<N, C> => ({ name, calls });

/** What a caller sends. */
export type InputOf<C extends Call> = z.input<C['input']>;
/** What a service receives. */
export type ParsedInputOf<C extends Call> = C['proved'] extends { by_service: true } | undefined
  ? z.output<C['input']>
  : Omit<z.output<C['input']>, keyof Proof>;
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

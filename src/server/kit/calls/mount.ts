import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Language } from '../../../contract/enums.ts';
import type { Call, Failure, Group, Proof } from '../../../contract/kit/call.ts';
import { request_id as requestIdSchema } from '../../../contract/kit/fields.ts';
import { fieldIssues } from '../../../contract/kit/issues.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { languageOf, translate } from '../messages/messages.ts';
import { createTokenAuthenticator, isApiToken } from './api-tokens.ts';
import { bearerToken, createAuthenticator } from './authentication.ts';
import {
  type Actor,
  type Context,
  mayCall,
  type PublicContext,
  refuseUnlessSuper,
  type ServerKit,
  type Service,
  scopeOf,
} from './context.ts';
import { AppError, toPublicError } from './errors.ts';
import { bodyLimitOf, countValues } from './input-bounds.ts';
import { runWriting } from './writing.ts';

type AnyService = Record<string, (input: unknown, context: Context) => Promise<unknown>>;

export type Mount = <G extends Group>(group: G, service: Service<G>) => void;
/** Refuses who is not the person that his session says. Its `call` is what a password was sealed for. */
export type ProveIdentity = (context: Context, proof: Proof, call: string, options: { needsCode: boolean }) => Promise<void>;

/** Serves groups of calls: access, strict input, proof, transaction and audit for a change, and only what is promised leaves. */
export function createMount(app: FastifyInstance, kit: ServerKit, proveIdentity: ProveIdentity): Mount {
  const authenticate = createCallerOf(kit);
  const actors = new WeakMap<FastifyRequest, Actor | undefined>();

  /** Who may not make a call is refused before its body is read. */
  async function admit(call: Call, request: FastifyRequest): Promise<void> {
    const actor = await authenticate(request);
    if (actor?.api_token && call.access.kind !== 'public' && !call.machines) throw new AppError(403, 'token_not_allowed');
    if (!mayCall(call.access, actor)) throw refusal(actor);
    if (!call.in_maintenance) await refuseInMaintenance(actor, kit);
    actors.set(request, actor);
  }

  /** Answers what is left of the input for the service. Before its transaction: tries are counted also where the call is refused. */
  async function takeProof(name: string, { proved }: Call, input: Record<string, unknown>, context: Context) {
    if (!proved) return input;
    const { needs_code, super_only, unless = {}, by_service } = proved === true ? {} : proved;
    if (super_only) refuseUnlessSuper(context);
    if (by_service) return input;
    const { password, totp, encrypted, ...rest } = input;
    const isExempt = Object.entries(unless).some(([field, value]) => rest[field] === value);
    const needsCode = (needs_code ?? super_only) === true;
    if (!isExempt) await proveIdentity(context, { password, totp, encrypted } as Proof, name, { needsCode });
    return rest;
  }

  async function serve(group: Group, action: string, call: Call, service: AnyService, request: FastifyRequest): Promise<unknown> {
    const actor = actors.get(request);
    const { input: given, request_id } = parseInput(call, request.body);
    const context = contextOf(request, actor, kit);
    const name = `${group.name}/${action}`;
    const input = await takeProof(name, call, given, context);
    const perform = (own: Context) => {
      const implementation = service[action];
      if (!implementation) throw new Error(`${name} has no implementation`);
      return implementation(input, own);
    };
    const output = call.writes ? await runWriting({ kit, context, actor, name, call, input, request_id, perform }) : await perform(context);
    return validateOutput(call, output);
  }

  return (group, service) => {
    for (const [action, call] of Object.entries(group.calls)) {
      const rateLimit = call.limit ? { max: call.limit.max, timeWindow: call.limit.seconds * 1000 } : false;
      app.post(
        `/api/${group.name}/${action}`,
        { config: { rateLimit }, bodyLimit: bodyLimitOf(call), preParsing: (request) => admit(call, request) },
        (request) => serve(group, action, call, service as unknown as AnyService, request),
      );
    }
  };
}

/** Finds who sends a request: by the token of a session, or by an API token. */
function createCallerOf({ db, now }: Pick<ServerKit, 'db' | 'now'>) {
  const bySession = createAuthenticator(db);
  const byApiToken = createTokenAuthenticator(db, now);
  return async (request: FastifyRequest): Promise<Actor | undefined> => {
    const token = bearerToken(request.headers.authorization);
    if (!isApiToken(token)) return bySession(token);
    const actor = await byApiToken(token, request.ip);
    request.log = request.log.child({ user_id: actor.user_id, api_token: actor.api_token });
    return actor;
  };
}

/** While the site is under maintenance only administrators work, also while they act as a user. Open pages are led away by this answer. */
async function refuseInMaintenance(actor: Actor | undefined, { settings }: Pick<ServerKit, 'settings'>): Promise<void> {
  const isAdministrator = actor?.role.kind === 'super' || actor?.role.kind === 'administrator' || actor?.impersonator;
  if (!isAdministrator && (await settings()).maintenance) throw new AppError(503, 'maintenance');
}

const refusal = (actor: Actor | undefined): AppError => {
  if (!actor) return new AppError(401, 'not_logged_in');
  return new AppError(403, actor.is_enrolling ? 'second_factor.enrolment_required' : 'forbidden');
};

/**
 * The user behind a request, for the few routes that are not calls (uploads, downloads).
 * @param nodes an API token must hold one of them
 */
export const createRequestAuthenticator = (kit: Pick<ServerKit, 'db' | 'now' | 'settings'>, nodes: readonly NodeKey[]) => {
  const authenticate = createCallerOf(kit);
  return async (request: FastifyRequest): Promise<Actor> => {
    const actor = await authenticate(request);
    if (!actor || actor.is_enrolling) throw refusal(actor);
    if (actor.api_token && !nodes.some((node) => actor.nodes.has(node))) throw new AppError(403, 'forbidden');
    await refuseInMaintenance(actor, kit);
    return actor;
  };
};

/** A caller is told of so many wrong fields; of an input with more values than these, of the first one only. */
const most = { issues: 20, valuesCheckedThrough: 2000 };
/** What zod's own `validate` passes on, so that a check ends with the first fault. */
const firstIssueOnly: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true };

function parseInput(call: Call, body: unknown): { input: Record<string, unknown>; request_id: string | undefined } {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) throw new AppError(400, 'input.not_an_object');
  const values = countValues(body);
  if (values === undefined) throw new AppError(413, 'too_large');
  const { request_id, ...rest } = body as Record<string, unknown>;
  if (request_id !== undefined && !call.writes) throw new AppError(400, 'input.invalid', { fields: { request_id: 'unknown' } });
  if (request_id !== undefined && !requestIdSchema.safeParse(request_id).success)
    throw new AppError(400, 'input.invalid', { fields: { request_id: 'invalid_format' } });
  const parsed = call.input.safeParse(
    request_id === undefined ? body : rest,
    values > most.valuesCheckedThrough ? firstIssueOnly : undefined,
  );
  if (!parsed.success) throw new AppError(400, 'input.invalid', { issues: fieldIssues(parsed.error, most.issues) });
  return { input: parsed.data, request_id: request_id as string | undefined };
}

function contextOf(request: FastifyRequest, actor: Actor | undefined, kit: ServerKit): Context {
  const base: PublicContext = {
    db: kit.db,
    now: kit.now(),
    ip: request.ip,
    user_agent: (request.headers['user-agent'] ?? '').slice(0, 500),
    language: languageOf(request.headers['accept-language']),
    settings: kit.settings,
    vault: kit.vault,
    sealing: kit.sealing,
    log: request.log,
    audit: () => {},
  };
  // A public call's service never reads actor and scope: its type is PublicContext.
  if (!actor) return { ...base, actor: undefined as never, scope: undefined as never };
  const viewer = { actor, scope: scopeOf(actor.user_id, actor.role.kind) };
  return { ...base, ...viewer, viewer };
}

/** Only what the contract promises leaves; an answer that breaks the promise is our fault, never the caller's. */
function validateOutput(call: Call, output: unknown): unknown {
  const parsed = call.output.safeParse(output);
  if (parsed.success) return parsed.data;
  throw new Error(`the answer breaks its contract: ${JSON.stringify(parsed.error.issues.slice(0, 5))}`);
}

/** Whether the caller is gone, so that nobody reads an answer. */
export const isAborted = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;

/** What an answer ends with that is still being written when its reader goes. */
const isPrematureClose = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Answers every failure as `{ code, message, fields? }` in the caller's language; the unknown becomes 500 with a logged id. */
export function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  if (isPrematureClose(error) && isAborted(request)) {
    request.log.debug('an answer was aborted by its reader');
    return;
  }
  const language = languageOf(request.headers['accept-language']);
  const known = toPublicError(error) ?? fastifyFailure(error);
  if (known) {
    if (known.details.retryAfterSeconds) reply.header('Retry-After', String(known.details.retryAfterSeconds));
    reply.status(known.status).send(failureBody(known, language));
    return;
  }
  const error_id = randomUUID();
  request.log.error(
    {
      error_id,
      error: error instanceof Error ? { message: error.message, stack: error.stack, cause: String(error.cause ?? '') } : String(error),
    },
    'a call failed',
  );
  reply.status(500).send({ code: 'internal', message: translate(language, 'errors.internal'), error_id } satisfies Failure);
}

function failureBody(failure: AppError, language: Language): Failure {
  const { params, issues } = failure.details;
  const fields =
    failure.details.fields ?? (issues ? Object.fromEntries(issues.map((issue) => [issue.path || '_', issue.code])) : undefined);
  const { code } = failure;
  const detail = translate(language, `errors.detail.${code}`, params);
  return {
    code,
    message: translate(language, `errors.${code}`, params),
    ...(detail === `errors.detail.${code}` ? {} : { detail }),
    ...(fields ? { fields } : {}),
  };
}

/** Fastify's own refusals (malformed JSON, too large a body, too many requests) in our codes. */
function fastifyFailure(error: unknown): AppError | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  const status = Number(error.statusCode);
  if (status === 413) return new AppError(413, 'too_large');
  if (status === 429) return new AppError(429, 'too_many_requests', { retryAfterSeconds: 60 });
  if (status === 415) return new AppError(415, 'input.not_json');
  if (status >= 400 && status < 500) return new AppError(status, 'input.malformed');
  return undefined;
}

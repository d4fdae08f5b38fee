import type { Groups } from '../../../contract/api.ts';
import type { Call, Failure, InputOf, OutputOf } from '../../../contract/kit/call.ts';
import { createStore, readLocal, writeLocal } from '../local.ts';
import { currentLanguage } from '../texts/i18n.ts';
import { takeEarlyAnswer } from './early.ts';

/** A call that did not succeed. `status` 0: no answer came; `fields` maps input paths to error codes below `errors.field`. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly code: string;
  /** A second line of its words; empty where one says all. */
  readonly detail: string;
  readonly fields: Record<string, string>;
  readonly error_id: string | undefined;

  constructor(details: {
    status: number;
    code: string;
    message: string;
    detail?: string;
    fields?: Record<string, string>;
    error_id?: string;
  }) {
    super(details.message);
    this.status = details.status;
    this.code = details.code;
    this.detail = details.detail ?? '';
    this.fields = details.fields ?? {};
    this.error_id = details.error_id;
  }
}

/** The failure of questions whose visits are still being made ready. */
export const preparingCode = 'statistics.preparing';
/** The failure of every call while the site is under maintenance. */
export const maintenanceCode = 'maintenance';

type RequestOptions = { signal?: AbortSignal; request_id?: string };

/** One call of the contract as a function. */
export type Question<I, O> = ((input: I, options?: RequestOptions) => Promise<O>) & { group: string; action: string; path: string };

/** The same with the contract of the call, for checks before sending. */
export type Endpoint<I, O> = Question<I, O> & { call: Call };

export type Api = {
  [G in keyof Groups]: {
    [A in keyof Groups[G]['calls']]: Groups[G]['calls'][A] extends Call
      ? Endpoint<InputOf<Groups[G]['calls'][A]>, OutputOf<Groups[G]['calls'][A]>>
      : never;
  };
};

export type TokenState = {
  token: string | null;
  /** The server ended the session while one worked: the screen stays until its user decides to log in again. */
  isExpired: boolean;
};
const tokens = createStore<TokenState>({ token: readLocal('token'), isExpired: false });
export const readTokenState = tokens.get;
export const subscribeToToken = tokens.subscribe;
export const readToken = () => tokens.get().token;

export function keepToken(token: string | null, isExpired = false): void {
  writeLocal('token', token);
  tokens.set({ token, isExpired });
}

const ownTokenKey = 'own_token';
/** Keeps the present session aside while an administrator acts as another user. */
export const keepOwnToken = (): void => writeLocal(ownTokenKey, readToken());
/** The session kept aside, which is then no longer. */
export function takeOwnToken(): string | null {
  const own = readLocal(ownTokenKey);
  writeLocal(ownTokenKey, null);
  return own;
}

/** Logging in or out in another tab counts in this one too. */
export function followOtherTabs(): () => void {
  const listener = (event: StorageEvent) => {
    if (event.key === 'livecode.token' && event.newValue !== readToken()) tokens.set({ token: event.newValue, isExpired: false });
  };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

let onUnauthorized = () => {};
/** Names what happens when the server no longer knows the session. */
export function whenUnauthorized(listener: () => void): () => void {
  onUnauthorized = listener;
  return () => {
    if (onUnauthorized === listener) onUnauthorized = () => {};
  };
}

export const unreachable = () => new ApiFailure({ status: 0, code: 'network', message: '' });

export function headersOf(json: boolean): Record<string, string> {
  const session = readToken();
  return {
    'Accept-Language': currentLanguage(),
    ...(json ? { 'Content-Type': 'application/json' } : {}),
    ...(session ? { Authorization: `Bearer ${session}` } : {}),
  };
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** The body of a failed call, where it is one of ours. Read by hand: the login does without the contract's code. */
function failureOf(body: unknown): Failure | undefined {
  if (typeof body !== 'object' || body === null || !('code' in body && 'message' in body)) return undefined;
  const { code, message, fields, error_id } = body as Record<string, unknown>;
  if (!isText(code) || !isText(message)) return undefined;
  const named = typeof fields === 'object' && fields !== null ? Object.entries(fields) : [];
  const known = Object.fromEntries(named.filter((entry): entry is [string, string] => isText(entry[1])));
  return { code, message, ...(fields === undefined ? {} : { fields: known }), ...(isText(error_id) ? { error_id } : {}) };
}

/** Turns an answer into the output or throws its failure; a missing login is told to `whenUnauthorized` (a refused login isn't one). */
export function settle(path: string, status: number, body: unknown, sentToken: string | null): unknown {
  if (status >= 200 && status < 300) return body;
  const failed = failureOf(body);
  if (status === 401 && path !== '/api/admin/login' && sentToken === readToken()) {
    const own = takeOwnToken();
    keepToken(own, own === null);
    if (own === null) onUnauthorized();
  }
  if (!failed) throw new ApiFailure({ status, code: status >= 502 && status <= 504 ? 'unavailable' : 'internal', message: '' });
  throw new ApiFailure({ status, ...failed });
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function send(path: string, body: string, options: RequestOptions): Promise<unknown> {
  const sentToken = readToken();
  const early = takeEarlyAnswer(path, body, sentToken, currentLanguage());
  const response =
    (await early) ?? (await fetch(path, { method: 'POST', headers: headersOf(true), body, signal: options.signal, credentials: 'omit' }));
  const answer = await response.json().catch(() => undefined);
  return settle(path, response.status, answer, sentToken);
}

/** Whether no server, or one without its database, has answered: a change may have been made, or not. */
export const isUnanswered = ({ status, code }: ApiFailure): boolean =>
  status === 0 || (status >= 502 && status <= 504 && code !== maintenanceCode);

const maxBlipMilliseconds = 2000;

/** Sends once more, with the same `request_id`, when no server answered: a write that did arrive then only repeats its answer. */
async function post(path: string, body: string, options: RequestOptions, repeatable: boolean): Promise<unknown> {
  const startedAt = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(path, body, options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      const problem = error instanceof ApiFailure ? error : unreachable();
      // Where one waited long, another wait would help nobody.
      const isPassing = isUnanswered(problem) && performance.now() - startedAt < maxBlipMilliseconds;
      if (!isPassing || !repeatable || attempt === 2) throw problem;
      await pause(400);
    }
  }
}

/** The way to a call. What `writes` carries an id, by which its answer is repeated. */
export function questionOf(group: string, action: string, { writes }: Pick<Call, 'writes'>): Question<object, unknown> {
  const path = `/api/${group}/${action}`;
  const ask = (input: object, options: RequestOptions = {}) => {
    const body = writes ? { ...input, request_id: options.request_id ?? newRequestId() } : input;
    return post(path, JSON.stringify(body), options, writes || action === 'inquire');
  };
  return Object.assign(ask, { group, action, path });
}

/** A random UUID; `crypto.randomUUID` is missing where the page isn't served over TLS or from localhost. */
export function newRequestId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

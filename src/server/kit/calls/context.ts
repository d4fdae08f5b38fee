import { type AnyColumn, eq, type SQL, sql } from 'drizzle-orm';
import type { Language, RoleKind } from '../../../contract/enums.ts';
import type { Access, Call, Group, OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { Settings } from '../../../contract/settings.ts';
import type { Database } from '../postgres/database.ts';
import type { Vault } from '../vault.ts';
import { AppError } from './errors.ts';
import type { Sealing } from './sealing.ts';

export type Actor = {
  user_id: number;
  /** 0 behind an API token: it has no session. */
  session_id: number;
  token: string;
  account: string;
  role: { id: number; name: string; kind: RoleKind };
  nodes: ReadonlySet<NodeKey>;
  /** The administrator who opened this session as its user. */
  impersonator: { id: number; account: string } | null;
  /** Must set up a second factor first: holds no nodes, and may make only the calls that say so. */
  is_enrolling: boolean;
  /** The API token that acts in the user's name; it holds some of his nodes only. */
  api_token: { id: number; name: string } | null;
};

/** What the caller may see and change, as conditions on a column that holds the owner's user id. Every query on owned rows takes one. */
export type Scope = {
  /** Own rows; an agent's also those of his customers; an administrator's all (undefined: no condition). */
  sees: (owner: AnyColumn | SQL) => SQL | undefined;
  /** Own rows; an administrator's all. */
  changes: (owner: AnyColumn | SQL) => SQL | undefined;
  /** The owner of a row the caller makes for himself. */
  owner_id: number;
  all: boolean;
};

export type Log = { info: LogLine; warn: LogLine; error: LogLine };
type LogLine = (details: object, message: string) => void;

/** What the server is made with: the database, the settings, the clock, and the keys for secrets at rest and on the way. */
export type ServerKit = { db: Database; settings: () => Promise<Settings>; now: () => Date; vault: Vault; sealing: Sealing };

/** What a call is served with. Of a writing call, `db` is its transaction. */
export type PublicContext = {
  db: Database;
  now: Date;
  ip: string;
  user_agent: string;
  language: Language;
  settings: () => Promise<Settings>;
  vault: Vault;
  sealing: Sealing;
  log: Log;
  /** Adds what changed to the audit row of a writing call. */
  audit: (changes: { before?: unknown; after?: unknown }) => void;
  /** Who is logged in, if anybody: for a public call that shows more to him. */
  viewer?: Viewer;
};
export type Viewer = { actor: Actor; scope: Scope };
export type Context = PublicContext & { actor: Actor; scope: Scope };

type ContextOf<C extends Call> = C['access'] extends { kind: 'public' } ? PublicContext : Context;
/** The implementation of a group: the compiler demands every call of the contract. */
export type Service<G extends Group> = {
  [K in keyof G['calls']]: (input: ParsedInputOf<G['calls'][K]>, context: ContextOf<G['calls'][K]>) => Promise<OutputOf<G['calls'][K]>>;
};

export function scopeOf(user_id: number, kind: RoleKind): Scope {
  const all = kind === 'super' || kind === 'administrator';
  const own = (owner: AnyColumn | SQL): SQL => eq(owner as AnyColumn, user_id);
  const ownAndCustomers = (owner: AnyColumn | SQL): SQL => sql`${owner} IN (
    WITH RECURSIVE people AS (
      SELECT ${user_id}::bigint AS id
      UNION SELECT user_account.id FROM user_account JOIN people ON user_account.superior_id = people.id
    ) SELECT id FROM people)`;
  if (all) return { sees: () => undefined, changes: () => undefined, owner_id: user_id, all };
  return { sees: kind === 'agent' ? ownAndCustomers : own, changes: own, owner_id: user_id, all };
}

/** An administrator who acts as a user changes nothing that proves that one's identity, and leaves nothing behind that would work on after him. */
export function refuseImpersonator({ actor }: Pick<Context, 'actor'>): void {
  if (actor.impersonator) throw new AppError(403, 'user.acting');
}

/** Whoever may have commands run on servers: a super administrator in person. Nodes alone do not make one. */
export function refuseUnlessSuper({ actor }: Pick<Context, 'actor'>): void {
  if (actor.role.kind !== 'super' || actor.api_token || actor.impersonator) throw new AppError(403, 'server_list.super_only');
}

export function mayCall(access: Access, actor: Actor | undefined): boolean {
  if (access.kind === 'public') return true;
  if (!actor) return false;
  if (actor.is_enrolling) return access.kind === 'login' && access.enrolling === true;
  return access.kind === 'login' || access.nodes.some((node) => actor.nodes.has(node));
}

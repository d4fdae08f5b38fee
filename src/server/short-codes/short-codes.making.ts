import { createHash } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import { requestingTypes } from '../../contract/links/platform-config.ts';
import { type MadeLink, maxMade, maxRequested, type ShortCode, type shortCodeGroup } from '../../contract/links/short-code.ts';
import { domain } from '../domains/domains.table.ts';
import { coveredPlaces, placeKey, wholeHost } from '../forwards/forwards.public.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { emitEvents } from '../kit/messages/events.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { readSecret } from '../kit/secrets.ts';
import { visitUrl } from '../kit/visits/visit-address.ts';
import { reservedFileNames } from '../kit/visits/visit-paths.ts';
import { urlFault } from '../live-codes/live-codes.public.ts';
import { live_code } from '../live-codes/live-codes.table.ts';
import { refuseOverQuota } from '../orders/quotas.public.ts';
import { chooseMeans, type Destination, type Draft, draftLink, type Means } from './drafts.ts';
import { mayChange, readShortCodes, told } from './short-codes.public.ts';
import { short_code } from './short-codes.table.ts';
import { failureOf, keepOutcome, wordsOf } from './url-key-platform.reads.ts';
import { randomText } from './url-key-platform.templates.ts';

type Calls = (typeof shortCodeGroup)['calls'];
type AddInput = ParsedInputOf<Calls['add']>;
type Failure = ReturnType<typeof failureOf>;

const pathTries = 10;
/** A statement has 65,535 parameters at most. */
const rowsAtOnce = 1000;
/** So many requests wait for a platform at once, and so long for all of them together. */
const atOnce = 5;
const maxMilliseconds = 45_000;

/** One thing that was asked for: what it is for, and how it went. */
type Wanted = { destination: Destination; key: string; draft?: Draft; failure?: Failure; id?: number };

const entry = alias(domain, 'entry');

/** The live codes as destinations, in the order of the ids. 404 unless the caller may change every one. */
export async function codeDestinations(ids: readonly number[], { db, scope, settings }: Context): Promise<Destination[]> {
  if (ids.length === 0) return [];
  const found = await db
    .select({
      id: live_code.id,
      owner_id: live_code.owner_id,
      file_name: live_code.file_name,
      access_mode: live_code.access_mode,
      entry: { host: entry.host, enabled: entry.enabled },
    })
    .from(live_code)
    .leftJoin(entry, eq(entry.id, live_code.entry_domain_id))
    .where(and(isOneOf(live_code.id, ids), scope.changes(live_code.owner_id), eq(live_code.removed, false)));
  const byId = new Map(found.map((code) => [code.id, code]));
  const address = { scheme: (await settings()).visit_scheme, signingKey: await readSecret(db, 'visit_signing') };
  return ids.map((id) => {
    const code = byId.get(id);
    if (!code) throw notFound();
    return { live_code_id: id, url: null, owner_id: code.owner_id, address: visitUrl(code, code.entry, address) };
  });
}

/** The same request of the same person asks for the same link: its key is made of both and of the place in the request. */
function keyOf(user_id: number, request_key: string, index: number): string {
  const hash = createHash('sha256').update(`${user_id} ${request_key} ${index}`).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20, 32)}`;
}

function checkSize({ live_code_ids = [], urls = [], short }: AddInput, { platform }: Means): void {
  const number = live_code_ids.length + urls.length;
  if (number === 0) throw invalidField('urls', 'required');
  const most = platform && requestingTypes.includes(platform.config.type) ? maxRequested : maxMade;
  if (number > most) throw new AppError(400, 'short_code.too_many', { params: { maximum: most } });
  if (short !== undefined && number > 1) throw invalidField('short', 'single_only');
  if (short !== undefined && reservedFileNames.includes(short)) throw invalidField('short', 'reserved');
}

/** Makes links, each with its own result: what fails takes none of the others with it. */
export async function addShortCodes(input: AddInput, network: GuardedNetwork, context: Context) {
  const { db, actor, scope, settings, language } = context;
  const means = await chooseMeans(input, context);
  checkSize(input, means);
  const { visit_scheme, jump_schemes } = await settings();
  const urls = (input.urls ?? []).map((url): Destination => ({ live_code_id: null, url, owner_id: scope.owner_id, address: url }));
  const destinations = [...(await codeDestinations(input.live_code_ids ?? [], context)), ...urls];
  const wanted = destinations.map((destination, index): Wanted => {
    const fault = destination.url === null ? undefined : urlFault(destination.url, jump_schemes);
    const key = keyOf(actor.user_id, input.request_key, index);
    return { destination, key, ...(fault ? { failure: { code: `field.${fault}` } } : {}) };
  });

  await findMade(wanted, db);
  const tools = { db, network, scheme: visit_scheme, places: new Map() };
  await eachAtOnce(
    wanted.filter(({ id, failure }) => id === undefined && !failure),
    async (want) => {
      want.draft = await draftLink(want.destination, means, tools);
    },
  );
  const fresh = await transact(db, async (tx) => {
    await settleOwners(wanted, { ...context, db: tx });
    const made = await keepDrafts(wanted, input, tx);
    if (means.platform) await keepOutcome(tx, means.platform.id, { made: made.length, failure: platformFailure(wanted) });
    const rows = await readShortCodes(made, { ...context, db: tx });
    await emitEvents(
      tx,
      rows.map((row) => ({ type: 'short_code.created', owner_id: row.owner_id, data: told(row) })),
    );
    await recordAct(tx, { ...context, db: tx }, { type: 'short_code/add', content: input, changes: { after: rows.map(told) } });
    return made;
  });
  const rows = await readShortCodes(
    wanted.flatMap(({ id }) => id ?? []),
    context,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const results = wanted.map(({ destination: { live_code_id, url }, id = null, failure }): MadeLink => {
    const row = byId.get(id ?? 0);
    return { live_code_id, url, id, short_url: row?.short_url ?? null, error: row || !failure ? null : wordsOf(language, failure) };
  });
  return { added: fresh.length, results };
}

/** The last thing that went wrong at the platform itself. */
const platformFailure = (wanted: readonly Wanted[]): Failure | undefined =>
  wanted.findLast(({ failure }) => failure && /^(platform|outgoing)\./.test(failure.code))?.failure;

async function findMade(wanted: readonly Wanted[], db: Database): Promise<void> {
  const keys = sql`${short_code.request_key} = ANY(${sql.param(wanted.map(({ key }) => key))}::uuid[])`;
  const found = await db.select({ id: short_code.id, key: short_code.request_key }).from(short_code).where(keys);
  const byKey = new Map(found.map(({ id, key }) => [key, id]));
  for (const want of wanted) {
    const id = byKey.get(want.key);
    if (id !== undefined) want.id = id;
  }
}

/** Works on some at a time; what fails is kept as that one's failure, and what isn't begun in time fails, too. */
async function eachAtOnce(wanted: readonly Wanted[], work: (want: Wanted) => Promise<void>): Promise<void> {
  const waiting = [...wanted];
  const endsAt = performance.now() + maxMilliseconds;
  const worker = async () => {
    for (let want = waiting.shift(); want; want = waiting.shift()) {
      if (performance.now() > endsAt) want.failure = { code: 'platform.out_of_time' };
      else
        await work(want).catch((error: unknown) => {
          if (want) want.failure = failureOf(error);
        });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** A code may have gone to another owner while a platform was asked: its links are its owner's, and none of who lost it. */
async function settleOwners(wanted: readonly Wanted[], { db, scope }: Context): Promise<void> {
  const ids = wanted.flatMap(({ destination, draft }) => (draft ? (destination.live_code_id ?? []) : []));
  const codes = await db
    .select({ id: live_code.id, owner_id: live_code.owner_id })
    .from(live_code)
    .where(and(isOneOf(live_code.id, ids), scope.changes(live_code.owner_id)))
    .for('key share');
  const owners = new Map(codes.map(({ id, owner_id }) => [id, owner_id]));
  for (const want of wanted) {
    const { live_code_id } = want.destination;
    if (!want.draft || live_code_id === null) continue;
    const owner_id = owners.get(live_code_id);
    if (owner_id === undefined) want.failure = { code: 'not_found' };
    else want.destination = { ...want.destination, owner_id };
  }
}

/** Keeps what was drafted, and answers the ids. Paths are generated until all are free; a path of one's own that is taken is refused. */
async function keepDrafts(wanted: readonly Wanted[], input: AddInput, tx: Database): Promise<number[]> {
  const made: number[] = [];
  for (let attempt = 1; attempt <= pathTries; attempt += 1) {
    const open = wanted.filter(({ id, draft, failure }) => id === undefined && draft && !failure);
    if (open.length === 0) return made;
    const rows = open.flatMap(({ destination, draft, key }) => (draft ? [rowOf(destination, draft, key, input)] : []));
    const covered = await coveredRows(rows, tx);
    const kept = await insertRows(
      rows.filter(({ request_key }) => !covered.has(request_key)),
      tx,
    );
    made.push(...kept.map(({ id }) => id));
    const byKey = new Map(kept.map(({ id, key }) => [key, id]));
    for (const want of open) {
      const id = byKey.get(want.key);
      if (id !== undefined) want.id = id;
    }
    // The same request at the same time may have been first.
    await findMade(wanted, tx);
    for (const want of open) {
      if (want.id !== undefined) continue;
      if (covered.get(want.key) === wholeHost) {
        want.failure = { code: 'short_code.host_forwarded' };
      } else if (want.draft?.short && covered.has(want.key)) {
        if (input.short !== undefined) throw invalidField('short', 'taken_by_forward');
        want.failure = { code: 'platform.path_taken' };
      } else if (want.draft?.short) {
        if (input.short !== undefined) throw invalidField('short', 'taken');
        want.failure = { code: 'platform.path_taken' };
      }
    }
  }
  throw new Error(`no free path in ${pathTries} tries`);
}

/** Rows by their keys whose address a forward answers in their place: nobody would ever reach them. */
async function coveredRows(rows: readonly ReturnType<typeof rowOf>[], tx: Database): Promise<Map<string, string>> {
  const places = rows.flatMap(({ domain_id, short, request_key }) =>
    domain_id && short ? [{ request_key, place: { domain_id, name: short } }] : [],
  );
  const covered = await coveredPlaces(
    tx,
    places.map(({ place }) => place),
  );
  return new Map(
    places.flatMap(({ request_key, place }) => {
      const path = covered.get(placeKey(place));
      return path === undefined ? [] : [[request_key, path] as const];
    }),
  );
}

async function insertRows(rows: readonly (typeof short_code.$inferInsert)[], tx: Database) {
  const kept = [];
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce);
    const fields = { id: short_code.id, key: short_code.request_key };
    kept.push(...(await tx.insert(short_code).values(some).onConflictDoNothing().returning(fields)));
  }
  const owners = [...new Set(rows.map(({ owner_id }) => owner_id))].sort((one, other) => one - other);
  for (const owner_id of owners) await refuseOverQuota(tx, owner_id, 'short_codes', kept.length);
  return kept;
}

function rowOf({ live_code_id, url, owner_id }: Destination, draft: Draft, request_key: string, { expires_at, remark }: Partial<AddInput>) {
  return {
    ...placed(draft),
    live_code_id,
    url,
    owner_id,
    request_key,
    ...(expires_at ? { expires_at } : {}),
    ...(remark ? { remark } : {}),
  };
}

/** The columns of a draft, with a path where it has none yet. */
function placed({ length, linkOf, ...draft }: Draft) {
  if (!draft.domain_id) return draft;
  const short = draft.short ?? randomText(length);
  return { ...draft, short, platform_url: linkOf ? linkOf(short) : (draft.platform_url ?? null) };
}

/** Gives a link a new address; the old one is gone with this, unless another platform holds it. */
export async function regenerateShortCode(
  { id, short_url, ...chosen }: ParsedInputOf<Calls['regenerate']>,
  network: GuardedNetwork,
  context: Context,
): Promise<ShortCode> {
  const { db, scope, settings } = context;
  if (chosen.short !== undefined && reservedFileNames.includes(chosen.short)) throw invalidField('short', 'reserved');
  const [stored] = await db
    .select()
    .from(short_code)
    .where(and(eq(short_code.id, id), mayChange(scope)));
  const [before] = await readShortCodes([id], context);
  if (!stored || !before) throw notFound();
  if (before.short_url !== short_url) throw new AppError(409, 'conflict.changed');
  const isAsBefore = chosen.domain_id === undefined && chosen.platform_id === undefined;
  const asBefore = stored.platform_id ? { platform_id: stored.platform_id } : { domain_id: stored.domain_id ?? undefined };
  const means = await chooseMeans({ ...(isAsBefore ? asBefore : chosen), short: chosen.short }, context);
  const destination = await destinationOf(stored, context);
  const draft = await draftLink(destination, means, { db, network, scheme: (await settings()).visit_scheme, places: new Map() }).catch(
    async (error: unknown) => {
      if (means.platform) await keepOutcome(db, means.platform.id, { made: 0, failure: failureOf(error) });
      throw error;
    },
  );
  return transact(db, async (tx) => {
    const within = { ...context, db: tx };
    await tx.select({ id: short_code.id }).from(short_code).where(eq(short_code.id, id)).for('update');
    const [present] = await readShortCodes([id], within);
    if (present?.short_url !== short_url) throw new AppError(409, 'conflict.changed');
    const columns = await freePath(draft, tx);
    await tx
      .update(short_code)
      .set({ ...columns, updated_at: sql`now()` })
      .where(eq(short_code.id, id));
    if (means.platform) await keepOutcome(tx, means.platform.id, { made: 1, failure: undefined });
    const [after] = await readShortCodes([id], within);
    if (!after) throw notFound();
    await emitEvents(tx, [{ type: 'short_code.changed', owner_id: after.owner_id, data: { ...told(after), before: short_url } }]);
    const content = { id, short_url, ...chosen };
    await recordAct(tx, within, { type: 'short_code/regenerate', content, changes: { before: told(present), after: told(after) } });
    return after;
  });
}

async function destinationOf({ live_code_id, url, owner_id }: typeof short_code.$inferSelect, context: Context): Promise<Destination> {
  if (live_code_id === null) return { live_code_id, url, owner_id, address: url };
  const [destination] = await codeDestinations([live_code_id], context);
  if (!destination) throw notFound();
  return { ...destination, owner_id };
}

/** The columns of a draft with a path that is free on its domain; the constraint has the last word where two want the same. */
async function freePath(draft: Draft, tx: Database) {
  for (let attempt = 1; attempt <= pathTries; attempt += 1) {
    const columns = placed(draft);
    if (!columns.domain_id || !columns.short) return columns;
    const isTaken = and(eq(short_code.domain_id, columns.domain_id), eq(short_code.short, columns.short));
    const place = { domain_id: columns.domain_id, name: columns.short };
    const rule = (await coveredPlaces(tx, [place])).get(placeKey(place));
    if (rule === wholeHost) throw new AppError(409, 'short_code.host_forwarded');
    if (rule === undefined && (await tx.$count(short_code, isTaken)) === 0) return columns;
    if (draft.short) throw invalidField('short', rule === undefined ? 'taken' : 'taken_by_forward');
  }
  throw new Error(`no free path in ${pathTries} tries`);
}

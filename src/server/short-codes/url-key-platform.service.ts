import { and, asc, eq, sql } from 'drizzle-orm';
import type { PlatformConfig } from '../../contract/links/platform-config.ts';
import type { Platform, PlatformTest, urlKeyPlatform } from '../../contract/links/url-key-platform.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound, violatedConstraint } from '../kit/calls/errors.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Database } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { contains, equals, isOneOf, list } from '../kit/rows/list.ts';
import type { Vault } from '../kit/vault.ts';
import { file } from '../uploads/uploads.table.ts';
import { areOpenToAll, findPlace, newLabel, ownLink } from './places.ts';
import { short_code, url_key_platform } from './short-codes.table.ts';
import { checkTunnel, joined, type Making, makeLink, newTrace } from './url-key-platform.making.ts';
import { failureOf, keptWords, keyLabel, openPlatform, wordsOf } from './url-key-platform.reads.ts';
import { randomText } from './url-key-platform.templates.ts';

const fields = {
  id: url_key_platform.id,
  name: url_key_platform.name,
  type: url_key_platform.type,
  config: url_key_platform.config,
  picture_url: sql<
    string | null
  >`(SELECT '/file/' || file.name FROM file WHERE file.id::text = ${url_key_platform.config} ->> 'picture_id')`,
  has_key: sql<boolean>`${url_key_platform.key} IS NOT NULL`,
  enabled: url_key_platform.enabled,
  sort: url_key_platform.sort,
  remark: url_key_platform.remark,
  used: url_key_platform.used,
  last_error: url_key_platform.last_error,
  last_error_at: url_key_platform.last_error_at,
  created_at: url_key_platform.created_at,
  updated_at: url_key_platform.updated_at,
};

const shown = (row: Platform, { language }: Pick<Context, 'language'>): Platform => ({
  ...row,
  last_error: keptWords(language, row.last_error),
});

async function rowOf(id: number, context: Context): Promise<Platform> {
  const [row] = await context.db.select(fields).from(url_key_platform).where(eq(url_key_platform.id, id));
  if (!row) throw notFound();
  return shown(row, context);
}

const sealKey = (vault: Vault, id: number, key: string): Buffer => vault.seal(Buffer.from(key), keyLabel(id));

const sayTaken = (error: unknown): never => {
  throw violatedConstraint(error) === 'url_key_platform_name_key' ? invalidField('name', 'taken') : error;
};

/** 400 where a config names a domain or picture that isn't there. A platform is everybody's, and so must its domain be. */
async function checkReferences(config: PlatformConfig, db: Database): Promise<void> {
  if ('domain_id' in config && config.domain_id && !(await areOpenToAll(db, [config.domain_id])))
    throw invalidField('config.domain_id', 'unknown_domain');
  if (config.type !== 15 || !config.picture_id) return;
  if ((await db.$count(file, eq(file.id, config.picture_id))) === 0) throw invalidField('config.picture_id', 'unknown_file');
}

/** Where a platform's key goes to; undefined where it is sent nowhere. */
const originOf = (config: PlatformConfig): string | undefined => ('url' in config ? new URL(config.url).origin : undefined);
/** A kept key goes to nobody but whom it was typed for: whoever may change an address must not learn the key by it. */
const keepsKey = (before: PlatformConfig, after: PlatformConfig | undefined): boolean => !after || originOf(before) === originOf(after);

const lockPlatforms = (db: Database, ids: readonly number[]) =>
  db
    .select({ id: url_key_platform.id, name: url_key_platform.name, enabled: url_key_platform.enabled })
    .from(url_key_platform)
    .where(isOneOf(url_key_platform.id, ids))
    .orderBy(asc(url_key_platform.id))
    .for('update');

/** A link as this config would make it: asked for where it is asked for, else only shown. */
async function tryOut(config: PlatformConfig, making: Making, { db, scope, settings }: Context): Promise<string> {
  const { visit_scheme } = await settings();
  const sample = async (wildcard = false): Promise<string> => {
    const wished = 'domain_id' in config ? config.domain_id : null;
    const place = await findPlace(db, scope.owner_id, { id: wished, wildcard });
    if (!place) throw new AppError(409, wildcard ? 'platform.no_wildcard_domain' : 'platform.no_domain');
    return ownLink(visit_scheme, { ...place, label: newLabel(), short: randomText(6) });
  };
  switch (config.type) {
    case 3:
    case 11:
    case 15:
      return sample();
    case 13:
      return sample(true);
    case 6:
      await checkTunnel(config, making);
      return joined(config.base_url, randomText(6));
    case 12:
      return makeLink(config, { ...making, destination: await sample() });
    default:
      return makeLink(config, making);
  }
}

/** The platforms that make short links: kept with sealed keys, tried out with what they send and get. */
export const createUrlKeyPlatformService = (network: GuardedNetwork): Service<typeof urlKeyPlatform> => ({
  async inquire({ search, type, enabled, failing, ...input }, context) {
    const page = await list(context.db, input, {
      fields,
      from: url_key_platform,
      where: and(
        contains([url_key_platform.name, url_key_platform.remark], search),
        equals(url_key_platform.type, type),
        equals(url_key_platform.enabled, enabled),
        failing === undefined ? undefined : sql`(${url_key_platform.last_error} IS NOT NULL) = ${failing}`,
      ),
      sorts: url_key_platform,
      key: url_key_platform.id,
    });
    return { ...page, content: page.content.map((row) => shown(row, context)) };
  },

  async add({ key, config, ...input }, context) {
    const { db, vault, audit } = context;
    await checkReferences(config, db);
    const values = { ...input, config, type: config.type };
    const [made] = await db.insert(url_key_platform).values(values).returning({ id: url_key_platform.id }).catch(sayTaken);
    if (!made) throw new Error('the platform row was not returned');
    if (key)
      await db
        .update(url_key_platform)
        .set({ key: sealKey(vault, made.id, key) })
        .where(eq(url_key_platform.id, made.id));
    const row = await rowOf(made.id, context);
    audit({ after: row });
    return row;
  },

  async update({ id, key, config, ...input }, context) {
    const { db, vault, audit } = context;
    await lockPlatforms(db, [id]);
    const before = await rowOf(id, context);
    if (config) await checkReferences(config, db);
    if (before.has_key && key === undefined && !keepsKey(before.config, config)) throw invalidField('key', 'key_again');
    const sealed = key === undefined ? {} : { key: key === null ? null : sealKey(vault, id, key) };
    // What went wrong before is no longer about this platform.
    const fresh = config || key !== undefined ? { last_error: null, last_error_at: null } : {};
    await db
      .update(url_key_platform)
      .set({ ...input, ...sealed, ...fresh, ...(config ? { config, type: config.type } : {}), updated_at: sql`now()` })
      .where(eq(url_key_platform.id, id))
      .catch(sayTaken);
    const after = await rowOf(id, context);
    const changes = changesBetween(before, after);
    audit(key ? { before: changes.before, after: { ...changes.after, key: '***' } } : changes);
    return after;
  },

  async update_enabled({ ids, enabled }, { db, audit }) {
    const rows = await lockPlatforms(db, ids);
    const changed = rows.filter((row) => row.enabled !== enabled);
    const own = changed.map((row) => row.id);
    await db.update(url_key_platform).set({ enabled, updated_at: sql`now()` }).where(isOneOf(url_key_platform.id, own));
    audit({ before: changed.map(({ id, name }) => ({ id, name, enabled: !enabled })), after: { enabled } });
    return { affected: rows.length };
  },

  async test({ id, config, key, url }, context) {
    const saved = id === undefined ? undefined : await openPlatform(context.db, context.vault, id);
    if (id !== undefined && !saved) throw notFound();
    const tried = config ?? saved?.config;
    if (!tried) throw invalidField('config', 'required');
    if (config) await checkReferences(config, context.db);
    const trace = newTrace();
    const kept = saved && keepsKey(saved.config, config) ? saved.key : undefined;
    const making = { network, key: key ?? (key === null ? undefined : kept), destination: url, trace };
    const result = await tryOut(tried, making, context).then(
      (link) => ({ link, error: null }),
      (error: unknown) => ({ link: null, error: wordsOf(context.language, failureOf(error)) }),
    );
    const { key: _key, ...content } = { id, config, key, url };
    await recordAct(context.db, context, { type: 'url_key_platform/test', content, changes: { after: result } });
    return { ...result, ...trace } satisfies PlatformTest;
  },

  async remove({ ids }, { db, audit }) {
    const rows = await lockPlatforms(db, ids);
    for (const { id, name } of rows) {
      const count = await db.$count(short_code, eq(short_code.platform_id, id));
      if (count > 0) throw new AppError(409, 'platform.in_use', { params: { name, count } });
    }
    await db.delete(url_key_platform).where(isOneOf(url_key_platform.id, ids));
    audit({ before: rows });
    return { affected: rows.length };
  },
});

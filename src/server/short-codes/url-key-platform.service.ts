import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { PlatformConfig } from '../../contract/links/platform-config.ts';
import type { Platform, PlatformTest, urlKeyPlatform } from '../../contract/links/url-key-platform.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Database } from '../kit/postgres/database.ts';
import { contains, matches } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
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

const sealKey = (vault: Vault, id: number, key: string): Buffer => vault.seal(Buffer.from(key), keyLabel(id));

/** 400 where a config names a domain or picture that isn't there. A platform is everybody's, and so must its domain be. */
async function checkReferences(config: PlatformConfig, db: Database): Promise<void> {
  if ('domain_id' in config && config.domain_id && !(await areOpenToAll(db, [config.domain_id])))
    throw invalidField('config.domain_id', 'unknown_domain');
  if (config.type !== 15 || !config.picture_id) return;
  if ((await db.$count(file, eq(file.id, config.picture_id))) === 0) throw invalidField('config.picture_id', 'unknown_file');
}

/** Where a platform's key goes to; undefined where it is sent nowhere. */
const originOf = (config: PlatformConfig): string | undefined => ('url' in config ? new URL(config.url).origin : undefined);
/** A kept key goes to the address only that it was typed for: an operator who may change an address must not learn the key by it. */
const keepsKey = (before: PlatformConfig, after: PlatformConfig | undefined): boolean => !after || originOf(before) === originOf(after);

const rows = rowsOf(url_key_platform, {
  fields,
  unique: { url_key_platform_name_key: 'name' },
  async check({ config, key }, { db }, before) {
    if (config) await checkReferences(config, db);
    if (before?.key && key === undefined && !keepsKey(before.config, config)) throw invalidField('key', 'key_again');
    // What went wrong before is no longer about this platform.
    const fresh = config || key !== undefined ? { last_error: null, last_error_at: null } : {};
    return { ...fresh, ...(config ? { type: config.type } : {}) };
  },
});

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

/** Those that are on, in the order of their ranks. */
const readChoices = (db: Database) =>
  db
    .select({ id: url_key_platform.id, name: url_key_platform.name, type: url_key_platform.type })
    .from(url_key_platform)
    .where(eq(url_key_platform.enabled, true))
    .orderBy(desc(url_key_platform.sort), asc(url_key_platform.id));

/** The platforms that make short links: kept with sealed keys, tried out with what they send and get. */
export const createUrlKeyPlatformService = (network: GuardedNetwork): Service<typeof urlKeyPlatform> => ({
  async inquire({ search, type, enabled, failing, data_only = false, ...input }, context) {
    if (data_only) return { content: await readChoices(context.db) };
    if (!context.actor.nodes.has('url_key_platform')) throw new AppError(403, 'forbidden');
    const found = contains([url_key_platform.name, url_key_platform.remark], search);
    const isFailing = failing === undefined ? undefined : sql`(${url_key_platform.last_error} IS NOT NULL) = ${failing}`;
    const page = await rows.page(input, context, and(found, matches(url_key_platform, { type, enabled }), isFailing));
    return { ...page, content: page.content.map((row) => shown(row, context)) };
  },

  async add({ key, ...input }, context) {
    const { id } = await rows.add({ ...input, type: input.config.type }, context);
    if (key)
      await context.db
        .update(url_key_platform)
        .set({ key: sealKey(context.vault, id, key) })
        .where(eq(url_key_platform.id, id));
    const row = shown(await rows.read(id, context), context);
    context.audit({ after: row });
    return row;
  },

  async update({ key, ...input }, context) {
    const sealed = key === undefined ? {} : { key: key === null ? null : sealKey(context.vault, input.id, key) };
    return shown(await rows.change({ ...input, ...sealed }, context), context);
  },

  update_enabled: rows.setEnabled,

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

  async remove({ ids }, context) {
    for (const { id, name } of await rows.lock(ids, context)) {
      const count = await context.db.$count(short_code, eq(short_code.platform_id, id));
      if (count > 0) throw new AppError(409, 'platform.in_use', { params: { name, count } });
    }
    return rows.remove({ ids }, context);
  },
});

import { and, eq, sql } from 'drizzle-orm';
import type { Detector, DetectorConfig, detectors } from '../../contract/detection/detectors.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField, notFound } from '../kit/calls/errors.ts';
import { guardedUrl } from '../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { publish } from '../kit/postgres/bus.ts';
import { contains, matches } from '../kit/rows/list.ts';
import { rowsOf } from '../kit/rows/rows.ts';
import type { Vault } from '../kit/vault.ts';
import { detector } from './detection.table.ts';
import { newTrace } from './detectors/asking.ts';
import { ask, mayAsk } from './detectors/detector.ts';
import { failureWords, shownFinding } from './detectors/findings.ts';
import { readHealth } from './detectors/health.reads.ts';
import { keyLabel, openKey } from './detectors/open-detectors.ts';
import { readAddress } from './monitors/addresses.ts';

const fields = {
  id: detector.id,
  name: detector.name,
  kind: detector.kind,
  config: detector.config,
  has_key: sql<boolean>`${detector.key} IS NOT NULL`,
  timeout_ms: detector.timeout_ms,
  weight: detector.weight,
  sort: detector.sort,
  per_second: detector.per_second,
  per_day: detector.per_day,
  enabled: detector.enabled,
  stopped_until: detector.stopped_until,
  last_error: detector.last_error,
  last_error_params: detector.last_error_params,
  last_error_at: detector.last_error_at,
  last_used_at: detector.last_used_at,
  created_at: detector.created_at,
  updated_at: detector.updated_at,
};

/** Where a detector's key goes to; undefined where it is sent nowhere. */
function originOf(config: DetectorConfig): string | undefined {
  if (config.kind !== 'http_api') return undefined;
  const url = config.url.replaceAll(/\{\w+\}/g, 'x');
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

/** A kept key goes to the address only that it was typed for: an operator who may change an address must not learn the key by it. */
const keepsKey = (before: DetectorConfig, after: DetectorConfig | undefined): boolean => !after || originOf(before) === originOf(after);

/** 400 at the address of a config that may not be asked at all. The values of its gaps are told only when it is. */
function checkConfig(config: DetectorConfig, network: GuardedNetwork): void {
  if (config.kind !== 'gateway' && config.kind !== 'http_api') return;
  if (config.kind === 'gateway' && config.url === '') return;
  try {
    network.checkHost(guardedUrl(config.url.replaceAll(/\{\w+\}/g, 'x')).href);
  } catch (error) {
    throw invalidField('config.url', error instanceof AppError ? 'invalid_url' : 'refused_address');
  }
}

const rows = rowsOf(detector, {
  fields,
  unique: { detector_name_key: 'name' },
  async check({ config, key }, _context, before) {
    if (!config) return undefined;
    if (before && before.kind !== config.kind) throw invalidField('config.kind', 'cannot_change');
    if (before?.key && key === undefined && !keepsKey(before.config, config)) throw invalidField('key', 'key_again');
    return { kind: config.kind };
  },
});

type Row = Omit<Detector, 'health' | 'used_today'> & {
  last_error: string | null;
  last_error_params: Record<string, string | number> | null;
  last_error_at: string | null;
};

async function shown(found: readonly Row[], { db, language }: Pick<Context, 'db' | 'language'>): Promise<Detector[]> {
  const health = await readHealth(
    db,
    found.map(({ id }) => id),
  );
  return found.map(({ last_error, last_error_params, last_error_at, ...row }) => {
    const { used_today, ...counted } = health.of(row.id);
    const error = failureWords(language, last_error === null ? null : { key: last_error, params: last_error_params ?? {} });
    return { ...row, used_today, health: { ...counted, last_error: error, last_error_at } };
  });
}

async function shownOne(row: Row, context: Context): Promise<Detector> {
  const [one] = await shown([row], context);
  if (!one) throw notFound();
  return one;
}

const sealed = (vault: Vault, id: number, key: string): Buffer => vault.seal(Buffer.from(key), keyLabel(id));
/** One that is changed begins anew: what went wrong before is no longer about it. */
const fresh = {
  failures: 0,
  stops: 0,
  stopped_at: null,
  stopped_until: null,
  last_error: null,
  last_error_params: null,
  last_error_at: null,
};

/** What asks whether messengers block an address: kept with sealed keys, tried out with what they send and get. */
export const createDetectorsService = (network: GuardedNetwork): Service<typeof detectors> => ({
  async inquire({ name, kind, enabled, ...input }, context) {
    const page = await rows.page(input, context, and(contains(detector.name, name), matches(detector, { kind, enabled })));
    return { ...page, content: await shown(page.content, context) };
  },

  async add({ key, ...input }, context) {
    checkConfig(input.config, network);
    const { id } = await rows.add({ ...input, kind: input.config.kind }, context);
    if (key)
      await context.db
        .update(detector)
        .set({ key: sealed(context.vault, id, key) })
        .where(eq(detector.id, id));
    const row = await shownOne(await rows.read(id, context), context);
    context.audit({ after: row });
    await publish(context.db, 'domain_monitor', null);
    return row;
  },

  async update({ key, ...input }, context) {
    if (input.config) checkConfig(input.config, network);
    const changed = { ...input, ...(key ? { key: sealed(context.vault, input.id, key) } : {}) };
    const isOther = key || input.config || input.timeout_ms || input.enabled;
    const row = await rows.change({ ...changed, ...(isOther ? fresh : {}) }, context);
    return shownOne(row, context);
  },

  update_enabled: rows.setEnabled,
  update_sort: async (input, context) => shownOne(await rows.setSort(input, context), context),
  remove: rows.remove,

  async test({ url, id, config, key, timeout_ms = 8000 }, context) {
    const [saved] = id === undefined ? [] : await context.db.select().from(detector).where(eq(detector.id, id));
    if (id !== undefined && !saved) throw notFound();
    checkConfig(config, network);
    const address = readAddress(url, context.scope);
    if ('fault' in address) throw invalidField('url', address.fault);
    const settings = await context.settings();
    if (!mayAsk(config, address.host, { settings })) throw invalidField('url', 'not_asked_about');
    const kept = saved && keepsKey(saved.config, config) ? openKey(saved, context.vault) : undefined;
    const trace = newTrace();
    const tried = { id: saved?.id ?? null, name: saved?.name ?? '', config, key: key || kept, timeout_ms };
    const asked = { url: address.url, host: address.host, is_registered: false };
    const finding = await ask(tried, asked, { network, settings, trace, now: () => context.now });
    await recordAct(context.db, context, {
      type: 'we_chat_blocking_detection_configuration/test',
      content: { id, config, url },
      changes: { after: { answer: finding.answer, error: finding.error } },
    });
    return { ...shownFinding(finding, context.language), ...trace };
  },
});

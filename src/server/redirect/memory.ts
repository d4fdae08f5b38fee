import { compileCode, compileTargets } from './compile.ts';
import { createHeld } from './held.ts';
import type { Query } from './leases.queries.ts';
import type { Leases } from './leases.ts';
import { loadCodes, loadOwners } from './load.ts';
import type { Code, LoadedCode, Owner, StoredCode } from './model.ts';
import { loadSite, openSite, reloadSite, type Site, type StoredSite } from './site.ts';

/** One row of the change feed. */
export interface Change {
  kind: string;
  key: string;
}

/** Everything a process knows, which is what its snapshot holds. */
export interface Known {
  site: StoredSite;
  owners: Iterable<Owner>;
  codes: Iterable<StoredCode>;
}

export interface Memory {
  /** Undefined until it was read from the database or a snapshot. */
  site(): Site | undefined;
  /** The code; null where there is none; undefined where the database has to be asked, and can be. */
  find(fileName: string): Code | null | undefined;
  /** The code as it was last known, for when the database does not answer. */
  findKnown(fileName: string): Code | null | undefined;
  /** Reads a code and then calls; all that is wanted in one turn of the event loop is read by one statement. */
  load(fileName: string, done: (isLoaded: boolean) => void): void;
  /** Reads the site, and takes every code as changed: at the start, and when changes may have been missed. */
  reload(): Promise<void>;
  apply(changes: readonly Change[]): Promise<void>;
  /** Ends entries of the blacklist whose time is over. */
  tick(now: number): void;
  restore(known: Known): void;
  known(): Known | undefined;
  /** Grows with everything that a snapshot should hold. */
  version(): number;
  size(): number;
}

interface Options {
  query: Query;
  leases: Leases;
  isConnected: () => boolean;
  /** Codes that are held at most; fewer where their texts are long. */
  limit?: number;
}

interface Loading {
  waiters: ((isLoaded: boolean) => void)[];
  /** It changed while it was being read: what was read may be the old state. */
  is_dirty: boolean;
}

const namesPerStatement = 500;
const rememberedMissing = 20_000;
/** More changes at once than this are not read ahead; each code is when it is visited. */
const readAheadLimit = 2000;
/** What a code takes in memory at the most, and a target beside its text: a few owners with long texts or lists cannot fill the memory. */
const codeBytes = 2000;
const targetBytes = 400;
const siteKinds = ['domain', 'blacklist', 'setting'];

const weightOf = ({ targets, page_text }: Code): number =>
  1 + Math.floor(targets.reduce((sum, { content }) => sum + targetBytes + content.length, page_text.length) / codeBytes);

export function createMemory({ query, leases, isConnected, limit = 50_000 }: Options): Memory {
  const codes = createHeld<Code>(limit, weightOf);
  const missing = createHeld<true>(rememberedMissing);
  const owners = new Map<number, Owner>();
  const loading = new Map<string, Loading>();
  let wanted: string[] = [];
  let site: Site | undefined;
  let version = 0;

  const keepOwner = (owner: Owner): Owner => {
    const known = owners.get(owner.id);
    if (known) return Object.assign(known, owner);
    owners.set(owner.id, owner);
    return owner;
  };

  const keep = (code: StoredCode, owner: Owner): Code => {
    const jump_schemes = site?.settings.jump_schemes ?? [];
    const compiled = compileCode(code, keepOwner(owner), { leases, jump_schemes }, codes.get(code.file_name));
    codes.set(code.file_name, compiled);
    return compiled;
  };

  const want = (fileName: string, waiters: Loading['waiters']): void => {
    loading.set(fileName, { waiters, is_dirty: false });
    if (wanted.push(fileName) === 1) setImmediate(flush);
  };

  const flush = (): void => {
    const names = wanted;
    wanted = [];
    for (let from = 0; from < names.length; from += namesPerStatement) void read(names.slice(from, from + namesPerStatement));
  };

  const read = async (names: string[]): Promise<void> => {
    let loaded: LoadedCode[] | undefined;
    try {
      loaded = await loadCodes(query, names);
    } catch {
      // The visits that wait are answered from what was known before, or told to come again.
    }
    const found = new Map(loaded?.map((one) => [one.code.file_name, one]));
    for (const name of names) {
      const entry = loading.get(name);
      loading.delete(name);
      if (!entry) continue;
      if (entry.is_dirty && loaded) want(name, entry.waiters);
      else finish(name, entry, loaded && (found.get(name) ?? null));
    }
  };

  /** @param result null where the code doesn't exist, undefined where nothing could be read */
  const finish = (name: string, { waiters }: Loading, result: LoadedCode | null | undefined): void => {
    if (result) {
      keep(result.code, result.owner);
      missing.delete(name);
      version += 1;
    } else if (result === null) {
      if (codes.get(name)) version += 1;
      codes.delete(name);
      missing.set(name, true);
    }
    for (const waiter of waiters) waiter(result !== undefined);
  };

  const changeCodes = (names: readonly string[]): void => {
    for (const name of names) {
      const entry = loading.get(name);
      if (entry) entry.is_dirty = true;
      missing.delete(name);
      const code = codes.get(name);
      if (!code) continue;
      code.is_stale = true;
      if (!entry && names.length <= readAheadLimit) want(name, []);
    }
  };

  const changeOwners = async (ids: readonly number[]): Promise<void> => {
    // Codes that are being read bring their owner's state along, perhaps the one before this change.
    for (const entry of loading.values()) entry.is_dirty = true;
    const held = ids.filter((id) => owners.has(id));
    if (held.length === 0) return;
    for (const owner of await loadOwners(query, held)) keepOwner(owner);
    version += 1;
  };

  const openAs = (stored: StoredSite): void => {
    const before = site;
    site = openSite(stored, before, Date.now());
    version += 1;
    // Colours, titles and allowed schemes are part of every finished answer.
    if (before && before.settings !== site.settings) for (const [, code] of codes.entries()) renew(code);
  };

  const renew = (code: Code): void => {
    Object.assign(code, compileTargets(code, { leases, jump_schemes: site?.settings.jump_schemes ?? [] }));
  };

  return {
    site: () => site,
    find(fileName) {
      const code = codes.get(fileName);
      if (code !== undefined) return code.is_stale && isConnected() ? undefined : code;
      return missing.get(fileName) ? null : undefined;
    },
    findKnown: (fileName) => codes.get(fileName) ?? (missing.get(fileName) ? null : undefined),
    load(fileName, done) {
      const entry = loading.get(fileName);
      if (entry) entry.waiters.push(done);
      else want(fileName, [done]);
    },
    async reload() {
      openAs(await loadSite(query));
      missing.clear();
      for (const entry of loading.values()) entry.is_dirty = true;
      for (const [, code] of codes.entries()) code.is_stale = true;
    },
    async apply(changes) {
      const keysOf = (kind: string) => [...new Set(changes.filter((change) => change.kind === kind).map(({ key }) => key))];
      changeCodes(keysOf('code'));
      await changeOwners(keysOf('owner').map(Number));
      const kinds = new Set(changes.map(({ kind }) => kind));
      if (site && siteKinds.some((kind) => kinds.has(kind))) openAs(await reloadSite(query, site.stored, kinds));
    },
    tick(now) {
      if (site && now >= site.blacklist_until) site = openSite(site.stored, site, now);
    },
    restore(known) {
      openAs(known.site);
      for (const owner of known.owners) owners.set(owner.id, owner);
      for (const code of known.codes) {
        const owner = owners.get(code.owner_id);
        if (owner) keep(code, owner).is_stale = true;
      }
    },
    known() {
      if (!site) return undefined;
      const held = [...codes.entries()].map(([, code]) => code);
      const used = new Set(held.map(({ owner }) => owner));
      for (const [id, owner] of owners) if (!used.has(owner)) owners.delete(id);
      return { site: site.stored, owners: owners.values(), codes: held };
    },
    version: () => version,
    size: () => codes.size(),
  };
}

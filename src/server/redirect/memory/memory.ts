import type { SnippetBook } from '../answers/snippets.ts';
import type { Faults } from '../faults.ts';
import type { Alias, Code, LoadedCode, Owner, StoredCode, StoredTarget } from '../model.ts';
import type { Query } from '../rotation/leases.queries.ts';
import type { Leases } from '../rotation/leases.ts';
import { compileCode, compileTargets } from './compile.ts';
import { loadCodes, loadOwners } from './load.ts';
import { createLoadingCache, type LoadingCache } from './loading-cache.ts';
import { codeKeys, readAhead, shortKeys } from './read-ahead.ts';
import { type LoadedShort, loadShorts, readyShort, type Short, type StoredShort, shortWeight } from './shorts.ts';
import { concernsSite, loadSite, openSite, reloadSite, type Site, type StoredSite } from './site.ts';

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
  aliases: Iterable<Omit<Alias, 'is_stale'>>;
  shorts: Iterable<StoredShort>;
}

export interface Memory {
  /** Undefined until it was read from the database or a snapshot. */
  site(): Site | undefined;
  /** The code that answers under a key; null where there is none; undefined where the database has to be asked, and can be. */
  find(key: string): Code | null | undefined;
  /** The code as it was last known, for when the database does not answer. */
  findKnown(key: string): Code | null | undefined;
  /** The alias that a key is of the code that was found by it; 0 where it is the code's own. */
  aliasOf(key: string): number;
  /** Reads a code and then calls; all that is wanted in one turn of the event loop is read by one statement. */
  load(key: string, done: (isLoaded: boolean) => void): void;
  /** By their domain's id and path: `{domain_id}/{short}`. */
  shorts: Pick<LoadingCache<Short>, 'find' | 'findKnown' | 'load'>;
  /** Reads the site, and takes every code as changed: at the start, and when changes may have been missed. */
  reload(): Promise<void>;
  apply(changes: readonly Change[]): Promise<void>;
  /** Reads codes and short codes that nobody asked for yet, as far as there is room: before the database goes away for a while. */
  readAhead(): Promise<void>;
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
  /** Reads what visits wait for. */
  visitQuery: Query;
  onFault: Faults;
  leases: Leases;
  isConnected: () => boolean;
  /** Whether the database owes an answer to a visit. */
  isDoubted?: () => boolean;
  /** Codes that are held at most; fewer where their texts are long. */
  limit?: number;
}

/** What a code takes in memory at the most, and a target beside its text: a few owners with long texts or lists cannot fill the memory. */
const codeBytes = 2000;
const targetBytes = 400;
const targetWeight = ({ content, rules }: StoredTarget): number =>
  targetBytes + content.length + (rules === null ? 0 : JSON.stringify(rules).length);
const weightOf = ({ targets, page_text }: Code): number =>
  1 + Math.floor(targets.reduce((sum, target) => sum + targetWeight(target), page_text.length) / codeBytes);

const isAlias = (held: Code | Alias): held is Alias => 'alias_id' in held;

export function createMemory({
  query,
  visitQuery,
  onFault,
  leases,
  isConnected,
  isDoubted = () => false,
  limit = 50_000,
}: Options): Memory {
  const owners = new Map<number, Owner>();
  let site: Site | undefined;
  let version = 0;
  let tickedAt = 0;
  const onChange = () => {
    version += 1;
  };

  const keepOwner = (owner: Owner): Owner => {
    const known = owners.get(owner.id);
    if (known) return Object.assign(known, owner);
    owners.set(owner.id, owner);
    return owner;
  };

  const compiler = () => ({ leases, jump_schemes: site?.settings.jump_schemes ?? [], snippets: site?.snippets });
  const ready = ({ code, owner }: Pick<LoadedCode, 'code' | 'owner'>, before: Code | undefined): Code =>
    compileCode(code, keepOwner(owner), compiler(), before);
  // Under its own key stands the code, under another one an alias: one statement asks for whatever a key is.
  const codes = createLoadingCache<LoadedCode, Code | Alias>({
    read: async (keys) => new Map((await loadCodes(visitQuery, keys)).map((one) => [one.key, one])),
    make({ key, alias_id, ...loaded }, before) {
      if (alias_id !== null) return { key, alias_id, file_name: loaded.code.file_name, is_stale: false };
      return ready(loaded, before && !isAlias(before) ? before : undefined);
    },
    isConnected,
    isDoubted,
    onFault: (error) => onFault('live codes', error),
    onChange,
    limit,
    weightOf: (held) => (isAlias(held) ? 1 : weightOf(held)),
  });
  const shorts = createLoadingCache<LoadedShort, Short>({
    read: async (keys) => new Map((await loadShorts(visitQuery, keys)).map((one) => [one.short.key, one])),
    make: ({ short, owner }) => readyShort(short, keepOwner(owner)),
    isConnected,
    isDoubted,
    onFault: (error) => onFault('short codes', error),
    onChange,
    limit,
    weightOf: shortWeight,
  });

  const heldCodes = (): Code[] => [...codes.values()].filter((held) => !isAlias(held)) as Code[];

  /** What `look` finds under a key, or under the file name that an alias leads to. */
  const throughAlias = (key: string, look: (key: string) => Code | Alias | null | undefined): Code | null | undefined => {
    const held = look(key);
    if (!held || !isAlias(held)) return held;
    const code = look(held.file_name);
    return code && isAlias(code) ? null : code;
  };

  const load: Memory['load'] = (key, done) => {
    const known = codes.find(key);
    if (known && isAlias(known)) return codes.load(known.file_name, done);
    codes.load(key, (isLoaded) => {
      const held = codes.get(key);
      if (held && isAlias(held) && codes.find(held.file_name) === undefined) codes.load(held.file_name, done);
      else done(isLoaded);
    });
  };

  const changeOwners = async (ids: readonly number[]): Promise<void> => {
    // Codes that are being read bring their owner's state along, perhaps the one before this change.
    codes.changeLoading();
    shorts.changeLoading();
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
    if (before && before.settings !== site.settings) for (const code of heldCodes()) renew(code);
    else if (before && before.snippets !== site.snippets) renewSnippets(site.snippets);
  };

  const renewSnippets = (snippets: SnippetBook): void => {
    for (const code of heldCodes()) {
      if (snippets.of(code.owner_id, code.js_config_ids)?.key !== code.snippets?.key) renew(code);
    }
  };

  const renew = (code: Code): void => {
    Object.assign(code, compileTargets(code, compiler(), code));
  };

  return {
    site: () => site,
    find: (key) => throughAlias(key, codes.find),
    findKnown: (key) => throughAlias(key, codes.findKnown),
    aliasOf(key) {
      const held = codes.get(key);
      return held && isAlias(held) ? held.alias_id : 0;
    },
    load,
    shorts,
    async reload() {
      openAs(await loadSite(query));
      codes.changeAll();
      shorts.changeAll();
    },
    async apply(changes) {
      const keysOf = (kind: string) => [...new Set(changes.filter((change) => change.kind === kind).map(({ key }) => key))];
      codes.change(keysOf('code'));
      shorts.change(keysOf('short'));
      await changeOwners(keysOf('owner').map(Number));
      const kinds = new Set(changes.map(({ kind }) => kind));
      if (site && concernsSite(site.stored, kinds)) openAs(await reloadSite(query, site.stored, kinds));
    },
    async readAhead() {
      // Half of the limit is what can come in without anything that visits ask for going out.
      await readAhead(codes, await codeKeys(query, limit / 2));
      await readAhead(shorts, await shortKeys(query, limit / 2));
    },
    tick(now) {
      // Where the clock was set back, entries hold again that had ended.
      const stored = site && now < tickedAt ? { ...site.stored, blacklist: [...site.stored.blacklist] } : site?.stored;
      if (site && stored && (now >= site.blacklist_until || stored !== site.stored)) site = openSite(stored, site, now);
      tickedAt = now;
    },
    restore(known) {
      openAs(known.site);
      for (const owner of known.owners) owners.set(owner.id, owner);
      for (const code of known.codes) {
        const owner = owners.get(code.owner_id);
        if (owner) codes.restore(code.file_name, ready({ code, owner }, undefined));
      }
      for (const alias of known.aliases) codes.restore(alias.key, { ...alias, is_stale: true });
      for (const short of known.shorts) {
        const owner = owners.get(short.owner_id);
        if (owner) shorts.restore(short.key, readyShort(short, owner));
      }
    },
    known() {
      if (!site) return undefined;
      const [present, aliases, heldShorts] = [heldCodes(), [...codes.values()].filter(isAlias), [...shorts.values()]];
      const used = new Set([...present, ...heldShorts].map(({ owner }) => owner));
      for (const [id, owner] of owners) if (!used.has(owner)) owners.delete(id);
      return { site: site.stored, owners: owners.values(), codes: present, aliases, shorts: heldShorts };
    },
    version: () => version,
    size: () => codes.size(),
  };
}

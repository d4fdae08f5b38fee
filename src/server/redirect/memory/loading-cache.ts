import { LateAnswer } from './database.ts';
import { createLruCache } from './lru-cache.ts';

/** Rows that are read when they are first asked for, and again after they changed. */
export interface LoadingCache<T> {
  /** The row; null where there is none; undefined where the database has to be asked, and can be. */
  find(key: string): T | null | undefined;
  /** The row as it was last known, for when the database does not answer. */
  findKnown(key: string): T | null | undefined;
  /** Reads a row and then calls; all that is wanted in one turn of the event loop is read by one statement. */
  load(key: string, done: (isLoaded: boolean) => void): void;
  /** What is known of these rows is old. */
  change(keys: readonly string[]): void;
  /** What is being read at this moment may be the old state. */
  changeLoading(): void;
  /** Everything may have changed. */
  changeAll(): void;
  /** Takes a row from a snapshot: it serves until the database can be asked. */
  restore(key: string, value: T): void;
  get(key: string): T | undefined;
  values(): IterableIterator<T>;
  size(): number;
}

interface Options<L, T> {
  /** Rows by their keys; what doesn't exist is left out. */
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, L>>;
  /** Makes a row ready that was read. */
  make: (row: L, before: T | undefined) => T;
  isConnected: () => boolean;
  /** Whether the database owes an answer, so that no visit is to wait for another. */
  isDoubted: () => boolean;
  onFault: (error: unknown) => void;
  /** Something that a snapshot should hold is new. */
  onChange: () => void;
  /** Rows that are held at most; fewer where they weigh more. */
  limit: number;
  weightOf?: (value: T) => number;
}

interface Loading {
  waiters: ((isLoaded: boolean) => void)[];
  /** It changed while it was being read: what was read may be the old state. */
  is_dirty: boolean;
}

const keysPerStatement = 500;
const rememberedMissing = 20_000;
/** How soon rows that came late are read again, for no visit: until that succeeds, none waits for these rows. */
const probeMilliseconds = 250;
/** More changes at once than this are not read ahead; each row is when it is asked for. */
const readAheadLimit = 2000;

export function createLoadingCache<L, T extends { is_stale: boolean }>(options: Options<L, T>): LoadingCache<T> {
  const { read, make, isConnected, isDoubted, onFault, onChange } = options;
  const held = createLruCache<T>(options.limit, options.weightOf);
  const missing = createLruCache<true>(rememberedMissing);
  const loading = new Map<string, Loading>();
  let wanted: string[] = [];
  // The database may answer all else, and these rows be locked.
  let isLate = false;
  let probe: NodeJS.Timeout | undefined;

  const want = (key: string, waiters: Loading['waiters']): void => {
    loading.set(key, { waiters, is_dirty: false });
    if (wanted.push(key) === 1) setImmediate(flush);
  };

  const flush = (): void => {
    const keys = wanted;
    wanted = [];
    for (let from = 0; from < keys.length; from += keysPerStatement) void readAll(keys.slice(from, from + keysPerStatement));
  };

  const readAll = async (keys: readonly string[]): Promise<void> => {
    let found: ReadonlyMap<string, L> | undefined;
    try {
      found = await read(keys);
      isLate = false;
    } catch (error) {
      onFault(error);
      isLate = error instanceof LateAnswer;
      if (isLate) probeSoon(keys.slice(0, 1));
      // The visits that wait are answered from what was known before, or told to come again.
    }
    for (const key of keys) {
      const entry = loading.get(key);
      loading.delete(key);
      if (!entry) continue;
      if (entry.is_dirty && found) want(key, entry.waiters);
      else finish(key, entry, found && (found.get(key) ?? null));
    }
  };

  const probeSoon = (keys: readonly string[]): void => {
    clearTimeout(probe);
    probe = setTimeout(() => {
      for (const key of keys) if (!loading.has(key)) want(key, []);
    }, probeMilliseconds).unref();
  };

  /** @param row null where there is none, undefined where nothing could be read */
  const finish = (key: string, { waiters }: Loading, row: L | null | undefined): void => {
    if (row) {
      held.set(key, make(row, held.get(key)));
      missing.delete(key);
      onChange();
    } else if (row === null) {
      if (held.get(key)) onChange();
      held.delete(key);
      missing.set(key, true);
    }
    for (const waiter of waiters) waiter(row !== undefined);
  };

  const changeLoading = (): void => {
    for (const entry of loading.values()) entry.is_dirty = true;
  };

  return {
    find(key) {
      const value = held.get(key);
      if (value !== undefined) return value.is_stale && isConnected() ? undefined : value;
      return missing.get(key) ? null : undefined;
    },
    findKnown: (key) => held.get(key) ?? (missing.get(key) ? null : undefined),
    load(key, done) {
      if (isLate || isDoubted()) return done(false);
      const entry = loading.get(key);
      if (entry) entry.waiters.push(done);
      else want(key, [done]);
    },
    change(keys) {
      for (const key of keys) {
        const entry = loading.get(key);
        if (entry) entry.is_dirty = true;
        missing.delete(key);
        const value = held.get(key);
        if (!value) continue;
        value.is_stale = true;
        if (!entry && keys.length <= readAheadLimit) want(key, []);
      }
    },
    changeLoading,
    changeAll() {
      missing.clear();
      changeLoading();
      for (const [, value] of held.entries()) value.is_stale = true;
    },
    restore(key, value) {
      value.is_stale = true;
      held.set(key, value);
    },
    get: (key) => held.get(key),
    *values() {
      for (const [, value] of held.entries()) yield value;
    },
    size: () => held.size(),
  };
}

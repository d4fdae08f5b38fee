/** A bounded map that forgets what was not asked for lately. Its limit is a number of entries, or of what `weigh` makes of them. */
export interface LruCache<V> {
  get(key: string): V | undefined;
  set(key: string, value: V): void;
  delete(key: string): void;
  clear(): void;
  size(): number;
  entries(): IterableIterator<[string, V]>;
}

/**
 * Two generations: what is used moves to the young one, and when that has half the limit it becomes the old one and the old one goes.
 * A hit costs one look-up and no bookkeeping, where a linked list would cost several writes.
 */
export function createLruCache<V>(limit: number, weigh: (value: V) => number = () => 1): LruCache<V> {
  const half = Math.max(1, Math.floor(limit / 2));
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  /** Of all that came into the young one, replaced entries included: an upper bound. */
  let weight = 0;

  const set = (key: string, value: V): void => {
    old.delete(key);
    young.set(key, value);
    weight += weigh(value);
    if (weight < half) return;
    old = young;
    young = new Map();
    weight = 0;
  };

  return {
    get(key) {
      const value = young.get(key);
      if (value !== undefined) return value;
      const aged = old.get(key);
      if (aged !== undefined) set(key, aged);
      return aged;
    },
    set,
    delete(key) {
      young.delete(key);
      old.delete(key);
    },
    clear() {
      young.clear();
      old.clear();
      weight = 0;
    },
    size: () => young.size + old.size,
    *entries() {
      yield* old;
      yield* young;
    },
  };
}

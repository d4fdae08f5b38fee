/** A bounded map that forgets what was not asked for lately. */
export interface Held<V> {
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
export function createHeld<V>(limit: number): Held<V> {
  const half = Math.max(1, Math.floor(limit / 2));
  let young = new Map<string, V>();
  let old = new Map<string, V>();

  const set = (key: string, value: V): void => {
    old.delete(key);
    young.set(key, value);
    if (young.size < half) return;
    old = young;
    young = new Map();
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
    },
    size: () => young.size + old.size,
    *entries() {
      yield* old;
      yield* young;
    },
  };
}

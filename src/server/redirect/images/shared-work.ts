/** Work that several wait for is done once at a time for each key. */
export function createSharedWork<K, V>() {
  const underWay = new Map<K, Promise<V>>();
  return {
    of(key: K, work: () => Promise<V>): Promise<V> {
      const known = underWay.get(key);
      if (known !== undefined) return known;
      const begun = work().finally(() => underWay.delete(key));
      underWay.set(key, begun);
      return begun;
    },
  };
}

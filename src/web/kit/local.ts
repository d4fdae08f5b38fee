/** Choices that stay in this browser: they are read before the first paint and must survive a browser that forbids storage. */
const prefix = 'livecode.';

export function readLocal(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}

export function writeLocal(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, value);
  } catch {
    // A browser without storage keeps the choice until the page is closed.
  }
}

type Store<T> = { get(): T; set(value: T): void; subscribe(listener: () => void): () => void };

/** A value outside React that components follow with `useSyncExternalStore`. */
export function createStore<T>(initial: T): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set(value) {
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

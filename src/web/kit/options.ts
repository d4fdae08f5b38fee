import type { Endpoint } from './calls/api.ts';

/** One entry of a choice. `label` and `help` are message keys or text. */
export type Option = { value: string | number | boolean; label: string; help?: string };

/** Choices that the server offers; `key` names them in the cache. */
export type RemoteOptions = { key: string; load: (search: string, signal: AbortSignal) => Promise<Option[]> };

/** Choices from a call that answers `{ content }`, for remote selects in filters and forms. */
export function remoteOptions<I extends object, T>(
  endpoint: Endpoint<I, { content: T[] }>,
  toInput: (search: string) => I,
  toOption: (row: T) => Option,
): RemoteOptions {
  return {
    key: `${endpoint.path} ${JSON.stringify(toInput(''))}`,
    load: async (search, signal) => (await endpoint(toInput(search), { signal })).content.map(toOption),
  };
}

const searchable = (text: string): string => text.toLowerCase().replace(/[。．｡]/gu, '.');

/** Whether a choice's entry holds what is typed; the full stop of Chinese keyboards is that of a domain. */
export const holdsTyped = (typed: string, entry?: { label?: unknown }): boolean =>
  searchable(String(entry?.label ?? '')).includes(searchable(typed.trim()));

import { hash } from 'node:crypto';
import { maximumSnippets } from '../../../contract/codes/live-code.ts';
import { snippetOf } from '../../../contract/links/js-config.providers.ts';
import type { Snippets } from '../pages/page.ts';
import type { Query } from '../rotation/leases.queries.ts';

/** An approved snippet that is switched on. */
export interface StoredSnippet {
  id: number;
  owner_id: number;
  provider: string;
  provider_id: string;
  code: string;
  origins: string[];
  all_codes: boolean;
}

/** What runs on the pages of a code. Codes with the same snippets share one object, and one key, by which finished pages are told apart. */
export interface PageSnippets extends Snippets {
  key: string;
}

export interface SnippetBook {
  /** The owner's snippets for all codes and those chosen, in the order of their ids, as many as a code may choose; undefined: none. */
  of(owner_id: number, chosen: readonly number[]): PageSnippets | undefined;
}

export function loadSnippets(query: Query): Promise<StoredSnippet[]> {
  return query<StoredSnippet>({
    name: 'load_snippets',
    text: `SELECT id, owner_id, provider, provider_id, code, origins, all_codes FROM js_config
      WHERE enabled AND approval = 'approved' ORDER BY id`,
    values: [],
  });
}

export function createSnippets(stored: readonly StoredSnippet[]): SnippetBook {
  const byOwner = Map.groupBy(stored, ({ owner_id }) => owner_id);
  const known = new Map<string, PageSnippets | undefined>();

  const put = (snippets: readonly StoredSnippet[]): PageSnippets | undefined => {
    const ready = snippets.flatMap((snippet) => snippetOf(snippet) ?? []);
    if (ready.length === 0) return undefined;
    const scripts = ready.map(({ script }) => script);
    const origins = [...new Set(ready.flatMap((snippet) => snippet.origins))];
    return { scripts, origins, key: hash('sha256', JSON.stringify([scripts, origins]), 'base64url') };
  };

  return {
    of(owner_id, chosen) {
      const own = byOwner.get(owner_id);
      if (own === undefined) return undefined;
      const snippets = own.filter(({ id, all_codes }) => all_codes || chosen.includes(id)).slice(0, maximumSnippets);
      if (snippets.length === 0) return undefined;
      const ids = snippets.map(({ id }) => id).join();
      if (!known.has(ids)) known.set(ids, put(snippets));
      return known.get(ids);
    },
  };
}

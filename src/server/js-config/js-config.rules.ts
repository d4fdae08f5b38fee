import { Script } from 'node:vm';
import { isSnippetId, type SnippetProvider, type SnippetSource, snippetOf } from '../../contract/links/js-config.providers.ts';
import { AppError } from '../kit/calls/errors.ts';

export type SnippetContent = { provider: SnippetProvider; provider_id: string; code: string; origins: string[] };
type ContentInput = { provider: SnippetProvider; provider_id?: string; code?: string; origins?: string[] };

/** What is stored of a snippet's content: of a preset its id alone, of code the code and its origins. 400 where it is none. */
export function checkedContent({ provider, provider_id = '', code = '', origins = [] }: ContentInput): SnippetContent {
  if (provider === 'code') {
    if (code.trim() === '') throw new AppError(400, 'input.invalid', { fields: { code: 'required' } });
    return { provider, provider_id: '', code, origins: [...new Set(origins)] };
  }
  const fault = provider_id === '' ? 'required' : isSnippetId(provider, provider_id) ? undefined : 'invalid_snippet_id';
  if (fault) throw new AppError(400, 'input.invalid', { fields: { provider_id: fault } });
  return { provider, provider_id, code: '', origins: [] };
}

/** An owner's own code runs on visitors' phones, and so does whatever an installation of his own serves. */
export const needsApproval = ({ provider, provider_id }: Pick<SnippetContent, 'provider' | 'provider_id'>): boolean =>
  provider === 'code' || (provider === 'umami' && provider_id.includes('@'));

export const sameContent = (one: SnippetContent, other: SnippetContent): boolean =>
  one.provider === other.provider &&
  one.provider_id === other.provider_id &&
  one.code === other.code &&
  JSON.stringify(one.origins) === JSON.stringify(other.origins);

/** What the engine says when it reads the code. Compiling runs nothing of it. */
export function syntaxFault(code: string): { message: string; line: number | null } | null {
  try {
    new Script(code, { filename: 'snippet' });
    return null;
  } catch (error) {
    if (!(error instanceof Error)) return { message: String(error).slice(0, 200), line: null };
    const line = /^snippet:(\d+)/.exec(error.stack ?? '')?.[1];
    return { message: `${error.name}: ${error.message}`.slice(0, 200), line: line ? Number(line) : null };
  }
}

const isCovered = (place: URL, origin: string): boolean => {
  const host = origin.replace(/^https:\/\//, '');
  return host.startsWith('*.') ? place.host.endsWith(host.slice(1)) : place.host === host;
};

/** Origins that the code names and that are not among those it may load from. */
export function missingOrigins(code: string, origins: readonly string[]): string[] {
  const places = [...code.matchAll(/(?:https?:)?\/\/(?:[a-z0-9-]+\.)+[a-z]{2,}(?::\d{1,5})?/gi)].flatMap(([found]) => {
    const text = found.startsWith('//') ? `https:${found}` : found;
    return URL.canParse(text) ? [new URL(text)] : [];
  });
  const missing = places.filter((place) => place.protocol !== 'https:' || !origins.some((origin) => isCovered(place, origin)));
  return [...new Set(missing.map(({ origin }) => origin))].slice(0, 20);
}

/** What a landing page's security policy allows because of a snippet, as the page writes it; its own hash is worked out there. */
export function policyOf(source: SnippetSource): string[] {
  const origins = snippetOf(source)?.origins ?? [];
  const listed = (...first: string[]) => [...first, ...origins].join(' ');
  return [`script-src ${listed("'sha256-…'")}`, ...(origins.length > 0 ? [`connect-src ${listed()}`] : []), `img-src ${listed('data:')}`];
}

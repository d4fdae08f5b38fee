import type { DetectorConfig } from '../../../contract/detection/detectors.ts';

type Gaps = { url: string; domain: string; key: string };
export type Filled = { url: string; headers: Record<string, string>; body: string };

const mask = '***';

const fill = (template: string, gaps: Gaps, spell: (value: string) => string): string =>
  template.replace(/\{(url|domain|key)\}/g, (_, name: keyof Gaps) => spell(gaps[name]));

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const isJson = (body: string): boolean => /^\s*[[{]/.test(body);

/** A request of an API as it is sent: each value spelled as its place needs it. */
export function fillRequest({ url, headers, body }: Extract<DetectorConfig, { kind: 'http_api' }>, gaps: Gaps): Filled {
  const isTyped = headers.some(({ name }) => name.toLowerCase() === 'content-type');
  const type = isJson(body) ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    url: fill(url, gaps, encodeURIComponent),
    headers: {
      ...(body && !isTyped ? { 'content-type': type } : {}),
      // An address must not be able to begin a header of its own: only what has no line breaks stands in one.
      ...Object.fromEntries(headers.map(({ name, value }) => [name, fill(value, gaps, (text) => text.replace(/[^\t\x20-\x7e]/g, ''))])),
    },
    body: fill(body, gaps, isJson(body) ? inJson : encodeURIComponent),
  };
}

/** A service may answer with the key that it was given, in any of the ways in which it was sent. */
export function covered(text: string, key: string | undefined): string {
  if (!key) return text;
  const spellings = new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), Buffer.from(key).toString('base64')]);
  return [...spellings].sort((a, b) => b.length - a.length).reduce((result, spelling) => result.replaceAll(spelling, mask), text);
}

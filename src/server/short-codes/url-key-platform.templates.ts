import { randomInt } from 'node:crypto';
import type { bodyKinds, ConfigOf, Encoding, Gap } from '../../contract/links/platform-config.ts';

/** What the gaps of a template stand for; a gap without a value stays as it is written. */
export type GapValues = Partial<Record<Gap, string>>;

const fill = (template: string, values: GapValues, spell: (value: string) => string): string =>
  template.replace(/\{(url|key|text)\}/g, (gap, name: Gap) => {
    const value = values[name];
    return value === undefined ? gap : spell(value);
  });

export const fillAddress = (template: string, values: GapValues): string => fill(template, values, encodeURIComponent);

/** Only a key has its place in a header: a destination must not be able to begin a header of its own. */
export const fillHeader = (template: string, { key }: GapValues): string =>
  fill(template, key === undefined ? {} : { key }, (value) => value);

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const bodyEscapes: Record<Exclude<(typeof bodyKinds)[number], 'none'>, (value: string) => string> = {
  json: inJson,
  form: encodeURIComponent,
  text: (value) => value,
};
export const fillBody = (kind: keyof typeof bodyEscapes, template: string, values: GapValues): string =>
  fill(template, values, bodyEscapes[kind]);

export const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const;

export function encodeAddress(address: string, encoding: Encoding): string {
  if (encoding === 'none') return address;
  if (encoding === 'url') return encodeURIComponent(address);
  return Buffer.from(address).toString(encoding);
}

/** Without the characters that are easily taken for each other: links are read off paper and typed. */
const unambiguous = 'abcdefghjkmnpqrstuvwxyz23456789';
const alphabets = { letters: 'abcdefghijklmnopqrstuvwxyz', digits: '0123456789', both: 'abcdefghijklmnopqrstuvwxyz0123456789' } as const;

export const randomText = (length: number, alphabet: string = unambiguous): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Every `*` of the template becomes a character of its own; the destination is put in afterwards, so that its `*` stay. */
export function fillAsterisks({ template, characters = 'both' }: ConfigOf<14>, destination: string): string {
  const filled = template.replace(/\*/g, () => randomText(1, alphabets[characters]));
  return fillAddress(filled, { url: destination });
}

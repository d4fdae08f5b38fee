import { createHeld } from './held.ts';
import type { Body } from './model.ts';
import { escapeHtml, schemeOf } from './pages/escape.ts';
import { type JumpType, renderJump } from './pages/jump.ts';
import type { PageLanguage } from './pages/texts.ts';
import type { PageSnippets } from './snippets.ts';

/** A jump page without what is different for each target. */
interface Template {
  status: number;
  headers: Record<string, string>;
  /** One more than there are gaps. */
  pieces: string[];
  /** What belongs into each gap. */
  gaps: Body['gaps'];
  /** Bytes of the pieces. */
  length: number;
}

export interface JumpLook {
  language: PageLanguage;
  title: string;
  color: string;
  snippets?: PageSnippets | undefined;
}

export interface FilledPage {
  status: number;
  headers: Record<string, string>;
  body: Body;
  length: number;
}

/** Stand for title and address while a template is drawn; neither is changed by escaping or occurs in a page otherwise. */
const titleMark = 'title-c41d8a07e5';
const hostMark = 'address-9b27f0d36a.invalid';

/** By colour, language, jump type, scheme and snippets; most sites have a few, of one or two kilobytes. */
const templateCharacters = 16 * 2 ** 20;

/** Text as node:http sends it with the encoding `latin1`: one character for each byte of its UTF-8. */
export const bytesOf = (text: string): string => (Buffer.byteLength(text) === text.length ? text : writtenOut(text));

/**
 * The same, written out anew, for what is kept for many answers: a text put together of others stays a tree that each answer would walk,
 * and a part of one with Chinese letters takes two bytes a letter, as would every answer that it is put into.
 */
export const writtenOut = (text: string): string => Buffer.from(text).toString('latin1');

/**
 * Draws jump pages from templates: ten thousand targets share a handful of pages, which saves most of the memory that they would take
 * drawn one by one, and the time to read it.
 */
export function createJumpPages(): (jumpType: JumpType, url: string, look: JumpLook) => FilledPage {
  const templates = createHeld<Template>(templateCharacters, ({ length }) => length);

  const templateOf: typeof draw = (jumpType, scheme, look) => {
    const key = [jumpType, scheme, look.language, look.color, look.title === '', look.snippets?.key].join(' ');
    const known = templates.get(key);
    if (known !== undefined) return known;
    const drawn = draw(jumpType, scheme, look);
    templates.set(key, drawn);
    return drawn;
  };

  return (jumpType, url, look) => {
    const { status, headers, pieces, gaps, length } = templateOf(jumpType, schemeOf(url) ?? 'https', look);
    const fills = { title: bytesOf(escapeHtml(look.title)), url: bytesOf(escapeHtml(url)) };
    const total = gaps.reduce((sum, gap) => sum + (gap === 'title' ? fills.title : fills.url).length, length);
    return { status, headers, body: { pieces, gaps, ...fills }, length: total };
  };
}

function draw(jumpType: JumpType, scheme: string, { language, title, color, snippets }: JumpLook): Template {
  const address = `${scheme}://${hostMark}`;
  const page = renderJump(jumpType, address, { language, title: title === '' ? '' : titleMark, color, snippets });
  const parts = page.html.split(new RegExp(`(${titleMark}|${address.replaceAll('.', '\\.').replaceAll('+', '\\+')})`));
  const pieces = parts.filter((_, index) => index % 2 === 0).map(writtenOut);
  const gaps = parts.filter((_, index) => index % 2 === 1).map((mark) => (mark === titleMark ? 'title' : 'url'));
  return { status: page.status, headers: page.headers, pieces, gaps, length: pieces.reduce((sum, piece) => sum + piece.length, 0) };
}

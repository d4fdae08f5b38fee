import { createLruCache } from '../memory/lru-cache.ts';
import type { Body } from '../model.ts';
import { escapeHtml } from '../pages/escape.ts';
import { type JumpType, jumpSchemeOf, openJumpPage } from '../pages/jump.ts';
import type { Markup } from '../pages/markup.ts';
import type { OpenPage } from '../pages/page.ts';
import type { PageLanguage } from '../pages/texts.ts';
import type { PageSnippets } from './snippets.ts';

/** An open page as it is sent: one character a byte. */
export interface Template extends Markup {
  status: number;
  headers: Record<string, string>;
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
  const templates = createLruCache<Template>(templateCharacters, ({ length }) => length);

  const templateOf = (jumpType: JumpType, scheme: string, look: JumpLook): Template => {
    const key = [jumpType, scheme, look.language, look.color, look.title === '', look.snippets?.key].join(' ');
    const known = templates.get(key);
    if (known !== undefined) return known;
    const drawn = templateFrom(openJumpPage(jumpType, scheme, { ...look, has_title: look.title !== '' }));
    templates.set(key, drawn);
    return drawn;
  };

  return (jumpType, url, look) => {
    const { status, headers, pieces, gaps, length } = templateOf(jumpType, jumpSchemeOf(url), look);
    const fills = { title: bytesOf(escapeHtml(look.title)), url: bytesOf(escapeHtml(url)) };
    const total = gaps.reduce((sum, gap) => sum + (gap === 'title' ? fills.title : fills.url).length, length);
    return { status, headers, body: { pieces, gaps, ...fills }, length: total };
  };
}

export function templateFrom({ status, headers, markup }: OpenPage): Template {
  const pieces = markup.pieces.map(writtenOut);
  return { status, headers, pieces, gaps: markup.gaps, length: pieces.reduce((sum, piece) => sum + piece.length, 0) };
}

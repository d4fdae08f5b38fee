import { createHash } from 'node:crypto';
import { escapeHtml } from '../pages/escape.ts';
import { type JumpOptions, type JumpType, jumpSchemeOf, openJumpPage } from '../pages/jump.ts';
import { openPicturePage } from '../pages/landing.ts';
import { fillGaps } from '../pages/markup.ts';
import type { Page } from '../pages/page.ts';

/** Texts that an operator or visitor might send to break out of a page. */
export const hostileTexts = [
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</script><script>alert(1)</script><!--',
  '--></style><svg onload=alert(1)>',
  'line\u2028break\u2029paragraph',
  '\u202eevil\u202c \u2066isolated\u2069',
  '\u0000\u0008\u001bcontrol\u007f\u0085',
  '\ud800 lone surrogate',
  '&lt;already &amp; escaped',
  '{{7*7}} <%= 7*7 %>',
  'x'.repeat(5000),
];

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(Buffer.from(text, 'utf8')).digest('base64')}'`;

export const elementsOf = (page: Page, name: 'script' | 'style'): string[] =>
  [...page.html.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map((found) => found[1] ?? '');

/** One directive of the page's policy, as its list of sources. */
export const policyOf = (page: Page, directive: string): string[] => {
  const found = page.headers['content-security-policy']?.split(';').find((part) => part.startsWith(`${directive} `));
  return found?.split(' ').slice(1) ?? [];
};

/** A picture's page as one visitor gets it. */
export const wholePicture = (options: Parameters<typeof openPicturePage>[0]): Page => {
  const { status, headers, markup } = openPicturePage(options);
  return { status, headers, html: fillGaps(markup, () => 'token') };
};

/** What the browser would have to allow for every inline part to run, reckoned anew from the bytes that are sent. */
export const hashesOf = (page: Page, name: 'script' | 'style'): string[] => elementsOf(page, name).map(sourceOf);

/** The page without its style and scripts: what remains is markup and texts. */
export const markupOf = (page: Page): string => page.html.replace(/<(script|style)>.*?<\/\1>/gs, '');

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const hiddenCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800]/u;

/** Whether controls, direction overrides or lone surrogates came through. */
export const hasHiddenCharacters = (page: Page): boolean => hiddenCharacters.test(page.html);

/** Names of all elements in the markup, for comparison: hostile text adds none. */
export const tagsOf = (page: Page): string[] => [...markupOf(page).matchAll(/<([a-z][a-z0-9]*)/g)].map((found) => found[1] ?? '');

/** The jump page for one address, whole. */
export const renderJump = (
  jumpType: JumpType,
  url: string,
  { title, ...look }: Omit<JumpOptions, 'has_title'> & { title: string },
): Page => {
  const { status, headers, markup: open } = openJumpPage(jumpType, jumpSchemeOf(url), { ...look, has_title: title !== '' });
  return { status, headers, html: fillGaps(open, (name) => escapeHtml(name === 'title' ? title : url)) };
};

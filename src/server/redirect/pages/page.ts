import { hash } from 'node:crypto';
import { snippetOriginPattern } from '../../../contract/links/js-config.providers.ts';
import { reportQuery } from '../../kit/visits/visit-paths.ts';
import { darkGround, lightGround, themeOf } from './color.ts';
import { escapeHtml, scriptForHtml } from './escape.ts';
import { type Markup, markup } from './markup.ts';
import type { PageLanguage } from './texts.ts';
import { texts } from './texts.ts';

/** A finished answer; the caller adds caching headers and the length. */
export type Page = { status: number; headers: Record<string, string>; html: string };

/** A page finished but for its gaps. */
export type OpenPage = { status: number; headers: Record<string, string>; markup: Markup };

/**
 * Scripts that an operator placed on his landing pages: `scripts` run inline, and `origins` (`https://host`, `https://*.host`)
 * are the only other places from which they may load and to which they may report.
 */
export type Snippets = { scripts: readonly string[]; origins: readonly string[] };

type PageParts<Text> = {
  status: number;
  language: PageLanguage;
  /** Plain text; escaped here, as nothing else of the parts is. */
  title: Text;
  style: string;
  body: Text;
  head?: Text;
  script?: string;
  snippets?: Snippets;
  /** Sources for `img-src`, beside the empty icon. */
  image_source?: string;
  is_framing?: boolean;
  /** Whether its own script tells this host something. */
  is_reporting?: boolean;
  /** Whether it has a form that is sent to this host; then no other page may frame it. */
  has_form?: boolean;
};

const hashSource = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
/** The empty icon keeps browsers from asking for /favicon.ico, which would be one more request, and a visit that never was. */
const iconSource = 'data:';

/**
 * What the page may do, and nothing else. Inline parts are allowed by hash rather than nonce, because a rendered page is cached.
 * `frame-ancestors` stays open but for pages with a form: a live code may be the framed target of another, and none holds a login to
 * steal clicks from.
 */
const contentPolicy = (parts: PageParts<string | Markup>, scripts: readonly string[], origins: readonly string[]): string => {
  const directives = ["default-src 'none'", `style-src ${hashSource(parts.style)}`];
  if (scripts.length > 0) directives.push(`script-src ${[...scripts.map(hashSource), ...origins].join(' ')}`);
  const connected = [...(parts.is_reporting ? ["'self'"] : []), ...origins];
  if (connected.length > 0) directives.push(`connect-src ${connected.join(' ')}`);
  directives.push(`img-src ${[iconSource, ...(parts.image_source ? [parts.image_source] : []), ...origins].join(' ')}`);
  if (parts.is_framing) directives.push('frame-src http: https:');
  directives.push("base-uri 'none'", `form-action ${parts.has_form ? "'self'" : "'none'"}`);
  if (parts.has_form) directives.push("frame-ancestors 'none'");
  return directives.join(';');
};

/** Puts a page together whose parts have gaps. `strict-origin` tells a target which site sent the visitor, but never the code's path or its ticket. */
export const buildOpenPage = (parts: PageParts<string | Markup>): OpenPage => {
  const scripts = [...(parts.snippets?.scripts ?? []).map(scriptForHtml), ...(parts.script ? [parts.script] : [])];
  const origins = (parts.snippets?.origins ?? []).filter((origin) => snippetOriginPattern.test(origin));
  const title = typeof parts.title === 'string' ? escapeHtml(parts.title) : parts.title;
  return {
    status: parts.status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentPolicy(parts, scripts, origins),
      'referrer-policy': 'strict-origin',
      'x-content-type-options': 'nosniff',
    },
    markup: markup`<!doctype html><html lang=${parts.language}><meta charset=utf-8><meta name=viewport content="width=device-width,initial-scale=1,viewport-fit=cover"><meta name=color-scheme content="light dark"><link rel=icon href=data:,>${parts.head ?? ''}<title>${title}</title><style>${parts.style}</style><body>${parts.body}${scripts.map((script) => `<script>${script}</script>`).join('')}`,
  };
};

/** Puts a page together that has none. */
export const buildPage = (parts: PageParts<string>): Page => {
  const { status, headers, markup: whole } = buildOpenPage(parts);
  return { status, headers, html: whole.pieces.join('') };
};

/** Style shared by every page that is read rather than passed through. Only features of browsers since 2018: in-app browsers are old. */
export const pageStyle = (color: string): string => {
  const { accent, dark_accent, button, button_ink, dark_button, dark_button_ink } = themeOf(color);
  return `:root{--ground:${lightGround};--sheet:#fff;--text:#1b2027;--muted:#59626e;--line:#46505c;--hair:#dde1e7;--accent:${accent};--button:${button};--ink:${button_ink}}@media(prefers-color-scheme:dark){:root{--ground:${darkGround};--sheet:#1b2128;--text:#edf0f4;--muted:#a5afbb;--line:#b9c2cd;--hair:#303842;--accent:${dark_accent};--button:${dark_button};--ink:${dark_button_ink}}}*{box-sizing:border-box}[hidden]{display:none!important}html{background:var(--ground)}body{display:flex;flex-direction:column;margin:0;min-height:100vh;min-height:100dvh;padding:20px 24px;padding:calc(20px + env(safe-area-inset-top)) calc(24px + env(safe-area-inset-right)) calc(12px + env(safe-area-inset-bottom)) calc(24px + env(safe-area-inset-left));background:var(--ground);color:var(--text);font:19px/1.6 -apple-system,BlinkMacSystemFont,"Segoe UI","PingFang SC","Microsoft YaHei",Roboto,"Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere;word-wrap:break-word}h1{margin:0;font-size:28px;line-height:1.35;letter-spacing:-.005em}h1,p{text-wrap:balance;word-break:auto-phrase}h1+p:lang(zh){word-break:keep-all}p{margin:12px 0 0}main{width:100%;max-width:460px;margin:auto}a{color:var(--accent)}a:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:3px}.button{display:block;width:100%;min-height:54px;margin:20px 0 0;padding:11px 20px;border:0;border-radius:12px;background:var(--button);color:var(--ink);font:inherit;font-weight:700;line-height:32px;text-align:center;text-decoration:none;cursor:pointer;-webkit-appearance:none;appearance:none}.site{margin:0;text-align:center;font-size:17px;font-weight:600;color:var(--muted)}footer{padding-top:16px;text-align:center;font-size:16px}footer a{display:inline-block;min-height:44px;padding:9px 16px;color:var(--muted)}`;
};

/** The operator's title above a page, or nothing where he gave none. */
export const siteHeader = (title: string): string => (title ? `<p class=site dir=auto>${escapeHtml(title)}</p>` : '');

/** The link to a code's report page, the same on all pages of all codes: a query of the address that the page was asked by. */
export const reportFooter = (language: PageLanguage, is_reportable: boolean | undefined): string =>
  is_reportable ? `<footer><a href="?${reportQuery}" rel=nofollow>${texts[language].report}</a></footer>` : '';

/**
 * A button that copies the text of `#copied`. It stays hidden where no script runs: the text itself can be selected.
 * Pages without TLS have no clipboard interface, so the older command is the second way, and a selection the last.
 */
export const copyScript = `(function(d){var b=d.getElementById('copy'),t=d.getElementById('copied'),w=b.textContent;b.hidden=false;function done(){b.textContent=b.getAttribute('data-done');setTimeout(function(){b.textContent=w},2500)}function select(){var r=d.createRange(),s=getSelection();r.selectNodeContents(t);s.removeAllRanges();s.addRange(r);try{if(d.execCommand('copy'))done()}catch(e){}}b.onclick=function(){var c=navigator.clipboard;if(c&&c.writeText)c.writeText(t.textContent).then(done,select);else select()}})(document)`;

export const copyButton = (label: string, language: PageLanguage): string =>
  `<button class=button id=copy type=button aria-live=polite data-done="${texts[language].copied}" hidden>${label}</button>`;

import type { jumpTypes } from '../../../contract/enums.ts';
import { themeOf } from './color.ts';
import { isAllowedJumpUrl, schemeOf } from './escape.ts';
import { gap, type Markup, markup } from './markup.ts';
import type { OpenPage, Snippets } from './page.ts';
import { buildOpenPage, pageStyle } from './page.ts';
import type { PageLanguage } from './texts.ts';
import { texts } from './texts.ts';

export type JumpType = (typeof jumpTypes)[number];

export type JumpOptions = { language: PageLanguage; color: string; snippets?: Snippets; has_title: boolean };

/** How long a page with the operator's scripts waits for them to report before it jumps anyway. */
const snippetMilliseconds = 1200;

/**
 * The scripts read the address from the plain link of the page, so that no data stands in a script and each needs one hash for all targets.
 * Why type 1 isn't a bare 302: both leave only the target in the history, but after a 302 no page of ours ever existed. The operator's title
 * and scripts would be lost, in-app browsers refuse a 302 to an app scheme, and where the jump fails nothing would be left to tap.
 */
const jumpScripts = {
  replace: "location.replace(document.getElementById('to').href)",
  assign: "location.href=document.getElementById('to').href",
  open: "open(document.getElementById('to').href,'_blank','noopener')",
  // A page with TLS may not frame one without: the frame would stay empty.
  replaceInsecure: "if(location.protocol=='https:')location.replace(document.getElementById('to').href)",
} as const;

const afterSnippets = (script: string): string =>
  `(function(w){var t;function go(){if(t){clearTimeout(t);t=0;${script}}}t=setTimeout(go,${snippetMilliseconds});w.addEventListener('load',function(){setTimeout(go,100)})})(window)`;

const hasSnippets = (snippets: Snippets | undefined): boolean => snippets !== undefined && snippets.scripts.length > 0;

const address = gap('url');
const titleOf = ({ has_title }: JumpOptions): string | Markup => (has_title ? gap('title') : '');

/** The page between scan and target, seen for an instant: small first of all. Its link shows only if the jump is slow or does not happen. */
const passingPage = (status: number, options: JumpOptions, jump: { head?: Markup; script?: string }): OpenPage => {
  const { language, color, snippets } = options;
  const { accent, dark_accent } = themeOf(color);
  return buildOpenPage({
    status,
    language,
    title: titleOf(options),
    head: jump.head,
    style: `body{margin:38vh 24px 0;font:20px/1.6 system-ui,sans-serif;text-align:center}a{color:${accent};animation:a 0s 1.5s both}@keyframes a{from{visibility:hidden}}@media(prefers-color-scheme:dark){a{color:${dark_accent}}}`,
    body: markup`<p>${texts[language].opening}<p><a id=to href="${address}">${texts[language].tap_to_open}</a>`,
    script: jump.script && hasSnippets(snippets) ? afterSnippets(jump.script) : jump.script,
    snippets,
  });
};

/** Browsers open a window unasked only sometimes, and `noopener` hides whether they did: the link therefore always stands there. */
const newWindowPage = (options: JumpOptions): OpenPage => {
  const { language, color, snippets } = options;
  const title = titleOf(options);
  const header = title && markup`<p class=site dir=auto>${title}</p>`;
  const { new_window, open_page } = texts[language];
  return buildOpenPage({
    status: 200,
    language,
    title,
    style: `${pageStyle(color)}main{padding-bottom:4vh;text-align:center}`,
    body: markup`${header}<main><h1>${new_window.title}</h1><p>${new_window.text}</p><a class=button id=to href="${address}">${open_page}</a></main>`,
    script: jumpScripts.open,
    snippets,
  });
};

const frameStyle =
  'main{display:flex;flex:1;max-width:none;margin:0}body{padding:0;background:var(--sheet)}iframe{flex:1;width:100%;border:0;background:#fff}#off{position:absolute;opacity:0}#off:checked~.bar{display:none}#off:focus-visible~.bar{outline:3px solid var(--accent);outline-offset:-3px}.bar{display:flex;justify-content:center;padding-bottom:env(safe-area-inset-bottom);border-top:1px solid var(--hair);font-size:16px;line-height:24px}.bar a{flex:1;padding:10px 0 10px 44px;text-align:center}.bar label{flex:none;width:44px;padding:10px 0;text-align:center;color:var(--muted);cursor:pointer}';

/**
 * The target in a full-window frame. Whether it forbids framing can't be known from outside the frame, so a slim bar with a direct link
 * stays until the visitor hides it, which works without a script too.
 */
const framePage = (scheme: 'http' | 'https', options: JumpOptions): OpenPage => {
  const { language, color, snippets } = options;
  const { open_directly, dismiss } = texts[language];
  const title = titleOf(options);
  return buildOpenPage({
    status: 200,
    language,
    title,
    style: pageStyle(color) + frameStyle,
    body: markup`<main><iframe src="${address}" title="${title}" allow="fullscreen;clipboard-write;autoplay"></iframe></main><input type=checkbox id=off aria-label="${dismiss}"><div class=bar><a id=to href="${address}">${open_directly}</a><label for=off title="${dismiss}">✕</label></div>`,
    script: scheme === 'http' ? jumpScripts.replaceInsecure : undefined,
    snippets,
    is_framing: true,
  });
};

/** The page that sends a visitor on to an address of this scheme, by jump type. Only these arguments change it, so that many targets share it. */
export const openJumpPage = (jumpType: JumpType, scheme: string, options: JumpOptions): OpenPage => {
  switch (jumpType) {
    case 2: {
      const seconds = hasSnippets(options.snippets) ? Math.ceil(snippetMilliseconds / 1000) : 0;
      return passingPage(200, options, { head: markup`<meta http-equiv=refresh content="${String(seconds)};url=${address}">` });
    }
    case 3:
      return passingPage(200, options, { script: jumpScripts.assign });
    case 4:
      return newWindowPage(options);
    case 5:
      // An app can't be shown in a frame, only be called.
      return scheme === 'http' || scheme === 'https'
        ? framePage(scheme, options)
        : passingPage(200, options, { script: jumpScripts.replace });
    case 6:
      return passingPage(404, options, { script: jumpScripts.replace });
    default:
      return passingPage(200, options, { script: jumpScripts.replace });
  }
};

/** The scheme of an address. Throws a RangeError for one that no setting allows: such a target must not have been stored. */
export const jumpSchemeOf = (url: string): string => {
  const scheme = schemeOf(url);
  if (scheme === null || !isAllowedJumpUrl(url, [scheme])) throw new RangeError('A visitor cannot be sent to this address.');
  return scheme;
};

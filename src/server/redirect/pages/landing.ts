import type { pageStyles } from '../../../contract/enums.ts';
import { visitPressPath } from '../../kit/visits/visit-paths.ts';
import { themeOf } from './color.ts';
import { escapeHtml, pageAddress } from './escape.ts';
import { gap, type Markup, markup } from './markup.ts';
import type { OpenPage, Page, Snippets } from './page.ts';
import { buildOpenPage, buildPage, copyButton, copyScript, pageStyle, reportFooter } from './page.ts';
import type { PageLanguage } from './texts.ts';
import { texts } from './texts.ts';

/**
 * How a picture or text page is dressed: `plain` puts it straight on the ground, `card` on a sheet over grey,
 * `brand` on a sheet over the operator's colour. All follow the phone's dark mode.
 */
export type LandingStyle = (typeof pageStyles)[number];

type LandingOptions = {
  /** The target's name: the picture's text alternative, and the page's title where the code has none. */
  name: string;
  page_title: string;
  page_text: string;
  page_style: LandingStyle;
  language: PageLanguage;
  color: string;
  /** Whether it has a link by which the code can be reported. */
  is_reportable?: boolean;
  snippets?: Snippets;
};

type PictureOptions = LandingOptions & {
  /** A path on this host (`/uploads/…`) or a web address. */
  picture_url: string;
  /** Whether the picture holds a QR code that the visitor should read: says how, by long press on a phone and by scanning elsewhere. */
  long_press_hint: boolean;
};

type TextOptions = LandingOptions & { text: string };

const commonStyle =
  'main{text-align:center}main>:first-child{margin-top:0}.lead{margin-top:8px}.lead span{display:block;min-height:1.6em;white-space:pre-wrap}.picture{display:block;width:100%;height:auto;max-height:68vh;margin:20px auto 0;padding:8px;border-radius:12px;background:#fff;object-fit:contain}.hint{margin:14px 0 0;font-weight:600;color:var(--accent)}.hint svg{width:30px;height:30px;margin-right:6px;vertical-align:-8px;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}.scan{display:none}@media(hover:hover) and (pointer:fine){.press,.hint svg{display:none}.scan{display:inline}}.text{margin-top:20px;padding:16px 18px;border:1px solid var(--hair);border-radius:12px;background:var(--ground);white-space:pre-wrap;text-align:start;font-size:20px;-webkit-user-select:text;user-select:text}';

/** The sheet takes part of the page's own margin, so that a picture on it is no smaller than without. */
const sheetStyle =
  'body{padding-left:14px;padding-left:calc(14px + env(safe-area-inset-left));padding-right:14px;padding-right:calc(14px + env(safe-area-inset-right))}main{padding:24px 14px;border-radius:16px;background:var(--sheet)}';

const dress = (style: LandingStyle, color: string): string => {
  if (style === 'plain') return '';
  if (style === 'card') {
    return `${sheetStyle}:root{--ground:#f1f3f6}main{border:1px solid var(--hair)}@media(prefers-color-scheme:dark){:root{--ground:#0e1216}}`;
  }
  const { brand, brand_ink, dark_brand, dark_brand_ink } = themeOf(color);
  return `${sheetStyle}html,body{background:${brand}}footer a{color:${brand_ink}}@media(prefers-color-scheme:dark){html,body{background:${dark_brand}}footer a{color:${dark_brand_ink}}}`;
};

/** Each line on its own, so that it breaks evenly and follows its own direction of writing. */
const lines = (text: string): string =>
  escapeHtml(text)
    .split('\n')
    .map((line) => `<span dir=auto>${line}</span>`)
    .join('');

const heading = ({ page_title, page_text }: LandingOptions): string =>
  (page_title ? `<h1 dir=auto>${escapeHtml(page_title)}</h1>` : '') + (page_text ? `<p class=lead>${lines(page_text)}</p>` : '');

const fingerIcon =
  '<svg viewBox="0 0 24 24" aria-hidden=true><path d="M9 11.5V6a2 2 0 0 1 4 0v5l4.5 1.2a2 2 0 0 1 1.5 2.3l-.8 4a3 3 0 0 1-3 2.5H12a4 4 0 0 1-3.2-1.6L5.5 15a1.6 1.6 0 0 1 2.4-2.1L9 14z"/><path d="M6 8.5A5.3 5.3 0 0 1 11 1.5a5.3 5.3 0 0 1 5 7"/></svg>';

const readingHint = (language: PageLanguage): string =>
  `<p class=hint>${fingerIcon}<span class=press>${texts[language].long_press}</span><span class=scan>${texts[language].scan_picture}</span></p>`;

const landingParts = <Text extends string | Markup>(options: LandingOptions, body: Text) => {
  const { language, color, page_style, snippets } = options;
  const style = pageStyle(color) + commonStyle + dress(page_style, color);
  return { status: 200, language, title: options.page_title || options.name, style, body, snippets };
};

/** As long as phones take to offer to save or read a picture, and how far a resting finger moves. */
const pressMilliseconds = 500;
const pressPixels = 12;

/**
 * Tells once of a long press on the picture, or of its context menu. The token stands in the page instead of the script, whose hash is
 * the same for all. A phone that opens its own menu takes the touch away about when it would have been long enough.
 */
const pressScript = `(function(d,n){var p=d.getElementById('picture'),t,at,x,y,done;function press(){clearTimeout(t);if(done)return;done=1;var u='${visitPressPath}'+p.getAttribute('data-press'),r;if(n.sendBeacon)n.sendBeacon(u);else{r=new XMLHttpRequest();r.open('POST',u);r.send()}}function on(e,f){p.addEventListener(e,f,{passive:true})}on('touchstart',function(e){var f=e.touches[0];clearTimeout(t);x=f.clientX;y=f.clientY;at=Date.now();if(e.touches.length===1)t=setTimeout(press,${pressMilliseconds})});on('touchmove',function(e){var f=e.touches[0];if(Math.abs(f.clientX-x)+Math.abs(f.clientY-y)>${pressPixels}){clearTimeout(t);at=Infinity}});on('touchend',function(){clearTimeout(t)});on('touchcancel',function(){clearTimeout(t);if(Date.now()-at>${pressMilliseconds - 100})press()});on('contextmenu',press)})(document,navigator)`;

/**
 * The page of a picture target, with a gap for what tells of a press. The picture is as large as fits a phone beside its hint, on white
 * even in the dark, because a QR code needs a light border. Throws a RangeError for an address that is neither a path nor a web address.
 */
export const openPicturePage = (options: PictureOptions): OpenPage => {
  const { picture_url, name, page_title, language, long_press_hint, is_reportable } = options;
  const address = pageAddress(picture_url);
  if (address === null) throw new RangeError('A picture cannot be shown from this address.');
  const picture = markup`<img class=picture src="${escapeHtml(address)}" alt="${escapeHtml(name || page_title)}" id=picture data-press="${gap('press')}">`;
  const hint = long_press_hint ? readingHint(language) : '';
  return buildOpenPage({
    ...landingParts(options, markup`<main>${heading(options)}${picture}${hint}</main>${reportFooter(language, is_reportable)}`),
    image_source: address.startsWith('/') ? "'self'" : new URL(address).origin,
    script: pressScript,
    is_reporting: true,
  });
};

/** The page of a text target: the operator's text as typed, with its line breaks, and a button that copies it. */
export const renderText = (options: TextOptions): Page => {
  const { text, language, is_reportable } = options;
  const content = `<div class=text id=copied dir=auto>${escapeHtml(text)}</div>${copyButton(texts[language].copy_text, language)}`;
  const body = `<main>${heading(options)}${content}</main>${reportFooter(language, is_reportable)}`;
  return buildPage({ ...landingParts(options, body), script: copyScript });
};

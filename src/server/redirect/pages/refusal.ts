import { escapeHtml, isAllowedJumpUrl } from './escape.ts';
import { illustration, illustrationStyle } from './illustrations.ts';
import type { Page } from './page.ts';
import { buildPage, copyButton, copyScript, pageStyle, reportFooter, siteHeader } from './page.ts';
import type { PageLanguage, RefusalOutcome } from './texts.ts';
import { texts } from './texts.ts';

type RefusalOptions = {
  language: PageLanguage;
  site_title: string;
  color: string;
  /** The host that was asked for, shown with `unknown_host`; left out where it isn't written like a host. */
  host?: string;
  /** Whether it has a link by which the code can be reported. */
  is_reportable?: boolean;
  /** The code's page title, shown above the message. */
  code_title?: string;
  /** The code's own address, shown to be copied with `not_messenger`. */
  link?: string;
};

/**
 * All are errors to the browser, so that nothing counts or keeps them as the code's page; in-app browsers show the body all the same.
 * Not 410 for what a switch, a payment or a refill brings back: it says "gone for good", and crawlers and link checkers believe it.
 * `exhausted` is 404, "nothing here at present", which says neither how long nor whose fault; the rest refuse knowingly, with 403.
 */
const statuses: Record<RefusalOutcome, number> = {
  unknown_host: 404,
  blocked_ip: 403,
  not_found: 404,
  frozen: 403,
  closed: 403,
  owner_inactive: 403,
  not_scanned: 403,
  not_messenger: 403,
  exhausted: 404,
  blocked_source: 403,
  unavailable: 503,
};

const retrySeconds = 60;

const style = `${illustrationStyle}p span{display:block}main{padding-bottom:4vh;text-align:center}.code{display:inline-block;max-width:100%;margin:0 0 12px;padding:5px 16px;border:1px solid var(--hair);border-radius:17px;font-size:17px;line-height:1.4;color:var(--muted)}.quiet{font-size:17px;color:var(--muted)}ol{margin:18px 0 0;padding:0;list-style:none;text-align:left;counter-reset:s}li{position:relative;margin:12px 0 0;padding-left:42px;counter-increment:s}li:before{content:counter(s);position:absolute;left:0;top:1px;width:28px;height:28px;border-radius:14px;background:var(--button);color:var(--ink);font-weight:700;line-height:28px;text-align:center}.link{margin:20px 0 0;padding:14px 16px;border:1px solid var(--hair);border-radius:12px;background:var(--sheet);font-size:18px;text-align:left;-webkit-user-select:all;user-select:all}`;

/** Chinese and Japanese lines break anywhere, so each sentence gets its own, evenly broken. */
const sentences = (text: string): string => text.replace(/[^。]+。/g, '<span>$&</span>');

const isHost = (host: string): boolean => /^[a-z0-9._:[\]-]{1,253}$/i.test(host);

const linkToCopy = (link: string, language: PageLanguage): string => {
  const { messenger_steps, copy_link } = texts[language];
  const steps = messenger_steps.map((step) => `<li>${step}`).join('');
  return `<ol>${steps}</ol><p class=link id=copied dir=ltr>${escapeHtml(link)}</p>${copyButton(copy_link, language)}`;
};

/** The page of a refused visit, in the visitor's language. The caller adds `Cache-Control: no-store`. */
export const renderRefusal = (outcome: RefusalOutcome, options: RefusalOptions): Page => {
  const { language, site_title, color, host, is_reportable, code_title, link } = options;
  const { title, text } = texts[language].refusals[outcome];
  const hasLink = outcome === 'not_messenger' && link !== undefined && isAllowedJumpUrl(link, []);
  const parts = [
    siteHeader(site_title),
    '<main>',
    illustration(outcome),
    code_title ? `<p class=code dir=auto>${escapeHtml(code_title)}</p>` : '',
    `<h1>${title}</h1><p>${sentences(text)}</p>`,
    outcome === 'unknown_host' && host && isHost(host) ? `<p class=quiet dir=ltr>${escapeHtml(host)}</p>` : '',
    hasLink ? linkToCopy(link, language) : '',
    outcome === 'unavailable' ? `<a class=button href="">${texts[language].retry}</a>` : '',
    '</main>',
    reportFooter(language, is_reportable),
  ];
  const page = buildPage({
    status: statuses[outcome],
    language,
    title: site_title ? `${title} · ${site_title}` : title,
    head: '<meta name=robots content=noindex>',
    style: pageStyle(color) + style,
    body: parts.join(''),
    script: hasLink ? copyScript : undefined,
  });
  if (outcome === 'unavailable') page.headers['retry-after'] = String(retrySeconds);
  return page;
};

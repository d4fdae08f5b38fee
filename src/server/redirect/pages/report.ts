import { maxReportCharacters, reportReasons } from '../../../contract/enums.ts';
import { escapeHtml } from './escape.ts';
import { buildPage, type Page, pageStyle, siteHeader } from './page.ts';
import { type ReportFault, reportTexts } from './report-texts.ts';
import type { PageLanguage } from './texts.ts';

export type ReportLook = { language: PageLanguage; site_title: string; color: string };

/** What a visitor has filled in so far, and the ticket with which he may send it. */
export type ReportForm = { ticket: string; reason: string; text: string; fault: ReportFault | undefined };

const style =
  'main{padding:16px 0 4vh}fieldset{margin:22px 0 0;padding:0;border:0;min-width:0}legend,.text{padding:0;font-weight:600}.choice{display:flex;align-items:center;min-height:44px;gap:12px;padding:4px 0}.choice input{flex:none;width:22px;height:22px;margin:0;accent-color:var(--accent)}.text{display:block;margin:18px 0 0}textarea{display:block;width:100%;margin:8px 0 0;padding:12px 14px;border:1px solid var(--line);border-radius:12px;background:var(--sheet);color:var(--text);font:inherit;resize:vertical}textarea:focus-visible,input:focus-visible{outline:3px solid var(--accent);outline-offset:2px}.help{margin:6px 0 0;font-size:16px;color:var(--muted)}.fault{margin:16px 0 0;padding:10px 14px;border:2px solid var(--accent);border-radius:12px;font-weight:600}.done{text-align:center}';

const pageOf = ({ language, site_title, color }: ReportLook, status: number, title: string, body: string): Page =>
  buildPage({
    status,
    language,
    title: site_title ? `${title} · ${site_title}` : title,
    head: '<meta name=robots content=noindex>',
    style: pageStyle(color) + style,
    body: siteHeader(site_title) + body,
    has_form: true,
  });

/** The form by which a visitor reports a code. It needs no script, and says nothing of the code: not even whether there is one. */
export function renderReportForm(look: ReportLook, { ticket, reason, text, fault }: ReportForm): Page {
  const words = reportTexts[look.language];
  const choices = reportReasons.map(
    (one) =>
      `<label class=choice><input type=radio name=reason value=${one} required${one === reason ? ' checked' : ''}>${words.reasons[one]}</label>`,
  );
  const parts = [
    `<main><h1>${words.title}</h1><p>${words.lead}</p>`,
    fault ? `<p class=fault role=alert>${words.faults[fault]}</p>` : '',
    '<form method=post>',
    `<input type=hidden name=ticket value="${escapeHtml(ticket)}">`,
    `<fieldset><legend>${words.reason}</legend>${choices.join('')}</fieldset>`,
    `<label class=text for=text>${words.text}</label>`,
    `<textarea id=text name=text rows=4 maxlength=${maxReportCharacters} aria-describedby=help dir=auto>\n${escapeHtml(text)}</textarea>`,
    `<p class=help id=help>${words.text_help}</p>`,
    `<button class=button>${words.send}</button></form></main>`,
  ];
  return pageOf(look, fault ? 400 : 200, words.title, parts.join(''));
}

/** What follows a report that was taken, and one too many. */
export function renderReportAnswer(look: ReportLook, answer: 'thanks' | 'too_many'): Page {
  const { title, text } = reportTexts[look.language][answer];
  return pageOf(look, answer === 'thanks' ? 200 : 429, title, `<main class=done><h1>${title}</h1><p>${text}</p></main>`);
}

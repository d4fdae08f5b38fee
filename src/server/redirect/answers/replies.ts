import { STATUS_CODES } from 'node:http';
import type { VisitSettings } from '../../../contract/settings.visits.ts';
import { visitPicturePath } from '../../kit/visits/visit-paths.ts';
import { createLruCache } from '../memory/lru-cache.ts';
import type { Body, Code, KeptReply, Reply, Target } from '../model.ts';
import { openPicturePage, renderText } from '../pages/landing.ts';
import { renderOutside } from '../pages/outside.ts';
import { type NextHost, renderOwnDevice } from '../pages/own-device.ts';
import type { OpenPage, Page } from '../pages/page.ts';
import { renderRefusal } from '../pages/refusal.ts';
import { type ReportForm, renderReportAnswer, renderReportForm } from '../pages/report.ts';
import { type PageLanguage, pageLanguages, type RefusalOutcome } from '../pages/texts.ts';
import { longPressTokenLength } from '../rotation/presses.ts';
import { createJumpPages, templateFrom, writtenOut } from './templates.ts';

export type SiteLook = Pick<VisitSettings, 'admin_title' | 'color' | 'default_language' | 'report_link'>;

export interface OutsidePage {
  title: string;
  text: string;
  /** A stored file's name. */
  picture_file?: string | null;
}

export interface RefusalDetails {
  host?: string;
  code_title?: string;
  code_color?: string | null;
  link?: string;
}

export interface Replies {
  toTarget(code: Code, target: Target, language: number): Reply;
  toFallback(code: Code, address: string, language: number): Reply;
  refusal(outcome: RefusalOutcome, details: RefusalDetails, language: number): Reply;
  reportForm(form: ReportForm, language: number): Reply;
  reportAnswer(answer: 'thanks' | 'too_many', language: number): Reply;
  /** That a device was marked as its owner's, and the hosts that are left; undefined: by a link that isn't good any more. */
  ownDevice(left: readonly NextHost[] | undefined, language: number): Reply;
  /** How to open a link outside the in-app browser. */
  outside(page: OutsidePage, link: string, language: number): Reply;
}

/** Values that many pages share are kept once. */
const shared = createLruCache<string>(2000);
const share = (text: string): string => {
  const known = shared.get(text);
  if (known !== undefined) return known;
  const flat = writtenOut(text);
  shared.set(flat, flat);
  return flat;
};

const headOf = (status: number, headers: Readonly<Record<string, string>>): string => {
  const fields = Object.entries({ ...headers, 'cache-control': 'no-store' }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${fields.join('')}x-visit-id: `;
};

const replyOf = (status: number, headers: Record<string, string>, body: Body, length: number): Reply => ({
  status,
  head: share(headOf(status, { ...headers, 'content-length': String(length) })),
  ...body,
});

const wholeBody = (text: string): Body => ({ pieces: [text], gaps: [], title: '', url: '' });
const nothing = wholeBody('');

function pageReply({ status, headers, html }: Page): Reply {
  const body = writtenOut(html);
  return replyOf(status, headers, wholeBody(body), body.length);
}

/** The page of a picture, finished but for what tells of a press. */
function pictureReply(page: OpenPage): Reply {
  const { status, headers, pieces, gaps, length } = templateFrom(page);
  return replyOf(status, headers, { pieces, gaps, title: '', url: '' }, length + gaps.length * longPressTokenLength);
}

/** Where browsers find a picture: at its storage's public address, else on this host by its name. */
const pictureUrl = (picture: string): string => (/^https?:/.test(picture) ? picture : visitPicturePath(picture));

const redirectionEnd = '\r\nreferrer-policy: no-referrer\r\ncontent-length: 0\r\ncache-control: no-store\r\nx-visit-id: ';

/** Written out, not put together: most of its kind are made for one visit. */
export const redirectTo = (location: string, status = 302): Reply => ({
  status,
  head: `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nlocation: ${location}${redirectionEnd}`,
  ...nothing,
});

/** For many visits. */
export const keptRedirectTo = (location: string, status?: number): Reply => {
  const reply = redirectTo(location, status);
  return { ...reply, head: writtenOut(reply.head) };
};

/** Refusals that are of no code, or of one that was reported enough. */
const unreportable: ReadonlySet<RefusalOutcome> = new Set(['unknown_host', 'blocked_ip', 'not_found', 'frozen', 'unavailable']);

const rememberedRefusals = 500;
/** Finished picture and text pages are several kilobytes each. */
const pageCharacters = 16 * 2 ** 20;

function keptIn(first: KeptReply | undefined, language: number): KeptReply | undefined {
  let kept = first;
  while (kept !== undefined && kept.language !== language) kept = kept.next;
  return kept;
}

/** Makes and keeps the answers of a site; made anew when its look changes. */
export function createReplies(site: SiteLook): Replies {
  const refusals = createLruCache<Reply>(rememberedRefusals);
  const pages = createLruCache<{ target: Target; reply: Reply }>(pageCharacters, ({ reply }) =>
    reply.pieces.reduce((sum, piece) => sum + piece.length, 0),
  );
  const languageAt = (language: number): PageLanguage => pageLanguages[language] ?? site.default_language;

  const siteLook = (language: number) => ({ language: languageAt(language), site_title: site.admin_title, color: site.color });

  const jumpPage = createJumpPages();
  const jumpReply = (code: Code, address: string, title: string, language: PageLanguage): Reply => {
    const look = { language, title: code.page_title || title, color: code.page_color ?? site.color, snippets: code.snippets };
    const { status, headers, body, length } = jumpPage(code.jump_type, address, look);
    return replyOf(status, headers, body, length);
  };

  const landingReply = (code: Code, target: Target, language: PageLanguage): Reply => {
    const { kind, content, picture, name, any_picture } = target;
    const { page_title, page_text, page_style, page_color } = code;
    const look = { page_style, color: page_color ?? site.color, snippets: code.snippets, is_reportable: site.report_link };
    const landing = { name, page_title, page_text, language, ...look };
    return kind === 'text'
      ? pageReply(renderText({ ...landing, text: content }))
      : pictureReply(openPicturePage({ ...landing, picture_url: pictureUrl(picture ?? ''), long_press_hint: !any_picture }));
  };

  const toPage = (code: Code, target: Target, language: number): Reply => {
    const key = `${target.id} ${language}`;
    const kept = pages.get(key);
    // A code that was read anew has new targets under the same ids.
    if (kept?.target === target) return kept.reply;
    const reply = landingReply(code, target, languageAt(language));
    pages.set(key, { target, reply });
    return reply;
  };

  return {
    toTarget(code, target, language) {
      const kept = keptIn(target.reply, language);
      if (kept !== undefined) return kept;
      if (target.kind !== 'url') return toPage(code, target, language);
      const reply = jumpReply(code, target.content, target.name, languageAt(language));
      target.reply = { ...reply, language, next: target.reply };
      return reply;
    },
    toFallback(code, address, language) {
      const kept = keptIn(code.fallback_reply, language);
      if (kept !== undefined) return kept;
      const reply = jumpReply(code, address, '', languageAt(language));
      code.fallback_reply = { ...reply, language, next: code.fallback_reply };
      return reply;
    },
    refusal(outcome, { code_color, ...details }, language) {
      const color = code_color ?? site.color;
      // The only part that may hold a line break stands last.
      const key = [outcome, language, color, details.host, details.link, details.code_title].join('\n');
      const kept = refusals.get(key);
      if (kept !== undefined) return kept;
      const is_reportable = site.report_link && !unreportable.has(outcome);
      const reply = pageReply(renderRefusal(outcome, { ...siteLook(language), color, is_reportable, ...details }));
      refusals.set(key, reply);
      return reply;
    },
    reportForm: (form, language) => pageReply(renderReportForm(siteLook(language), form)),
    reportAnswer: (answer, language) => pageReply(renderReportAnswer(siteLook(language), answer)),
    ownDevice: (left, language) => pageReply(renderOwnDevice(siteLook(language), left)),
    outside({ title, text, picture_file }, link, language) {
      const key = ['outside', language, picture_file, link, title.length, title, text].join('\n');
      const kept = refusals.get(key);
      if (kept !== undefined) return kept;
      const picture_url = picture_file ? visitPicturePath(picture_file) : null;
      const reply = pageReply(renderOutside({ ...siteLook(language), title, text, picture_url, link }));
      refusals.set(key, reply);
      return reply;
    },
  };
}

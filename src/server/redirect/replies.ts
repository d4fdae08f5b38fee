import { STATUS_CODES } from 'node:http';
import type { Settings } from '../../contract/settings.ts';
import { visitPicturePath } from '../kit/visit-paths.ts';
import { createHeld } from './held.ts';
import type { Code, Reply, Target } from './model.ts';
import { renderJump } from './pages/jump.ts';
import { renderPicture, renderText } from './pages/landing.ts';
import type { Page } from './pages/page.ts';
import { renderRefusal } from './pages/refusal.ts';
import { type PageLanguage, pageLanguages, type RefusalOutcome } from './pages/texts.ts';

export type SiteLook = Pick<Settings, 'admin_title' | 'color' | 'default_language'>;

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
}

/** Values that many pages share are kept once. */
const shared = createHeld<string>(2000);
const share = (text: string): string => {
  const known = shared.get(text);
  if (known !== undefined) return known;
  shared.set(text, text);
  return text;
};

const visitIdHeader = ['x-visit-id', ''];

function replyOf(page: Page): Reply {
  const body = Buffer.from(page.html).toString('latin1');
  const headers = Object.entries(page.headers).flatMap(([name, value]) => [name, share(value)]);
  headers.push('cache-control', 'no-store', 'content-length', String(body.length), ...visitIdHeader);
  return { status: page.status, headers, head: share(headOf(page.status, headers)), body };
}

const headOf = (status: number, headers: readonly string[]): string =>
  headers.reduce(
    (text, part, index) => text + part + (index % 2 === 0 ? ': ' : index === headers.length - 1 ? '' : '\r\n'),
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`,
  );

export function redirectTo(location: string): Reply {
  const headers = [
    'location',
    location,
    'cache-control',
    'no-store',
    'referrer-policy',
    'no-referrer',
    'content-length',
    '0',
    ...visitIdHeader,
  ];
  return { status: 302, headers, head: headOf(302, headers), body: '' };
}

const rememberedRefusals = 500;

/** Makes and keeps the answers of a site; made anew when its look changes. */
export function createReplies(site: SiteLook): Replies {
  const refusals = createHeld<Reply>(rememberedRefusals);
  const languageAt = (language: number): PageLanguage => pageLanguages[language] ?? site.default_language;

  const renderTarget = ({ stored }: Code, target: Target, language: PageLanguage): Page => {
    const { kind, content, picture, name } = target.stored;
    const color = stored.page_color ?? site.color;
    if (kind === 'url') return renderJump(stored.jump_type, content, { language, title: stored.page_title || name, color });
    const { page_title, page_text, page_style } = stored;
    const landing = { name, page_title, page_text, page_style, language, color };
    return kind === 'text'
      ? renderText({ ...landing, text: content })
      : renderPicture({ ...landing, picture_url: visitPicturePath(picture ?? ''), long_press_hint: true });
  };

  return {
    toTarget(code, target, language) {
      const kept = target.replies[language];
      if (kept !== undefined) return kept;
      const reply = replyOf(renderTarget(code, target, languageAt(language)));
      target.replies[language] = reply;
      return reply;
    },
    toFallback(code, address, language) {
      const kept = code.fallback_replies[language];
      if (kept !== undefined) return kept;
      const { stored } = code;
      const look = { language: languageAt(language), title: stored.page_title, color: stored.page_color ?? site.color };
      const reply = replyOf(renderJump(stored.jump_type, address, look));
      code.fallback_replies[language] = reply;
      return reply;
    },
    refusal(outcome, { code_color, ...details }, language) {
      const color = code_color ?? site.color;
      const key = [outcome, language, color, details.host, details.code_title, details.link].join('\n');
      const kept = refusals.get(key);
      if (kept !== undefined) return kept;
      const reply = replyOf(renderRefusal(outcome, { language: languageAt(language), site_title: site.admin_title, color, ...details }));
      refusals.set(key, reply);
      return reply;
    },
  };
}

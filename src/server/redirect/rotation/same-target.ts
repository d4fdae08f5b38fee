import { createHmac } from 'node:crypto';
import { writtenOut } from '../answers/templates.ts';
import type { Code, Domain, Target } from '../model.ts';

/**
 * Which target a visitor had, code by code, in one cookie of his: `{code}:{target}:{signature}` in base 36, joined by dots, latest first.
 * One cookie for all codes of a host, because browsers keep dozens for a host and send them all, which would be too much for a request.
 */
const cookieName = 'lc_t';
const rememberedCodes = 20;
const macLength = 16;
const maximumAgeSeconds = 180 * 86_400;

const cookiePattern = new RegExp(`(?:^|;)\\s*${cookieName}=([^;]*)`);
const entryPattern = /^[0-9a-z]{1,11}:[0-9a-z]{1,11}:[\w-]{16}$/;

/** The same for every visitor, and therefore made once for each target. */
function markOf(key: Buffer, code: Code, target: Target): string {
  if (target.mark !== undefined) return target.mark;
  const named = `${code.id.toString(36)}:${target.id.toString(36)}`;
  const mac = createHmac('sha256', key).update(`same target\n${named}`).digest('base64url').slice(0, macLength);
  target.mark = `${named}:${mac}`;
  return target.mark;
}

/** Takes as long for every text of the same length. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let index = 0; index < one.length; index += 1) difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  return difference === 0;
}

const entriesOf = (header: string): string[] =>
  (cookiePattern.exec(header)?.[1] ?? '').split('.', rememberedCodes).filter((entry) => entryPattern.test(entry));
const beginningOf = ({ id }: Code): string => `${id.toString(36)}:`;
const othersOf = (header: string, code: Code): string[] => entriesOf(header).filter((entry) => !entry.startsWith(beginningOf(code)));

/** The target of this code that a visitor's cookies name, where it is genuine and may still be served. */
export function keptTarget(key: Buffer, header: string | undefined, code: Code): Target | undefined {
  if (header === undefined) return undefined;
  const beginning = beginningOf(code);
  const entry = entriesOf(header).find((one) => one.startsWith(beginning));
  if (entry === undefined) return undefined;
  const targetId = Number.parseInt(entry.slice(beginning.length), 36);
  const target = code.usable.find(({ id }) => id === targetId);
  return target !== undefined && isSame(entry, markOf(key, code, target)) ? target : undefined;
}

interface Granted {
  code: Code;
  target: Target;
  domain: Domain | undefined;
  scheme: string;
}

/** The value of `set-cookie` that lets a visitor keep a target; what it said of other codes is kept, too. */
export function targetCookie(key: Buffer, header: string | undefined, granted: Granted): string {
  const { target, domain } = granted;
  // On hosts of one name it is the same for everybody's first visit; targets are made anew when the scheme changes.
  if (header !== undefined || domain?.host.startsWith('*.')) return writeCookie(key, header, granted);
  target.cookie ??= writtenOut(writeCookie(key, header, granted));
  return target.cookie;
}

function writeCookie(key: Buffer, header: string | undefined, { code, target, domain, scheme }: Granted): string {
  const mark = markOf(key, code, target);
  const value = header === undefined ? mark : [mark, ...othersOf(header, code)].slice(0, rememberedCodes).join('.');
  // Under a wildcard every visit may have a label of its own.
  const shared = domain?.host.startsWith('*.') ? `; Domain=${domain.host.slice(2).replace(/:\d+$/, '')}` : '';
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${cookieName}=${value}; Path=/; Max-Age=${maximumAgeSeconds}${shared}; HttpOnly; SameSite=Lax${secure}`;
}

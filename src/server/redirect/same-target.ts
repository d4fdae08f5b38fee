import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Code, Domain, Target } from './model.ts';

/**
 * Which target a visitor had, code by code, in one cookie of his: `{code}:{target}:{signature}` in base 36, joined by dots, latest first.
 * One cookie for all codes of a host, because browsers keep dozens for a host and send them all, which would be too much for a request.
 */
const cookieName = 'lc_t';
const rememberedCodes = 20;
const macLength = 16;
const maximumAgeSeconds = 180 * 86_400;

const cookiePattern = new RegExp(`(?:^|;)\\s*${cookieName}=([^;]*)`);
const entryPattern = /^([0-9a-z]{1,11}):([0-9a-z]{1,11}):[\w-]{16}$/;

const macOf = (key: Buffer, code: string, target: string): string =>
  createHmac('sha256', key).update(`same target\n${code}\n${target}`).digest('base64url').slice(0, macLength);

function isGenuine(key: Buffer, entry: string): boolean {
  const [code = '', target = '', mac = ''] = entry.split(':');
  const expected = Buffer.from(macOf(key, code, target));
  const given = Buffer.from(mac);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

const entriesOf = (header: string | undefined): string[] =>
  (cookiePattern.exec(header ?? '')?.[1] ?? '').split('.', rememberedCodes).filter((entry) => entryPattern.test(entry));

/** The target of this code that a visitor's cookies name, where it is genuine and may still be served. */
export function keptTarget(key: Buffer, header: string | undefined, { id, usable }: Code): Target | undefined {
  if (header === undefined) return undefined;
  const code = id.toString(36);
  const entry = entriesOf(header).find((one) => one.startsWith(`${code}:`));
  if (entry === undefined || !isGenuine(key, entry)) return undefined;
  const targetId = Number.parseInt(entry.split(':')[1] ?? '', 36);
  return usable.find((target) => target.id === targetId);
}

/** The value of `set-cookie` that lets a visitor keep a target; what it said of other codes is kept, too. */
export function targetCookie(
  key: Buffer,
  header: string | undefined,
  { code, target, domain, scheme }: { code: Code; target: Target; domain: Domain | undefined; scheme: string },
): string {
  const [codeId, targetId] = [code.id.toString(36), target.id.toString(36)];
  const others = entriesOf(header).filter((entry) => !entry.startsWith(`${codeId}:`));
  const entries = [`${codeId}:${targetId}:${macOf(key, codeId, targetId)}`, ...others].slice(0, rememberedCodes);
  // Under a wildcard every visit may have a label of its own.
  const shared = domain?.host.startsWith('*.') ? `; Domain=${domain.host.slice(2).replace(/:\d+$/, '')}` : '';
  const secure = scheme === 'https' ? '; Secure' : '';
  return `${cookieName}=${entries.join('.')}; Path=/; Max-Age=${maximumAgeSeconds}${shared}; HttpOnly; SameSite=Lax${secure}`;
}

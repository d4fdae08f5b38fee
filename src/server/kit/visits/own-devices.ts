import { createHmac, timingSafeEqual } from 'node:crypto';

const macLength = 22;
const digestOf = (secret: Buffer, kind: 'link' | 'cookie', named: string): string =>
  createHmac('sha256', secret).update(`own device ${kind}\n${named}`).digest('base64url').slice(0, macLength);

/** Where the visit path marks the device that opens it; a token follows. */
export const visitOwnDevicePath = '/~own/';
const cookieName = 'lc_o';
/** Browsers keep a cookie no longer. */
const maxAgeSeconds = 400 * 86_400;
export const ownLinkMilliseconds = 3_600_000;
/** So many hosts of one owner are marked by one link, which has to fit a QR code. */
export const maxMarkedHosts = 20;

/** What a link says that marks the device which opens it. */
export interface OwnDeviceLink {
  owner: number;
  device: number;
  /** Milliseconds since 1970. */
  until: number;
  /** The domains that the owner's codes stand on: browsers keep cookies for each host apart. */
  domains: readonly number[];
}

/** A text that can't be made without the site's secret `visit_signing`: `{named}.{mac}`. */
const sign = (secret: Buffer, kind: 'link' | 'cookie', named: string): string => `${named}.${digestOf(secret, kind, named)}`;

/** The numbers of base 36 that a signed text names; undefined where it isn't genuine. */
function read(secret: Buffer, kind: 'link' | 'cookie', text: string): number[] | undefined {
  const [, named = '', mac = ''] = /^([0-9a-z]{1,11}(?:\.[0-9a-z]{1,11}){1,30})\.([\w-]{22})$/.exec(text) ?? [];
  if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(digestOf(secret, kind, named)))) return undefined;
  return named.split('.').map((part) => Number.parseInt(part, 36));
}

const written = (numbers: readonly number[]): string => numbers.map((number) => number.toString(36)).join('.');

/** The path of the link that marks the device which opens it: `{owner}.{device}.{second}.{domain}…{mac}`. */
export const ownDevicePath = (secret: Buffer, { owner, device, until, domains }: OwnDeviceLink): string =>
  visitOwnDevicePath + sign(secret, 'link', written([owner, device, Math.floor(until / 1000), ...domains.slice(0, maxMarkedHosts)]));

/** What such a path says; undefined where it was not made here, or its time is over. */
export function readOwnDevicePath(secret: Buffer, path: string, now: number): OwnDeviceLink | undefined {
  const [owner = 0, device = 0, second = 0, ...domains] = read(secret, 'link', path.slice(visitOwnDevicePath.length)) ?? [];
  // A clock that was ahead makes no link that is good for longer.
  const left = second * 1000 - now;
  return left > 0 && left <= ownLinkMilliseconds ? { owner, device, until: second * 1000, domains } : undefined;
}

/** Where a link is opened to mark a registered host: under a wildcard any label does, as the cookie is for all of them. */
export const hostToMark = (host: string): string => (host.startsWith('*.') ? `own${host.slice(1)}` : host);

type CookieOptions = { isSecure: boolean /** The registered name; one cookie serves all labels under a wildcard. */; host: string };

/** The cookie of a marked device, one for each owner; `isSecure` where visits come through TLS. */
export function ownDeviceCookie(secret: Buffer, owner: number, device: number, { isSecure, host }: CookieOptions): string {
  const shared = host.startsWith('*.') ? `; Domain=${host.slice(2).replace(/:\d+$/, '')}` : '';
  const value = sign(secret, 'cookie', written([owner, device]));
  return `${cookieName}${owner.toString(36)}=${value}; Path=/; Max-Age=${maxAgeSeconds}${shared}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}

/** The device of this owner that the cookies of a visit name; 0 where they name none. */
export function ownDeviceOf(secret: Buffer, cookies: string | undefined, owner: number): number {
  const name = `${cookieName}${owner.toString(36)}=`;
  const entry = cookies?.split('; ').find((one) => one.startsWith(name));
  const found = entry === undefined ? undefined : read(secret, 'cookie', entry.slice(name.length));
  return found?.length === 2 && found[0] === owner ? (found[1] ?? 0) : 0;
}

import { createHmac, timingSafeEqual } from 'node:crypto';

const macLength = 22;
const digestOf = (secret: Buffer, kind: 'link' | 'cookie', named: string): string =>
  createHmac('sha256', secret).update(`own device ${kind}\n${named}`).digest('base64url').slice(0, macLength);

/** Where the visit path marks the device that opens it; a token follows. */
export const visitOwnDevicePath = '/~own/';
const cookieName = 'lc_o';
/** Browsers keep a cookie no longer. */
const maxAgeSeconds = 400 * 86_400;

/** A text that names a device of an owner and can't be made without the site's secret `visit_signing`: `{owner}.{device}.{mac}` in base 36. */
function sign(secret: Buffer, kind: 'link' | 'cookie', owner: number, device: number): string {
  const named = `${owner.toString(36)}.${device.toString(36)}`;
  return `${named}.${digestOf(secret, kind, named)}`;
}

function read(secret: Buffer, kind: 'link' | 'cookie', text: string): { owner: number; device: number } | undefined {
  const [, named = '', owner = '', device = '', mac = ''] = /^(([0-9a-z]{1,11})\.([0-9a-z]{1,11}))\.([\w-]{22})$/.exec(text) ?? [];
  if (mac === '' || !timingSafeEqual(Buffer.from(mac), Buffer.from(digestOf(secret, kind, named)))) return undefined;
  return { owner: Number.parseInt(owner, 36), device: Number.parseInt(device, 36) };
}

/** The path of the link, good as long as the device stands on its owner's list, that marks the device which opens it. */
export const ownDevicePath = (secret: Buffer, owner: number, device: number): string =>
  visitOwnDevicePath + sign(secret, 'link', owner, device);

/** What such a path names. */
export const readOwnDevicePath = (secret: Buffer, path: string) => read(secret, 'link', path.slice(visitOwnDevicePath.length));

/** The cookie of a marked device, one for each owner; `isSecure` where visits come through TLS. */
export const ownDeviceCookie = (secret: Buffer, owner: number, device: number, isSecure: boolean): string =>
  `${cookieName}${owner.toString(36)}=${sign(secret, 'cookie', owner, device)}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

/** The device of this owner that the cookies of a visit name; 0 where they name none. */
export function ownDeviceOf(secret: Buffer, cookies: string | undefined, owner: number): number {
  const name = `${cookieName}${owner.toString(36)}=`;
  const entry = cookies?.split('; ').find((one) => one.startsWith(name));
  const found = entry === undefined ? undefined : read(secret, 'cookie', entry.slice(name.length));
  return found?.owner === owner ? found.device : 0;
}

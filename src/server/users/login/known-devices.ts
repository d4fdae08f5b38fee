import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { PublicContext } from '../../kit/calls/context.ts';

const deviceDays = 90;
const macLabel = 'login devices';
const pattern = /^([A-Za-z0-9_-]{22})\.([0-9]{1,12})\.([A-Za-z0-9_-]{43})$/;

export type AccountOfDevice = { id: number; password_hash: string };
type Keys = Pick<PublicContext, 'vault' | 'now'>;

/** With the password's hash in it, another password makes strangers of all devices. */
const macOf = ({ vault }: Keys, { id, password_hash }: AccountOfDevice, device_id: string, ends: string): Buffer =>
  vault.mac(`${id}:${device_id}:${ends}:${password_hash}`, macLabel);

/**
 * What a device shows at the next login to be told from strangers: `{device id}.{end in seconds}.{MAC}`, as OWASP's device cookies. It opens
 * nothing: its holder has guesses of his own, however many others guess.
 * @param device_id of the device that logged in with a token; a new one without
 */
export function newDeviceToken(keys: Keys, account: AccountOfDevice, device_id = randomBytes(16).toString('base64url')): string {
  const ends = String(Math.floor(keys.now.getTime() / 1000) + deviceDays * 86_400);
  return `${device_id}.${ends}.${macOf(keys, account, device_id, ends).toString('base64url')}`;
}

/** The id of the device that a token belongs to; undefined where it is not one of this account, is over or is of another password. */
export function knownDevice(keys: Keys, account: AccountOfDevice, token: string | undefined): string | undefined {
  const [, device_id, ends, mac] = token?.match(pattern) ?? [];
  if (device_id === undefined || ends === undefined || mac === undefined) return undefined;
  if (Number(ends) * 1000 <= keys.now.getTime()) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const expected = macOf(keys, account, device_id, ends);
  return given.length === expected.length && timingSafeEqual(given, expected) ? device_id : undefined;
}

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { visitPressPath } from '../../kit/visits/visit-paths.ts';
import type { Reply } from '../model.ts';
import { isInTime, type Ticket } from './tickets.ts';

/** A press of a picture: whose it is, and what makes it the only one of its page view. */
export interface LongPress extends Ticket {
  live_code_id: number;
  target_id: number;
}

/** How long after its page was served a press counts. */
const pressMilliseconds = 2 * 3_600_000;

const wholeLength = 6;
const nonceLength = 6;
const headLength = 3 * wholeLength + nonceLength;
const macLength = 12;
/** Characters of a token; the page's length depends on it. */
export const longPressTokenLength = ((headLength + macLength) * 4) / 3;

const macOf = (key: Buffer, head: Buffer): Buffer =>
  createHmac('sha256', key).update('press\n').update(head).digest().subarray(0, macLength);

/** What a picture's page shows when it is pressed: code, target, expiry and a random nonce, with an HMAC-SHA256 over all; base64url. */
export function issueLongPress(key: Buffer, live_code_id: number, target_id: number, now: number): string {
  const head = Buffer.allocUnsafe(headLength);
  head.writeUIntBE(live_code_id, 0, wholeLength);
  head.writeUIntBE(target_id, wholeLength, wholeLength);
  head.writeUIntBE(now + pressMilliseconds, 2 * wholeLength, wholeLength);
  randomBytes(nonceLength).copy(head, 3 * wholeLength);
  return Buffer.concat([head, macOf(key, head)]).toString('base64url');
}

/** The press that a token stands for, where it is genuine and in its time. Whether it was counted is not known here. */
export function readLongPress(key: Buffer, token: string, now: number): LongPress | null {
  if (token.length !== longPressTokenLength) return null;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== headLength + macLength) return null;
  const head = bytes.subarray(0, headLength);
  if (!timingSafeEqual(bytes.subarray(headLength), macOf(key, head))) return null;
  const expires_at = head.readUIntBE(2 * wholeLength, wholeLength);
  if (!isInTime(expires_at, now, pressMilliseconds)) return null;
  // As long as a ticket's, and never equal to one: both are remembered in one place.
  const nonce = Buffer.concat([Buffer.from('pres'), head.subarray(3 * wholeLength)]);
  return { live_code_id: head.readUIntBE(0, wholeLength), target_id: head.readUIntBE(wholeLength, wholeLength), nonce, expires_at };
}

/** The token that a request's path holds; undefined where it is no press. */
export const longPressTokenOf = (url: string): string | undefined =>
  url.startsWith(visitPressPath) ? url.slice(visitPressPath.length) : undefined;

/** The answer to every press, whether it counted or not. */
export const longPressReply: Reply = {
  status: 204,
  head: 'HTTP/1.1 204 No Content\r\ncache-control: no-store\r\nx-visit-id: ',
  pieces: [''],
  gaps: [],
  title: '',
  url: '',
};

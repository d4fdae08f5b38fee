import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { signCode } from '../../kit/visits/visit-signature.ts';
import type { Query } from './leases.queries.ts';

/** How long the entry's ticket is good for on the landing domain. */
export const ticketMilliseconds = 30_000;

const expiryLength = 6;
const nonceLength = 10;
const macLength = 16;
const ticketLength = expiryLength + nonceLength + macLength;
const textLength = Math.ceil((ticketLength * 4) / 3);

export interface Ticket {
  nonce: Buffer;
  /** Milliseconds since 1970. */
  expires_at: number;
}

const macOf = (key: Buffer, head: Buffer, fileName: string, ip: string): Buffer =>
  createHmac('sha256', key).update(`ticket\n${fileName}\n${ip}\n`).update(head).digest().subarray(0, macLength);

/** A ticket for this code and address: expiry, a random nonce, and an HMAC-SHA256 over both, the code and the address; base64url. */
export function issueTicket(key: Buffer, fileName: string, ip: string, now: number, milliseconds = ticketMilliseconds): string {
  const head = Buffer.allocUnsafe(expiryLength + nonceLength);
  head.writeUIntBE(now + milliseconds, 0, expiryLength);
  randomBytes(nonceLength).copy(head, expiryLength);
  return Buffer.concat([head, macOf(key, head, fileName, ip)]).toString('base64url');
}

/** Clocks of several machines differ by less: what expires later than it may was issued by a clock that was set back since. */
const clockToleranceMilliseconds = 60_000;

/** Whether what is good for so long from its issue on is good now. Without the upper bound a clock ahead would make it good for ever. */
export const isInTime = (expires_at: number, now: number, milliseconds: number): boolean =>
  now < expires_at && expires_at <= now + milliseconds + clockToleranceMilliseconds;

/** The ticket of a text, where it is genuine, for this code and address, and in its time. Whether it was spent is not known here. */
export function readTicket(
  key: Buffer,
  text: string,
  fileName: string,
  ip: string,
  now: number,
  milliseconds = ticketMilliseconds,
): Ticket | null {
  const ticket = genuineTicket(key, text, fileName, ip);
  return ticket && isInTime(ticket.expires_at, now, milliseconds) ? ticket : null;
}

/** The same of any time. */
export function genuineTicket(key: Buffer, text: string, fileName: string, ip: string): Ticket | null {
  if (text.length !== textLength) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== ticketLength) return null;
  const head = bytes.subarray(0, expiryLength + nonceLength);
  if (!timingSafeEqual(bytes.subarray(head.length), macOf(key, head, fileName, ip))) return null;
  return { nonce: head.subarray(expiryLength), expires_at: head.readUIntBE(0, expiryLength) };
}

export function isSignature(key: Buffer, text: string, fileName: string): boolean {
  const expected = Buffer.from(signCode(key, fileName));
  const given = Buffer.from(text);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** Marks a nonce as used in the database; false when it was already. True where the database cannot be asked. */
type StoreNonce = (ticket: Ticket) => Promise<boolean>;

export const nonceStore =
  (query: Query, isConnected: () => boolean): StoreNonce =>
  async ({ nonce, expires_at }) => {
    if (!isConnected()) return true;
    const text = `INSERT INTO used_ticket (nonce, expires_at) VALUES ($1, to_timestamp($2::float8 / 1000))
      ON CONFLICT (nonce) DO NOTHING RETURNING true AS is_first`;
    return (await query({ name: 'use_ticket', text, values: [nonce, expires_at] })).length > 0;
  };

export interface NonceStore {
  /** True for exactly one caller per ticket, over all processes; over this one while the database can't be reached. */
  spend(ticket: Ticket): Promise<boolean>;
}

/** So many are remembered before those that expired are looked for; then again when there are twice as many as were left. */
const sweepSize = 10_000;

export function createNonceStore(store: StoreNonce, onFault: (error: unknown) => void, now: () => number = Date.now): NonceStore {
  const spent = new Map<string, number>();
  let sweepAt = sweepSize;
  return {
    async spend(ticket) {
      const nonce = ticket.nonce.toString('latin1');
      if (spent.has(nonce)) return false;
      if (spent.size >= sweepAt) {
        for (const [key, expiry] of spent) if (expiry <= now()) spent.delete(key);
        sweepAt = Math.max(sweepSize, 2 * spent.size);
      }
      spent.set(nonce, ticket.expires_at);
      return store(ticket).catch((error) => {
        onFault(error);
        return true;
      });
    },
  };
}

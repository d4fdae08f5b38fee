import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signCode } from '../../kit/visits/visit-signature.ts';
import { issueLongPress, readLongPress } from './presses.ts';
import { createNonceStore, isSignature, issueTicket, readTicket, ticketMilliseconds } from './tickets.ts';

const key = randomBytes(32);
const now = 1_790_000_000_000;
const ip = '203.0.113.7';

const noFault = () => {};

describe('a ticket', () => {
  it('is good for its code and address until its time is over', () => {
    const ticket = issueTicket(key, 'abcd', ip, now);
    expect(readTicket(key, ticket, 'abcd', ip, now)?.expires_at).toBe(now + ticketMilliseconds);
    expect(readTicket(key, ticket, 'abcd', ip, now + ticketMilliseconds - 1)).not.toBeNull();
    expect(readTicket(key, ticket, 'abcd', ip, now + ticketMilliseconds)).toBeNull();
    expect(readTicket(key, ticket, 'abce', ip, now)).toBeNull();
    expect(readTicket(key, ticket, 'abcd', '203.0.113.8', now)).toBeNull();
    expect(readTicket(randomBytes(32), ticket, 'abcd', ip, now)).toBeNull();
  });

  it('of a clock that was ahead is refused until its time comes; clocks of several machines may differ a little', () => {
    for (const [ahead, isGood] of [
      [30_000, true],
      [90_000, false],
      [86_400_000, false],
    ] as const) {
      const ticket = issueTicket(key, 'abcd', ip, now + ahead);
      expect([ahead, readTicket(key, ticket, 'abcd', ip, now) !== null]).toEqual([ahead, isGood]);
      const press = issueLongPress(key, 1, 2, now + ahead);
      expect([ahead, readLongPress(key, press, now) !== null]).toEqual([ahead, isGood]);
    }
    const form = issueTicket(key, 'report/abcd', ip, now, 7_200_000);
    expect(readTicket(key, form, 'report/abcd', ip, now, 7_200_000)).not.toBeNull();
  });

  it('is refused when a single bit differs, and so is anything that is no ticket', () => {
    const bytes = Buffer.from(issueTicket(key, 'abcd', ip, now), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged[bit >> 3] = (forged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(readTicket(key, forged.toString('base64url'), 'abcd', ip, now)).toBeNull();
    }
    for (const text of ['', 'x', 'é'.repeat(43), '='.repeat(43), 'A'.repeat(43), 'A'.repeat(5000), ' '.repeat(43)]) {
      expect(readTicket(key, text, 'abcd', ip, now)).toBeNull();
    }
  });

  it('is never the same twice', () => {
    const tickets = Array.from({ length: 1000 }, () => issueTicket(key, 'abcd', ip, now));
    expect(new Set(tickets).size).toBe(1000);
  });

  it('is not made of the signature of a code', () => {
    const tricky = `ticket\n${'abcd'}\n${ip}\n`;
    expect(isSignature(key, signCode(key, tricky), 'abcd')).toBe(false);
    expect(isSignature(key, signCode(key, 'abcd'), 'abcd')).toBe(true);
    expect(isSignature(key, signCode(key, 'abcd').slice(0, -1), 'abcd')).toBe(false);
    expect(isSignature(key, '', 'abcd')).toBe(false);
  });
});

describe('spending', () => {
  const ticket = () => {
    const read = readTicket(key, issueTicket(key, 'abcd', ip, now), 'abcd', ip, now);
    if (!read) throw new Error('a fresh ticket was refused');
    return read;
  };

  it('succeeds once, even when asked twice before the database answers', async () => {
    const { spend } = createNonceStore(async () => true, noFault);
    const one = ticket();
    expect(await Promise.all([spend(one), spend(one), spend(one)])).toEqual([true, false, false]);
  });

  it('is refused when another process was first', async () => {
    const { spend } = createNonceStore(async () => false, noFault);
    expect(await spend(ticket())).toBe(false);
  });

  it('goes on without the database, once per process', async () => {
    const { spend } = createNonceStore(() => Promise.reject(new Error('away')), noFault);
    const one = ticket();
    expect(await spend(one)).toBe(true);
    expect(await spend(one)).toBe(false);
  });

  it('stays quick with very many that are still good, and forgets those that expired', async () => {
    let clock = now;
    const { spend } = createNonceStore(
      async () => true,
      noFault,
      () => clock,
    );
    const fresh = (number: number) => ({ nonce: Buffer.from(`nonce ${number}`), expires_at: clock + 1000 });
    for (let number = 0; number < 100_000; number += 1) await spend(fresh(number));
    expect(await spend(fresh(7))).toBe(false);
    clock += 2000;
    for (let number = 100_000; number < 300_000; number += 1) await spend(fresh(number));
    // Whether a ticket is still good is asked before it is spent.
    expect(await spend(fresh(7))).toBe(true);
  });
});

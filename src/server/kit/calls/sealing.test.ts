import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { maximumPasswordLength, maximumSealedLength } from '../../../contract/sealing.ts';
import { sealAsBrowser } from '../testing/sealing.ts';
import { createVault } from '../vault.ts';
import { createSealing, plainPasswords } from './sealing.ts';

const sealing = createSealing(createVault(Buffer.alloc(32, 7)));
const seal = (password: string) => sealAsBrowser(password, sealing.public_key, 'admin/login', 'password');
const open = (sealed: string) => sealing.open(sealed, 'admin/login', 'password');

describe('a sealed password', () => {
  test('opens, whatever its characters, and looks different every time', () => {
    for (const password of ['abc123', '密码🔑', 'x'.repeat(200), ' ']) expect(open(seal(password))).toBe(password);
    expect(seal('abc123')).not.toBe(seal('abc123'));
  });

  test('of the greatest length fits into the field', () => {
    expect(seal('🔑'.repeat(maximumPasswordLength)).length).toBeLessThanOrEqual(maximumSealedLength);
  });

  test('opens for no other call, no other field and no other key', () => {
    const sealed = seal('abc123');
    expect(sealing.open(sealed, 'admin/register', 'password')).toBeUndefined();
    expect(sealing.open(sealed, 'admin/login', 'old_password')).toBeUndefined();
    expect(createSealing(createVault(Buffer.alloc(32, 8))).open(sealed, 'admin/login', 'password')).toBeUndefined();
  });

  test('opens no more once a byte was changed or cut off, and nonsense never throws', () => {
    const sealed = Buffer.from(seal('abc123'), 'base64url');
    for (let at = 0; at < sealed.length; at += 1) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      // The top bit of an X25519 key is not part of it; the key derivation still sees the change.
      expect(open(changed.toString('base64url'))).toBeUndefined();
      expect(open(sealed.subarray(0, at).toString('base64url'))).toBeUndefined();
    }
    const lowOrderPoint = Buffer.concat([Buffer.alloc(32), randomBytes(60)]).toString('base64url');
    for (const text of ['', 'x', '密码', '%%%', lowOrderPoint, 'A'.repeat(100_000)]) expect(open(text)).toBeUndefined();
  });
});

describe('the passwords of an input', () => {
  const read = (input: { password?: string; encrypted?: boolean }) => plainPasswords(input, ['password'], 'admin/login', { sealing });

  test('are opened when they are sealed and taken as they are when not', () => {
    expect(read({ password: seal('abc123'), encrypted: true })).toEqual({ password: 'abc123' });
    expect(read({ password: 'abc123' })).toEqual({ password: 'abc123' });
    expect(read({ encrypted: true })).toEqual({ password: '' });
  });

  test('are refused by field when they only claim to be sealed, or are too long', () => {
    expect(() => read({ password: 'abc123', encrypted: true })).toThrow(
      expect.objectContaining({ status: 400, details: { fields: { password: 'not_sealed' } } }),
    );
    expect(() => read({ password: seal('x'.repeat(201)), encrypted: true })).toThrow(
      expect.objectContaining({ details: { fields: { password: 'password_too_long' } } }),
    );
  });
});

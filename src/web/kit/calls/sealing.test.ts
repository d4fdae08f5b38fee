import { createPrivateKey, createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { expect, test } from 'vitest';
import { maximumPasswordLength, maximumSealedLength } from '../../../contract/sealing.ts';
import { sealPassword } from './sealing.ts';

const server = generateKeyPairSync('x25519');
const secret = createPrivateKey({ key: server.privateKey.export({ format: 'jwk' }), format: 'jwk' });
const serverKey = server.publicKey.export({ format: 'jwk' }).x ?? '';

/** Opens as the contract tells a server to, over another library than the one that sealed. */
function open(sealed: string, associated: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const [theirs, nonce, box] = [bytes.subarray(0, 32), bytes.subarray(32, 56), bytes.subarray(56)];
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: theirs.toString('base64url') }, format: 'jwk' });
  const shared = diffieHellman({ privateKey: secret, publicKey });
  const salt = Buffer.concat([theirs, Buffer.from(serverKey, 'base64url')]);
  const key = new Uint8Array(hkdfSync('sha256', shared, salt, 'livecode sealed password 1', 32));
  return Buffer.from(xchacha20poly1305(key, nonce, Buffer.from(associated)).decrypt(box)).toString();
}

test('a sealed password opens for its call and field only, whatever its characters', () => {
  for (const password of ['abc123', '密码🔑', 'x'.repeat(200), ' ']) {
    const sealed = sealPassword(password, serverKey, 'admin/login', 'password');
    expect(open(sealed, 'admin/login:password')).toBe(password);
    expect(() => open(sealed, 'admin/register:password')).toThrow();
  }
});

test('the same password is never sealed the same way, and the longest fits into its field', () => {
  const longest = '🔑'.repeat(maximumPasswordLength);
  const seal = () => sealPassword(longest, serverKey, 'admin/login', 'password');
  expect(seal()).not.toBe(seal());
  expect(seal()).toMatch(/^[\w-]+$/);
  expect(seal().length).toBeLessThanOrEqual(maximumSealedLength);
});

import { createPublicKey, diffieHellman, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';

/** Seals a password as `contract/sealing.ts` tells a browser to, written apart from the server's side and over another library. */
export function sealAsBrowser(password: string, serverKey: string, call: string, field: string): string {
  const own = generateKeyPairSync('x25519');
  const ownPublic = Buffer.from(own.publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x: serverKey }, format: 'jwk' });
  const shared = diffieHellman({ privateKey: own.privateKey, publicKey });
  const salt = Buffer.concat([ownPublic, Buffer.from(serverKey, 'base64url')]);
  const key = new Uint8Array(hkdfSync('sha256', shared, salt, 'livecode sealed password 1', 32));
  const nonce = randomBytes(24);
  const box = xchacha20poly1305(key, nonce, Buffer.from(`${call}:${field}`)).encrypt(Buffer.from(password));
  return Buffer.concat([ownPublic, nonce, box]).toString('base64url');
}

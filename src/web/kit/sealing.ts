import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { sealedFor, sealing } from '../../contract/sealing.ts';

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const fromBase64Url = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

/** Seals a password to the server's key (base64url) for one field of one call (`admin/login`), as `contract/sealing.ts` says. */
export function sealPassword(password: string, serverKey: string, call: string, field: string): string {
  const utf8 = new TextEncoder();
  const theirs = fromBase64Url(serverKey);
  const own = x25519.keygen();
  const salt = new Uint8Array([...own.publicKey, ...theirs]);
  const key = hkdf(sha256, x25519.getSharedSecret(own.secretKey, theirs), salt, utf8.encode(sealing.info), 32);
  const nonce = crypto.getRandomValues(new Uint8Array(sealing.nonceBytes));
  const box = xchacha20poly1305(key, nonce, utf8.encode(sealedFor(call, field))).encrypt(utf8.encode(password));
  return toBase64Url(new Uint8Array([...own.publicKey, ...nonce, ...box]));
}

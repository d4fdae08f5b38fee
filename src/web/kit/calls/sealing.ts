import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { sealedFor, sealing } from '../../../contract/sealing.ts';
import { fromBase64Url, toBase64Url } from '../base64.ts';

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

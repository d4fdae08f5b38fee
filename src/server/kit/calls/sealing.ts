import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { x25519 } from '@noble/curves/ed25519.js';
import { hkdf } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { maximumPasswordLength, sealedFor, sealing } from '../../../contract/sealing.ts';
import type { Vault } from '../vault.ts';
import { invalidField } from './errors.ts';

/** The server's key pair for what browsers seal to it (`contract/sealing.ts` says how). */
export type Sealing = {
  /** Base64url, as the website info shows it. */
  public_key: string;
  /** What was sealed for this call and field; undefined where it was not, or not to this key. */
  open: (sealed: string, call: string, field: string) => string | undefined;
};

/** The pair comes from the master key, so that every web server of an installation has the same one and nothing is stored. */
export function createSealing(vault: Vault): Sealing {
  const secretKey = vault.derive('x25519');
  const publicKey = x25519.getPublicKey(secretKey);

  function unseal(sealed: string, call: string, field: string): string {
    const bytes = Buffer.from(sealed, 'base64url');
    const theirs = bytes.subarray(0, sealing.publicKeyBytes);
    const nonce = bytes.subarray(sealing.publicKeyBytes, sealing.publicKeyBytes + sealing.nonceBytes);
    const box = bytes.subarray(sealing.publicKeyBytes + sealing.nonceBytes);
    const shared = x25519.getSharedSecret(secretKey, theirs);
    const key = hkdf(sha256, shared, Buffer.concat([theirs, publicKey]), Buffer.from(sealing.info), 32);
    const plain = xchacha20poly1305(key, nonce, Buffer.from(sealedFor(call, field))).decrypt(box);
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  }

  return {
    public_key: Buffer.from(publicKey).toString('base64url'),
    open(sealed, call, field) {
      try {
        return unseal(sealed, call, field);
      } catch {
        // The reason (length, low-order point, tag, encoding) helps nobody but an attacker.
        return undefined;
      }
    },
  };
}

/** The passwords among the fields of an input, opened where `encrypted` says that they are sealed. */
export function plainPasswords<F extends string>(
  input: { encrypted?: boolean } & Partial<Record<F, string>>,
  fields: readonly F[],
  call: string,
  { sealing: own }: { sealing: Sealing },
): Record<F, string> {
  const entries = fields.map((field) => {
    const given: string = input[field] ?? '';
    const plain = input.encrypted && given !== '' ? own.open(given, call, field) : given;
    if (plain === undefined) throw invalidField(field, 'not_sealed');
    if (plain.length > maximumPasswordLength) throw invalidField(field, 'password_too_long');
    return [field, plain];
  });
  return Object.fromEntries(entries) as Record<F, string>;
}

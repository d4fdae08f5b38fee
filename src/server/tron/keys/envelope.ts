import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Vault } from '../../kit/vault.ts';

const version = 1;
const dataKeyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;
/** A data key as the vault seals it: its version, a nonce, the key, a tag. */
const wrappedBytes = 1 + nonceBytes + dataKeyBytes + tagBytes;

/** What a key belongs to: it opens for nothing else. */
export type Owner = { id: number; address: string };

const wrapLabel = 'tron data key';
const boundTo = ({ id, address }: Owner): Buffer => Buffer.from(`${id}:${address}:${version}`);

/**
 * A private key at rest: version (1 byte), the data key under the master key (61), nonce (12), ciphertext, tag (16). Every key has a data key
 * of its own, so that a change of the master key wraps data keys anew and touches no private key.
 */
export function sealKey(vault: Vault, key: Uint8Array, owner: Owner): Buffer {
  const dataKey = randomBytes(dataKeyBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', dataKey, nonce).setAAD(boundTo(owner));
  const ciphertext = Buffer.concat([cipher.update(key), cipher.final()]);
  const envelope = Buffer.concat([Buffer.of(version), vault.seal(dataKey, wrapLabel), nonce, ciphertext, cipher.getAuthTag()]);
  dataKey.fill(0);
  return envelope;
}

/** @throws where the envelope is another owner's, was changed, or was sealed under another master key */
export function openKey(vault: Vault, envelope: Uint8Array, owner: Owner): Buffer {
  const bytes = Buffer.from(envelope);
  if (bytes[0] !== version || bytes.length <= 1 + wrappedBytes + nonceBytes + tagBytes) throw new Error('this is no envelope of a key');
  const dataKey = vault.open(bytes.subarray(1, 1 + wrappedBytes), wrapLabel);
  const rest = bytes.subarray(1 + wrappedBytes);
  const decipher = createDecipheriv('aes-256-gcm', dataKey, rest.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(boundTo(owner))
    .setAuthTag(rest.subarray(-tagBytes));
  const key = Buffer.concat([decipher.update(rest.subarray(nonceBytes, -tagBytes)), decipher.final()]);
  dataKey.fill(0);
  return key;
}

/** The same key under another master key; the key itself is not opened. */
export function rewrapKey(from: Vault, to: Vault, envelope: Uint8Array): Buffer {
  const bytes = Buffer.from(envelope);
  if (bytes[0] !== version) throw new Error('this is no envelope of a key');
  const dataKey = from.open(bytes.subarray(1, 1 + wrappedBytes), wrapLabel);
  return Buffer.concat([Buffer.of(version), to.seal(dataKey, wrapLabel), bytes.subarray(1 + wrappedBytes)]);
}

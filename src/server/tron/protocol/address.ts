import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { createBase58check } from '@scure/base';

const base58check = createBase58check(sha256);
/** The first byte of every address of TRON. */
const prefix = 0x41;
const addressBytes = 21;

/** `T…`, as people read it. Inside of the chain an address is `41` and 40 hexadecimal digits. */
export const toBase58 = (hex: string): string => base58check.encode(Buffer.from(hex, 'hex'));

/**
 * The 21 bytes of an address as hexadecimal digits.
 * @throws where the text is none, its checksum included
 */
export function toHex(base58: string): string {
  const bytes = base58check.decode(base58);
  if (bytes.length !== addressBytes || bytes[0] !== prefix) throw new Error('not an address of TRON');
  return Buffer.from(bytes).toString('hex');
}

/** An address with a sound checksum. */
export function isAddress(text: string): boolean {
  try {
    toHex(text);
    return true;
  } catch {
    return false;
  }
}

/** The address of a public key: `41` and the last 20 bytes of the Keccak-256 hash of its coordinates. */
export function addressOfPublicKey(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return `41${Buffer.from(keccak_256(point.subarray(1)).subarray(-20)).toString('hex')}`;
}

export const publicKeyOf = (privateKey: Uint8Array): Uint8Array => secp256k1.getPublicKey(privateKey, true);
/** As hexadecimal digits. */
export const addressOfPrivateKey = (privateKey: Uint8Array): string => addressOfPublicKey(publicKeyOf(privateKey));

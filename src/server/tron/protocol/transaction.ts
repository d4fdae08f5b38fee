import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { readTransferData, transferData } from './abi.ts';
import { addressOfPrivateKey, addressOfPublicKey } from './address.ts';
import { bytesIn, field, numberIn, readFields } from './protobuf.ts';

/** What a transaction does: it sends TRX (in sun), or calls a contract. Addresses are hexadecimal digits. */
export type Act =
  | { kind: 'trx'; owner: string; to: string; amount: bigint }
  | { kind: 'call'; owner: string; contract: string; data: string };

/** The block that a transaction refers to: it is worth nothing on a chain without that block. */
export type Reference = { number: number; id: string };
export type RawTransaction = {
  act: Act;
  ref_block_bytes: string;
  ref_block_hash: string;
  expiration: number;
  timestamp: number;
  fee_limit: bigint;
};
/** `raw` and `signature` as hexadecimal digits. */
export type SignedTransaction = { id: string; raw: string; signature: string; expiration: number };

const kinds = { trx: { type: 1n, name: 'TransferContract' }, call: { type: 31n, name: 'TriggerSmartContract' } } as const;
const urlOf = (name: string) => `type.googleapis.com/protocol.${name}`;
const hex = (text: string) => Buffer.from(text, 'hex');

const messageOf = (act: Act): Buffer =>
  act.kind === 'trx'
    ? Buffer.concat([field(1, hex(act.owner)), field(2, hex(act.to)), field(3, act.amount)])
    : Buffer.concat([field(1, hex(act.owner)), field(2, hex(act.contract)), field(4, hex(act.data))]);

/** The bytes of `raw_data`, as the network's own nodes write them. */
export function encodeRaw({ act, ref_block_bytes, ref_block_hash, expiration, timestamp, fee_limit }: RawTransaction): Buffer {
  const { type, name } = kinds[act.kind];
  const parameter = Buffer.concat([field(1, Buffer.from(urlOf(name))), field(2, messageOf(act))]);
  return Buffer.concat([
    field(1, hex(ref_block_bytes)),
    field(4, hex(ref_block_hash)),
    field(8, BigInt(expiration)),
    field(11, Buffer.concat([field(1, type), field(2, parameter)])),
    field(14, BigInt(timestamp)),
    field(18, fee_limit),
  ]);
}

function actOf(contract: Buffer): Act {
  const fields = readFields(contract);
  const type = numberIn(fields, 1);
  const parameter = readFields(bytesIn(fields, 2));
  const known = Object.values(kinds).find((kind) => kind.type === type);
  if (!known || bytesIn(parameter, 1).toString() !== urlOf(known.name)) throw new Error(`transactions of the type ${type} are not known`);
  const message = readFields(bytesIn(parameter, 2));
  const owner = bytesIn(message, 1).toString('hex');
  if (known.type === kinds.trx.type) return { kind: 'trx', owner, to: bytesIn(message, 2).toString('hex'), amount: numberIn(message, 3) };
  if (numberIn(message, 3) !== 0n || numberIn(message, 5) !== 0n) throw new Error('a call that sends TRX or tokens along is not known');
  return { kind: 'call', owner, contract: bytesIn(message, 2).toString('hex'), data: bytesIn(message, 4).toString('hex') };
}

/** @throws where the bytes are no transaction with one act of the kinds above */
export function decodeRaw(bytes: Uint8Array): RawTransaction {
  const fields = readFields(bytes);
  const contracts = fields.filter(({ number }) => number === 11);
  if (contracts.length !== 1) throw new Error('a transaction has one contract');
  return {
    act: actOf(bytesIn(contracts, 11)),
    ref_block_bytes: bytesIn(fields, 1).toString('hex'),
    ref_block_hash: bytesIn(fields, 4).toString('hex'),
    expiration: Number(numberIn(fields, 8)),
    timestamp: Number(numberIn(fields, 14)),
    fee_limit: numberIn(fields, 18),
  };
}

export const transactionId = (raw: Uint8Array): string => Buffer.from(sha256(raw)).toString('hex');

/** The four bytes of a block's number, and the eight of its hash, by which transactions refer to it. */
export const referenceTo = ({ id }: Reference) => ({ ref_block_bytes: id.slice(12, 16), ref_block_hash: id.slice(16, 32) });

export type Intent = { act: Act; reference: Reference; timestamp: number; expiration: number; fee_limit: bigint };

/**
 * Builds and signs. What is signed is read back before: it must do what was meant, and nothing else. No byte comes from a node.
 * @throws where the key is not the owner's
 */
export function signTransaction({ act, reference, ...rest }: Intent, privateKey: Uint8Array): SignedTransaction {
  if (addressOfPrivateKey(privateKey) !== act.owner) throw new Error('the key is not the one of the sender');
  const wanted = { act, ...referenceTo(reference), ...rest };
  const raw = encodeRaw(wanted);
  const read = decodeRaw(raw);
  for (const key of ['ref_block_bytes', 'ref_block_hash', 'expiration', 'timestamp', 'fee_limit'] as const)
    if (read[key] !== wanted[key]) throw new Error(`what was to be signed has another ${key}`);
  if (Object.entries(act).some(([key, value]) => (read.act as Record<string, unknown>)[key] !== value))
    throw new Error('what was to be signed does something else');
  return { id: transactionId(raw), raw: raw.toString('hex'), signature: sign(raw, privateKey), expiration: rest.expiration };
}

/** r, s and the number (27 or 28) by which the signer's key is found. */
function sign(raw: Uint8Array, privateKey: Uint8Array): string {
  const signature = secp256k1.sign(sha256(raw), privateKey, { prehash: false, format: 'recovered' });
  const recovery = signature[0] ?? 0;
  return Buffer.concat([signature.subarray(1), Buffer.of(recovery + 27)]).toString('hex');
}

/** The address whose key made a signature; undefined where it is none. */
export function signerOf(raw: Uint8Array, signature: Uint8Array): string | undefined {
  const last = signature[64];
  if (signature.length !== 65 || last === undefined) return undefined;
  const recovery = last >= 27 ? last - 27 : last;
  try {
    const recovered = Buffer.concat([Buffer.of(recovery), signature.subarray(0, 64)]);
    return addressOfPublicKey(secp256k1.recoverPublicKey(recovered, sha256(raw), { prehash: false }));
  } catch {
    return undefined;
  }
}

/** A whole transaction as nodes take it: `raw_data` and its signature. */
export const encodeTransaction = ({ raw, signature }: Pick<SignedTransaction, 'raw' | 'signature'>): Buffer =>
  Buffer.concat([field(1, hex(raw)), field(2, hex(signature))]);

export function decodeTransaction(bytes: Uint8Array): { raw: Buffer; signatures: Buffer[] } {
  const fields = readFields(bytes);
  const signatures = fields.flatMap(({ number, value }) => (number === 2 && typeof value !== 'bigint' ? [value] : []));
  return { raw: bytesIn(fields, 1), signatures };
}

/** A call that sends tokens. */
export const tokenTransfer = (owner: string, contract: string, to: string, amount: bigint): Act => ({
  kind: 'call',
  owner,
  contract,
  data: transferData(to, amount),
});

/** What an act sends to whom, if it sends tokens. */
export const sentTokens = (act: Act): { to: string; amount: bigint } | undefined =>
  act.kind === 'call' ? readTransferData(act.data) : undefined;

import { hash as hashOf, timingSafeEqual } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Vault } from '../kit/vault.ts';

/**
 * The hash chain of the log. A row's hash is SHA-256(hash before it ‖ canonical row). A seal covers a range of ids without a gap between
 * seals and holds id and hash of every row in it. Its own hash, SHA-256(hash of the seal before ‖ its entries ‖ range and number), is where
 * the next seal's first row begins; it binds every entry, so that the chain stays proven where rows were removed by right. Seals and
 * checkpoints are signed with a key from the master key: who can write to the database alone cannot make a chain of his own.
 * The fields of a row have a fixed order and a text each; a new column needs a new version.
 */
export type ChainedRow = { id: number; fields: (string | null)[] };
export type Entry = { id: number; hash: Buffer };

const entryBytes = 40;
const signingLabel = 'log chain';

/** In one step: a hash object for each of a million rows would hold memory that the collector does not see. */
const sha256 = (...parts: (Buffer | string)[]): Buffer =>
  hashOf('sha256', Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))), 'buffer');

export const genesis: Buffer = sha256('livecode log chain 1');

/** Selects of `log` what is chained, as texts whose spelling does not depend on settings of the session. */
export const chainedColumns: SQL = sql`id, ARRAY[
  (extract(epoch FROM at) * 1000000)::bigint::text, user_id::text, impersonator_id::text, type, content::text, changes::text, source, ip::text, user_agent
] AS fields`;

/**
 * For a subquery of `log` in an order: what its rows weigh up to and without this one. A row can weigh megabytes; read by weight, they
 * never fill the memory.
 */
export const weightBefore = (order: SQL): SQL =>
  sql`coalesce(sum(pg_column_size(content) + coalesce(pg_column_size(changes), 0)) OVER (ORDER BY ${order} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`;
/** Stored bytes, which are compressed, that are read at once. */
export const heaviestPortion = 1_500_000;

export const hashOfRow = (before: Buffer, { id, fields }: ChainedRow): Buffer => sha256(before, JSON.stringify([id, ...fields]));

/** @param before hash of the seal before */
export function entriesOf(before: Buffer, rows: readonly ChainedRow[]): Entry[] {
  let last = before;
  return rows.map((row) => {
    last = hashOfRow(last, row);
    return { id: row.id, hash: last };
  });
}

export const hashOfSeal = (before: Buffer, seal: { id: number; first_id: number; last_id: number; entries: Buffer }): Buffer =>
  sha256(before, seal.entries, `${seal.first_id}:${seal.last_id}:${seal.id}`);

/** A removal is chained to the one before it by the same rule. */
export const hashOfCheckpoint = (before: Buffer, checkpoint: { id: number; ids: string; reason: string; user_id: number | null }): Buffer =>
  sha256(before, JSON.stringify([checkpoint.id, checkpoint.ids, checkpoint.reason, checkpoint.user_id]));

export const signatureOf = (vault: Vault, hash: Buffer): Buffer => vault.mac(hash.toString('hex'), signingLabel);

export function isSigned(vault: Vault, { hash, signature }: { hash: Buffer; signature: Buffer }): boolean {
  const expected = signatureOf(vault, hash);
  return signature.length === expected.length && timingSafeEqual(signature, expected);
}

export function packEntries(entries: readonly Entry[]): Buffer {
  const packed = Buffer.alloc(entries.length * entryBytes);
  for (const [index, { id, hash }] of entries.entries()) {
    packed.writeBigInt64BE(BigInt(id), index * entryBytes);
    hash.copy(packed, index * entryBytes + 8);
  }
  return packed;
}

export function unpackEntries(packed: Buffer): Entry[] {
  return Array.from({ length: Math.floor(packed.length / entryBytes) }, (_, index) => {
    const start = index * entryBytes;
    return { id: Number(packed.readBigInt64BE(start)), hash: packed.subarray(start + 8, start + entryBytes) };
  });
}

import { asc, gt, sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import {
  type ChainedRow,
  chainedColumns,
  type Entry,
  genesis,
  hashOfCheckpoint,
  hashOfRow,
  hashOfSeal,
  isSigned,
  unpackEntries,
} from './logs.chain.ts';
import { lastSeal } from './logs.seal.ts';
import { log_checkpoint, log_seal } from './logs.table.ts';

export type Fault = { kind: 'edited' | 'deleted' | 'inserted' | 'seal' | 'checkpoint' | 'head'; id: number; what: string };
export type Verification = {
  seals: number;
  rows: number;
  removed: number;
  unsealed: number;
  /** Number and hash of the last seal: noted elsewhere, it proves later that the chain was not shortened or made anew. */
  head: string | null;
  faults: Fault[];
};

const mostFaults = 1000;

/**
 * Reads the whole log in the order of its ids and compares it with the hash chain: finds rows that were edited, deleted without a
 * checkpoint or inserted, and seals and checkpoints that were tampered with.
 * @param expectedHead a head noted earlier, which must still be part of the chain
 */
export async function verifyLog(db: Database, vault: Vault, expectedHead?: string): Promise<Verification> {
  const faults: Fault[] = [];
  const found = (fault: Fault) => {
    if (faults.length < mostFaults) faults.push(fault);
  };
  await verifyCheckpoints(db, vault, found);
  let before = { id: 0, last_id: 0, hash: genesis };
  let [seals, rows, removed] = [0, 0, 0];
  let isHeadFound = expectedHead === undefined;
  for await (const seal of sealsOf(db)) {
    verifySeal(seal, before, vault, found);
    const counted = await verifyRows(db, seal, before.hash, found);
    seals += 1;
    rows += counted.rows;
    removed += counted.removed;
    isHeadFound ||= headOf(seal) === expectedHead;
    before = seal;
  }
  if (!isHeadFound) found({ kind: 'head', id: 0, what: `the chain does not hold ${expectedHead}: it was shortened or made anew` });
  await findBefore(db, found);
  const { last_id } = await lastSeal(db);
  const { rows: open } = await db.execute<{ number: number }>(sql`SELECT count(*) AS number FROM log WHERE id > ${last_id}`);
  return { seals, rows, removed, unsealed: open[0]?.number ?? 0, head: seals === 0 ? null : headOf(before), faults };
}

type Seal = typeof log_seal.$inferSelect;
type Found = (fault: Fault) => void;

const headOf = ({ id, hash }: { id: number; hash: Buffer }): string => `${id}:${hash.toString('hex')}`;

async function* sealsOf(db: Database): AsyncGenerator<Seal> {
  let last = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const seals = await db.select().from(log_seal).where(gt(log_seal.id, last)).orderBy(asc(log_seal.id)).limit(50);
    yield* seals;
    if (seals.length === 0) return;
    last = seals.at(-1)?.id ?? last;
  }
}

function verifySeal(seal: Seal, before: { id: number; last_id: number; hash: Buffer }, vault: Vault, found: Found): void {
  const { id, first_id } = seal;
  if (id !== before.id + 1) found({ kind: 'seal', id, what: `seals ${before.id + 1} to ${id - 1} are missing` });
  else if (first_id !== before.last_id + 1)
    found({ kind: 'seal', id, what: `seal ${id} begins at ${first_id}, not at ${before.last_id + 1}` });
  if (!hashOfSeal(before.hash, seal).equals(seal.hash)) found({ kind: 'seal', id, what: `the hash of seal ${id} is not its own` });
  if (!isSigned(vault, seal)) found({ kind: 'seal', id, what: `seal ${id} is not signed with this installation's key` });
}

async function verifyRows(db: Database, seal: Seal, hash: Buffer, found: Found): Promise<{ rows: number; removed: number }> {
  const entries = unpackEntries(seal.entries);
  const { rows } = await db.execute<ChainedRow>(
    sql`SELECT ${chainedColumns} FROM log WHERE id BETWEEN ${seal.first_id} AND ${seal.last_id} ORDER BY id`,
  );
  const present = new Map(rows.map((row) => [row.id, row]));
  const missing: number[] = [];
  let before = hash;
  for (const entry of entries) {
    const row = present.get(entry.id);
    present.delete(entry.id);
    if (!row) missing.push(entry.id);
    else if (!hashOfRow(before, row).equals(entry.hash))
      found({ kind: 'edited', id: row.id, what: `row ${row.id} is not what was sealed` });
    before = entry.hash;
  }
  for (const id of present.keys()) found({ kind: 'inserted', id, what: `row ${id} was inserted after its range was sealed` });
  const removed = await findRemoved(db, missing, found);
  return { rows: rows.length, removed };
}

/** Rows that are gone must stand in a checkpoint. @returns how many do */
async function findRemoved(db: Database, missing: readonly Entry['id'][], found: Found): Promise<number> {
  if (missing.length === 0) return 0;
  const { rows } = await db.execute<{ id: number }>(sql`
    SELECT missing.id FROM unnest(${sql.param([...missing])}::bigint[]) AS missing (id)
    WHERE NOT EXISTS (SELECT FROM log_checkpoint WHERE log_checkpoint.ids @> missing.id)`);
  for (const { id } of rows) found({ kind: 'deleted', id, what: `row ${id} was deleted` });
  return missing.length - rows.length;
}

async function verifyCheckpoints(db: Database, vault: Vault, found: Found): Promise<void> {
  let before = { id: 0, hash: genesis };
  for (;;) {
    const checkpoints = await db
      .select()
      .from(log_checkpoint)
      .where(gt(log_checkpoint.id, before.id))
      .orderBy(asc(log_checkpoint.id))
      .limit(100);
    for (const checkpoint of checkpoints) {
      const { id } = checkpoint;
      const isChained = id === before.id + 1 && hashOfCheckpoint(before.hash, checkpoint).equals(checkpoint.hash);
      if (!isChained) found({ kind: 'checkpoint', id, what: `checkpoint ${id} does not follow the one before it` });
      if (!isSigned(vault, checkpoint))
        found({ kind: 'checkpoint', id, what: `checkpoint ${id} is not signed with this installation's key` });
      before = checkpoint;
    }
    if (checkpoints.length === 0) return;
  }
}

/** Ids begin at 1, where the first seal begins too. */
async function findBefore(db: Database, found: Found): Promise<void> {
  const { rows } = await db.execute<{ id: number }>(sql`SELECT id FROM log WHERE id < 1 ORDER BY id LIMIT 100`);
  for (const { id } of rows) found({ kind: 'inserted', id, what: `row ${id} was inserted before the beginning` });
}

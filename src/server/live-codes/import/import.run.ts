import { appendFile, writeFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ImportPlan, importPlan, type RowFault } from '../../../contract/codes/code-import.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type OperationJob, operationKind } from '../../kit/jobs/operations.ts';
import { translate } from '../../kit/messages/messages.ts';
import { type Database, transactAgain } from '../../kit/postgres/database.ts';
import { csvLine, csvMark } from '../../kit/rows/csv.ts';
import { lookUp } from './import.known.ts';
import { createRowChecker } from './import.rows.ts';
import { writeRows } from './import.write.ts';

/** Few enough for a transaction that nobody waits for. */
const rowsAtOnce = 500;

/** A file without its rows, which may be many. */
export type ImportHead = { id: string; header: string[]; row_number: number };
type StoredImport = ImportHead & { done: number; plan: unknown; result: ImportResult };
/** Rows of a file that follow each other; `from` others come before them. */
type Portion = { rows: string[][]; from: number };
type ImportResult = { added: number; updated: number; skipped: number; faults: RowFault[] };

/** The file of this user; undefined where there is none, or it is another's. */
export async function findImport(db: Database, id: string, owner_id: number): Promise<ImportHead | undefined> {
  const { rows } = await db.execute<ImportHead>(sql`
    SELECT id, header, row_number FROM import_file WHERE id = ${id}::uuid AND owner_id = ${owner_id}`);
  return rows[0];
}

/** Some rows of a file, in its order. */
export async function readRows(db: Database, id: string, { from, count }: { from: number; count: number }): Promise<string[][]> {
  const { rows } = await db.execute<{ texts: string[] }>(sql`
    SELECT texts FROM import_row WHERE import_id = ${id}::uuid AND number > ${from} AND number <= ${from + count} ORDER BY number`);
  return rows.map(({ texts }) => texts);
}

async function readImport(db: Database, id: string, owner_id: number): Promise<StoredImport | undefined> {
  const { rows } = await db.execute<StoredImport>(sql`
    SELECT id, header, row_number, done, plan, result FROM import_file WHERE id = ${id}::uuid AND owner_id = ${owner_id}`);
  return rows[0];
}

/** The row as a spreadsheet counts: below the header, from 2 on. */
export const sheetRow = (at: number): number => at + 2;

/** The keys of some rows of a file, but for those that were refused: a later row may have their key. */
export function keysOf({ rows, from }: Portion, plan: ImportPlan, faults: readonly RowFault[]): string[] {
  const at = plan.columns.indexOf('file_name');
  const refused = new Set(faults.map(({ row }) => row));
  return at < 0 ? [] : rows.flatMap((row, place) => (refused.has(sheetRow(from + place)) ? [] : (row[at] ?? '').trim().toLowerCase()));
}

/** The keys of the rows that an import which goes on has behind it. */
async function keysBehind(db: Database, { id, done, result }: StoredImport, plan: ImportPlan): Promise<string[]> {
  const keys: string[] = [];
  for (let from = 0; from < done; from += rowsAtOnce) {
    const rows = await readRows(db, id, { from, count: Math.min(rowsAtOnce, done - from) });
    keys.push(...keysOf({ rows, from }, plan, result.faults));
  }
  return keys;
}

async function importBatch(
  { db, actor }: OperationJob,
  stored: StoredImport,
  plan: ImportPlan,
  { rows: batch, from }: Portion,
  earlier: readonly string[],
): Promise<ImportResult> {
  const owner_id = actor.user_id;
  return transactAgain(db, async (tx) => {
    const { rows } = await tx.execute<{ done: number; result: ImportResult }>(
      sql`SELECT done, result FROM import_file WHERE id = ${stored.id}::uuid FOR UPDATE`,
    );
    const [present] = rows;
    // Another worker has taken over and is further on.
    if (!present || present.done !== from) throw new AppError(409, 'conflict.changed');
    const check = createRowChecker(plan, stored.header, await lookUp(tx, owner_id, plan, batch), earlier);
    const checked = batch.map((texts, at) => check(texts, sheetRow(from + at)));
    const written = await writeRows(tx, { actor, change_id: stored.id }, checked);
    const result = {
      added: present.result.added + written.added,
      updated: present.result.updated + written.updated,
      skipped: present.result.skipped + checked.filter(({ action }) => action === 'skip').length,
      faults: [...present.result.faults, ...checked.flatMap(({ faults }) => faults), ...written.faults],
    };
    await tx.execute(
      sql`UPDATE import_file SET done = ${from + batch.length}, result = ${JSON.stringify(result)}::jsonb WHERE id = ${stored.id}::uuid`,
    );
    return result;
  });
}

const refusedRows = (faults: readonly RowFault[]): number => new Set(faults.map(({ row }) => row)).size;

/** Imports a file batch by batch, each in a transaction of its own that also counts it: begun again, it goes on where it stopped. */
export const codeImportKind = operationKind('code_import', z.object({ id: z.uuid() }), async ({ id }, job) => {
  if (!job.person.nodes.has('qr_code_list.import')) throw new AppError(403, 'forbidden');
  const stored = await readImport(job.db, id, job.actor.user_id);
  if (!stored?.plan) throw new AppError(404, 'not_found');
  const plan = importPlan.parse(stored.plan);
  let { done, result } = stored;
  const message = () => ({
    key: 'async_operations.message.imported',
    params: { added: result.added, updated: result.updated, skipped: result.skipped, refused: refusedRows(result.faults) },
  });
  /** Says how far it came, for those who watch and for where it is cancelled from now on. */
  const tell = () => {
    job.progress(done, stored.row_number);
    job.onCancel({ ...message(), key: 'async_operations.message.import_cancelled' });
    job.signal.throwIfAborted();
  };
  tell();
  const earlier = await keysBehind(job.db, stored, plan);
  while (done < stored.row_number) {
    const portion = { rows: await readRows(job.db, id, { from: done, count: rowsAtOnce }), from: done };
    result = await importBatch(job, stored, plan, portion, earlier);
    earlier.push(...keysOf(portion, plan, result.faults));
    done = Math.min(done + rowsAtOnce, stored.row_number);
    tell();
  }
  const file = result.faults.length > 0 ? { path: await writeFaults(stored, result.faults, job), name: 'import-errors.csv' } : undefined;
  await job.db.execute(sql`DELETE FROM import_file WHERE id = ${id}::uuid`);
  return { message: message(), ...(file && { file }) };
});

/** The refused rows as they stood in the file, each with what is wrong: to be mended and imported again. */
async function writeFaults(stored: StoredImport, faults: readonly RowFault[], job: OperationJob): Promise<string> {
  const path = job.file('csv');
  const words = ({ column, code, params }: RowFault) =>
    `${column}${column && ': '}${translate(job.language, `errors.field.${code}`, params)}`;
  const heading = [translate(job.language, 'code_import.row'), translate(job.language, 'code_import.problem')];
  await writeFile(path, csvMark + csvLine([...stored.header, ...heading]), { mode: 0o600, flag: 'wx' });
  const refused = Map.groupBy(faults, ({ row }) => row);
  for (let from = 0; from < stored.row_number; from += rowsAtOnce) {
    const rows = await readRows(job.db, stored.id, { from, count: rowsAtOnce });
    const lines = rows.flatMap((texts, at) => {
      const row = sheetRow(from + at);
      const own = refused.get(row);
      return own ? csvLine([...texts, row, own.map(words).join('; ')]) : [];
    });
    await appendFile(path, lines.join(''));
  }
  return path;
}

const keptHours = 24;

/** Forgets files that nobody imported, a day after they came. Those of operations go with them when they end. */
export const removeOldImports = async (db: Database): Promise<void> => {
  await db.execute(sql`DELETE FROM import_file WHERE created_at < now() - make_interval(hours => ${keptHours})`);
};

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerFromColumns } from '../clickhouse/visit-stores.ts';
import { createColumns } from '../columns/columns.ts';
import { columnsStore } from '../columns/columns-store.ts';

/** Lets files of days answer in this process, however small the questions are; whatever they cannot answer fails. */
export async function columnsForTest(
  databaseUrl: string,
  {
    beforeScan = () => {},
    rests = { part: 0, tail: 0 },
    ...options
  }: { tooLongMilliseconds?: number; now?: () => number; beforeScan?: () => void; rests?: { part: number; tail: number } } = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'livecode-columns-'));
  const faults: string[] = [];
  const log = { warn: (details: object, message: string) => void faults.push(`${message} ${JSON.stringify(details)}`) };
  const columns = createColumns({ dataDir, databaseUrl, log, rests });
  let scans = 0;
  const scan = (...asked: Parameters<typeof columns.scan>) => {
    beforeScan();
    return columns.scan(...asked).finally(() => (scans += 1));
  };
  answerFromColumns(columnsStore({ columns: { ...columns, scan }, log, quickMilliseconds: 0, fileMilliseconds: 0, ...options }));
  return {
    ...{ dataDir, faults },
    built: columns.built,
    /** How many questions files were looked through for. */
    scans: () => scans,
    async end() {
      answerFromColumns(undefined);
      await columns.end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { holders } from '../../../contract/kit/call.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type OperationKind, operationKind } from '../../kit/jobs/operations.ts';
import { exportSource } from '../../kit/rows/exports.ts';
import { exportKinds } from '../exports.ts';

const naturals = sql`generate_series(1, 20000) AS n`;

/** Numbers from 1 to `size`, with texts a spreadsheet program could take for something else. */
export const numbers = exportSource({
  name: 'numbers',
  access: holders('log.export'),
  filters: z.object({ size: z.number().max(20_000) }),
  columns: [
    { key: 'id', title: 'common.list.id', cell: (row: { id: number; text: string }) => row.id },
    { key: 'text', title: 'plain heading', cell: (row) => row.text },
    { key: 'flag', title: '=heading', cell: (row) => row.id % 2 === 0 },
    { key: 'nothing', title: 'nothing', cell: () => null },
  ],
  select: async ({ size }) => ({ from: naturals, where: sql`n <= ${size}` }),
  rows: async (where, { db }, { after, limit }) => {
    const { rows } = await db.execute<{ id: number; text: string }>(sql`
      SELECT n AS id, CASE n % 2 WHEN 0 THEN '=' ELSE 'row ' END || n AS text FROM ${naturals}
      WHERE ${where} AND n < ${after?.id ?? 2 ** 31 - 1} ORDER BY n DESC LIMIT ${limit}`);
    return rows;
  },
});

/** Kinds of work as tests need them: quick, failing in each way, and one that goes on until it may stop. */
export const testKinds: readonly OperationKind[] = [
  operationKind('quick', z.object({ text: z.string() }), async ({ text }, job) => {
    job.progress(1, 1);
    const path = job.file('csv');
    await writeFile(path, text);
    return { file: { path, name: 'quick.csv' } };
  }),
  operationKind('refused', z.object({}), async () => {
    throw new AppError(409, 'conflict.taken');
  }),
  operationKind('broken', z.object({}), async (_input, job) => {
    await writeFile(job.file('csv'), 'half');
    throw new Error('secret detail');
  }),
  /** Notes each begin in a file, writes half a result and goes on until `until` exists as a row of the settings or it is stopped. */
  operationKind('patient', z.object({ notes: z.string() }), async ({ notes }, job) => {
    appendFileSync(notes, 'begun\n');
    const path = job.file('csv');
    await writeFile(path, 'half');
    for (let done = 0; ; done += 1) {
      job.signal.throwIfAborted();
      job.progress(done, 100);
      const { rowCount } = await job.db.execute(sql`SELECT FROM setting WHERE key = 'patience_is_over'`);
      if (rowCount) break;
      await delay(20, undefined, { signal: job.signal });
    }
    await writeFile(path, 'whole');
    appendFileSync(notes, 'ended\n');
    return { file: { path, name: 'patient.csv' } };
  }),
  ...exportKinds([numbers]),
];

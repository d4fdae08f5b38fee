import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { NodeKey } from '../../../contract/permissions.ts';
import { domain_replacement_code } from '../../domains/replacements.table.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type OperationJob, type OperationKind, operationKind } from '../../kit/jobs/operations.ts';
import { transact, transactAgain } from '../../kit/postgres/database.ts';
import { replacePortion, undoPortion, type Writer } from './domain-replacement.codes.ts';
import { moveForwards, returnForwards } from './domain-replacement.forwards.ts';
import { readPair } from './domain-replacement.rules.ts';
import { beginReplacement, beginUndo, countReplaceable, endReplacement, endUndo } from './domain-replacement.service.ts';

const maxCodes = 2 ** 31 - 1;
const idField = z.number().int().positive();

function writerOf({ person, actor, scope, now, settings }: OperationJob, ...nodes: NodeKey[]): Omit<Writer, 'db'> {
  if (![...nodes, 'domain_list.replace' as const].some((node) => person.nodes.has(node))) throw new AppError(403, 'forbidden');
  return { scope, actor, now, settings: async () => settings };
}

/** Portion after portion, each in a transaction of its own: no lock is held for long, and what was done stays done. */
async function inPortions(
  job: OperationJob,
  { total, writer }: { total: number; writer: Omit<Writer, 'db'> },
  portion: (writer: Writer) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let number = -1; number !== 0; changed += number) {
    job.signal.throwIfAborted();
    number = await transactAgain(job.db, (db) => portion({ ...writer, db }));
    job.progress(changed + number, Math.max(total, changed + number));
  }
  return changed;
}

export const domainReplaceKinds: readonly OperationKind[] = [
  operationKind(
    'domain_replace',
    z.object({ from_domain_id: idField, to_domain_id: idField, with_forwards: z.boolean().optional() }),
    async (input, job) => {
      const writer = writerOf(job);
      const total = await countReplaceable(await readPair(input, job), { ...writer, db: job.db }, maxCodes);
      const id = await transact(job.db, async (db) => {
        const pair = await readPair(input, { db, scope: job.scope });
        const begun = await beginReplacement(pair, { ...writer, db });
        if (input.with_forwards) await moveForwards(begun, pair, { ...writer, db });
        return begun;
      });
      try {
        const number = await inPortions(job, { total, writer }, async (own) => replacePortion(id, await readPair(input, own), own));
        return { message: { key: 'async_operations.message.domain_replaced', params: { number } } };
      } finally {
        await transact(job.db, (db) => endReplacement(id, db));
      }
    },
  ),
  operationKind('domain_replace_undo', z.object({ id: idField }), async ({ id }, job) => {
    const writer = writerOf(job, 'shield_configuration.undo');
    const pair = await transact(job.db, async (db) => {
      const found = await beginUndo(id, { db, scope: job.scope });
      await returnForwards(id, found, { ...writer, db });
      return found;
    });
    const total = await job.db.$count(domain_replacement_code, eq(domain_replacement_code.replacement_id, id));
    const number = await inPortions(job, { total, writer }, (own) => undoPortion(id, pair, own));
    await endUndo(id, { db: job.db, actor: writer.actor });
    return { message: { key: 'async_operations.message.domain_replaced', params: { number } } };
  }),
];

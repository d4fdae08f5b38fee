import { eq, type SQL } from 'drizzle-orm';
import type { Context } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import type { TypeTable } from './content.table.ts';

/** 400 unless the type exists; it stays until the transaction ends. */
export async function checkType(table: TypeTable, id: number | undefined, { db }: Context, path = 'type_id'): Promise<void> {
  if (id === undefined) return;
  const where: SQL = eq(table.id, id);
  const [found] = await db.select({ id: table.id }).from(table).where(where).for('key share');
  if (!found) throw invalidField(path, 'unknown_type');
}

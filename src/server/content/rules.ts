import { and, eq, type SQL } from 'drizzle-orm';
import type { Context } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import { file } from '../uploads/uploads.table.ts';
import type { TypeTable } from './content.table.ts';

/** Where the back office serves an uploaded picture. */
export const pictureUrl = (name: string): string => `/file/${name}`;

/** 400 unless the picture was uploaded by somebody whose rows the caller sees. */
export async function checkFile(id: number | null | undefined, path: string, { db, scope }: Context): Promise<void> {
  if (id === undefined || id === null) return;
  if ((await db.$count(file, and(eq(file.id, id), scope.sees(file.owner_id)))) === 0) throw invalidField(path, 'unknown_file');
}

/** 400 unless the type exists; it stays until the transaction ends. */
export async function checkType(table: TypeTable, id: number | undefined, { db }: Context, path = 'type_id'): Promise<void> {
  if (id === undefined) return;
  const where: SQL = eq(table.id, id);
  const [found] = await db.select({ id: table.id }).from(table).where(where).for('key share');
  if (!found) throw invalidField(path, 'unknown_type');
}

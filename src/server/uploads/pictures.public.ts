import { and, eq } from 'drizzle-orm';
import type { Context } from '../kit/calls/context.ts';
import { invalidField } from '../kit/calls/errors.ts';
import { file } from './uploads.table.ts';

/** Where the back office serves an uploaded picture. */
export const pictureUrl = (name: string): string => `/file/${name}`;

/** 400 unless the picture was uploaded by a user whose rows the caller sees. */
export async function checkPicture(id: number | null | undefined, path: string, { db, scope }: Context): Promise<undefined> {
  if (id === undefined || id === null) return;
  if ((await db.$count(file, and(eq(file.id, id), scope.sees(file.owner_id)))) === 0) throw invalidField(path, 'unknown_file');
}

import { eq, sql } from 'drizzle-orm';
import type { Language } from '../../contract/enums.ts';
import type { PlatformConfig } from '../../contract/links/platform-config.ts';
import { AppError } from '../kit/calls/errors.ts';
import { translate } from '../kit/messages/messages.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { url_key_platform } from './short-codes.table.ts';

export const keyLabel = (id: number): string => `platform:${id}`;

export type OpenPlatform = { id: number; name: string; enabled: boolean; config: PlatformConfig; key: string | undefined };

/** A platform with its key, ready to make links. */
export async function openPlatform(db: Database, vault: Vault, id: number): Promise<OpenPlatform | undefined> {
  const [row] = await db.select().from(url_key_platform).where(eq(url_key_platform.id, id));
  if (!row) return undefined;
  const key = row.key ? vault.open(row.key, keyLabel(id)).toString() : undefined;
  return { id, name: row.name, enabled: row.enabled, config: row.config, key };
}

type Failure = { code: string; params?: Record<string, string | number> };

/** What can be told of a failure on the way to a link; anything else is our own fault and is thrown on. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof AppError)) throw error;
  const { fields, params } = error.details;
  const [field] = Object.values(fields ?? {});
  return { code: field ? `field.${field}` : error.code, ...(params ? { params } : {}) };
}
export const wordsOf = (language: Language, { code, params }: Failure): string => translate(language, `errors.${code}`, params ?? {});

/** A kept failure in words. */
export function keptWords(language: Language, kept: string | null): string | null {
  return kept === null ? null : wordsOf(language, JSON.parse(kept) as Failure);
}

/** Keeps how a platform did: how many links it made, and what went wrong last, if it was the last thing that happened. */
export async function keepOutcome(
  db: Database,
  id: number,
  { made, failure }: { made: number; failure: Failure | undefined },
): Promise<void> {
  await db
    .update(url_key_platform)
    .set({
      used: sql`${url_key_platform.used} + ${made}`,
      last_error: failure ? JSON.stringify(failure) : null,
      last_error_at: failure ? sql`now()` : null,
    })
    .where(eq(url_key_platform.id, id));
}

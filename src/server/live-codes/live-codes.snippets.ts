import { getTableColumns, sql } from 'drizzle-orm';
import { invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { live_code } from './live-codes.table.ts';

/** The snippets that a code chose, in their order. */
export const js_config_ids = sql<number[]>`coalesce((SELECT json_agg(chosen.js_config_id ORDER BY chosen.position)
  FROM live_code_js_config AS chosen WHERE chosen.live_code_id = ${live_code.id}), '[]')`;

/** A code as it is stored, with the snippets that it chose. */
export const storedCode = { ...getTableColumns(live_code), js_config_ids };
export type StoredCode = typeof live_code.$inferSelect & { js_config_ids: number[] };

/** Makes these the snippets of the codes; both must be locked, or made in this transaction. */
export async function chooseSnippets(db: Database, choices: readonly { id: number; js_config_ids: readonly number[] }[]): Promise<void> {
  if (choices.length === 0) return;
  await db.execute(sql`DELETE FROM live_code_js_config WHERE live_code_id = ANY(${sql.param(choices.map(({ id }) => id))}::bigint[])`);
  await db.execute(sql`
    INSERT INTO live_code_js_config (live_code_id, js_config_id, position)
    SELECT code.id, chosen.id, min(chosen.position)
    FROM jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) AS code (id bigint, js_config_ids bigint[]),
      unnest(code.js_config_ids) WITH ORDINALITY AS chosen (id, position)
    GROUP BY code.id, chosen.id`);
}

/** 400 unless every snippet is the code owner's; they stay until the transaction ends. */
export async function checkSnippets(ids: readonly number[] | undefined, owner_id: number, db: Database): Promise<void> {
  const chosen = [...new Set(ids)];
  if (chosen.length === 0) return;
  const { rows } = await db.execute(
    sql`SELECT id FROM js_config WHERE id = ANY(${sql.param(chosen)}::bigint[]) AND owner_id = ${owner_id} FOR KEY SHARE`,
  );
  if (rows.length < chosen.length) throw invalidField('js_config_ids', 'unknown_snippet');
}

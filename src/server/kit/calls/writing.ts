import { and, eq } from 'drizzle-orm';
import type { Call } from '../../../contract/kit/call.ts';
import { type Database, transactAgain } from '../postgres/database.ts';
import { request_answer } from '../rows/tables.ts';
import { recordAct } from './audit.ts';
import type { Actor, Context, ServerKit } from './context.ts';
import { AppError } from './errors.ts';

type Writing = {
  kit: ServerKit;
  context: Context;
  actor: Actor | undefined;
  name: string;
  call: Call;
  input: Record<string, unknown>;
  request_id: string | undefined;
  perform: (context: Context) => Promise<unknown>;
};

/**
 * Runs a changing call in one transaction with its audit row. A repeated `request_id` of the same user gets the first answer again;
 * the same id with another call or input is refused with 409. Serialization failures and deadlocks are tried again.
 */
export const runWriting = (writing: Writing): Promise<unknown> => transactAgain(writing.kit.db, (tx) => once(writing, tx));

async function once({ kit, context, actor, name, call, input, request_id, perform }: Writing, tx: Database): Promise<unknown> {
  const key = request_id && actor ? { user_id: actor.user_id, request_id } : undefined;
  if (key) {
    // A keyed hash: the input may hold a password, which a plain one would let anybody guess who reads the table.
    const input_hash = kit.vault.mac(JSON.stringify(input), 'request');
    const repeated = await claim(tx, key, name, input_hash);
    if (repeated) return repeated.answer;
  }
  let changes: { before?: unknown; after?: unknown } | undefined;
  const answer = await perform({ ...context, db: tx, audit: (entry) => (changes = entry) });
  await recordAct(tx, context, { type: name, content: withoutSecrets(call, input), changes });
  if (key)
    await tx
      .update(request_answer)
      .set({ answer })
      .where(and(eq(request_answer.user_id, key.user_id), eq(request_answer.request_id, key.request_id)));
  return answer;
}

/** Takes the request id; a concurrent repetition waits here for the first one's end. */
async function claim(
  tx: Database,
  key: { user_id: number; request_id: string },
  call: string,
  input_hash: Buffer,
): Promise<{ answer: unknown } | undefined> {
  const inserted = await tx
    .insert(request_answer)
    .values({ ...key, call, input_hash })
    .onConflictDoNothing()
    .returning({ call: request_answer.call });
  if (inserted.length > 0) return undefined;
  const [first] = await tx
    .select()
    .from(request_answer)
    .where(and(eq(request_answer.user_id, key.user_id), eq(request_answer.request_id, key.request_id)));
  if (!first || first.call !== call || !first.input_hash.equals(input_hash)) throw new AppError(409, 'request_reused');
  return { answer: first.answer };
}

const withoutSecrets = (call: Call, input: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).map(([key, value]) => [key, call.secrets.includes(key) && value !== null ? '***' : value]));

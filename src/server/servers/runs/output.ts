import { desc, eq, sql } from 'drizzle-orm';
import { socketTypes } from '../../../contract/socket.ts';
import { maxOutputBytes } from '../../../contract/system/script.ts';
import type { Log } from '../../kit/calls/context.ts';
import { pushToPages } from '../../kit/messages/push.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { createMask, type Secrets } from '../script.secrets.ts';
import { script_output, script_run_server } from '../script.table.ts';

const flushMilliseconds = 400;

/** Tells the pages of who asked for a run that there is more to see. */
export const tellPages = (db: Database, { run_id, user_id }: { run_id: number; user_id: number }): Promise<void> =>
  pushToPages(db, { to: { user_ids: [user_id] }, type: socketTypes.script_run, content: { run_id } }).catch(() => {});

const whole = (bytes: Buffer): string => new TextDecoder().decode(bytes);
/** The beginning of the text that has so many bytes; whole characters only. */
const firstBytes = (text: string, maxBytes: number): string => whole(Buffer.from(text).subarray(0, maxBytes)).replace(/\ufffd$/, '');
const lastBytes = (text: string, maxBytes: number): string => whole(Buffer.from(text).subarray(-maxBytes)).replace(/^\ufffd+/, '');

/**
 * The text of what is printed, secrets hidden, cut down to its first and its last megabyte: the first is handed on as it comes, the last at
 * the end. The same bytes make the same text, in whatever pieces they come.
 */
export function createTranscript(secrets: Secrets, onText: (text: string) => void) {
  let [decoder, mask] = [new TextDecoder(), createMask(secrets)];
  let kept = 0;
  let tail = '';
  let left = 0;
  /** After a gap a line may begin with the end of a secret. */
  let isInLine = false;

  function take(text: string): void {
    if (isInLine) {
      const at = text.indexOf('\n');
      const dropped = at < 0 ? text : text.slice(0, at + 1);
      left += Buffer.byteLength(dropped);
      isInLine = at < 0;
      if (!isInLine) take(text.slice(dropped.length));
      return;
    }
    const fitting = kept < maxOutputBytes ? firstBytes(text, maxOutputBytes - kept) : '';
    kept = fitting === text ? kept + Buffer.byteLength(text) : maxOutputBytes;
    if (fitting !== '') onText(fitting);
    tail += text.slice(fitting.length);
    if (tail.length > 4 * maxOutputBytes) cutTail();
  }

  function cutTail(): void {
    const size = Buffer.byteLength(tail);
    tail = size > maxOutputBytes ? lastBytes(tail, maxOutputBytes) : tail;
    left += size - Buffer.byteLength(tail);
  }

  const close = () => take(mask.add(decoder.decode()) + mask.end());

  return {
    add: (bytes: Buffer) => take(mask.add(decoder.decode(bytes, { stream: true }).replaceAll('\0', '\ufffd'))),
    /** So many bytes come between, of which nothing is known. */
    gap(bytes: number): void {
      if (bytes === 0) return;
      close();
      left += Buffer.byteLength(tail) + bytes;
      tail = '';
      [decoder, mask] = [new TextDecoder(), createMask(secrets)];
      isInLine = Object.keys(secrets).length > 0;
    },
    /** Hands on the last part, behind a line that says how much is missing. Answers whether something is. */
    end(): boolean {
      close();
      cutTail();
      onText(left > 0 ? `\n\n⋯ ${left.toLocaleString('en-US')} B ⋯\n\n${tail}` : tail);
      return left > 0;
    },
  };
}

type Options = { db: Database; log: Log; run_server_id: number; secrets: Secrets; run: { run_id: number; user_id: number } };

/** Keeps what a server prints, a few times a second; of a run that is taken up again, what was not kept before. */
export async function createOutput({ db, log, run_server_id, secrets, run }: Options) {
  const known = await db
    .select({ number: script_output.number, bytes: sql<number>`octet_length(${script_output.content})` })
    .from(script_output)
    .where(eq(script_output.run_server_id, run_server_id))
    .orderBy(desc(script_output.number));
  let number = known[0]?.number ?? 0;
  let skipped = known.reduce((sum, row) => sum + row.bytes, 0);
  let waiting = '';
  let output_bytes = 0;
  let is_cut = false;
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  const transcript = createTranscript(secrets, (text) => {
    const bytes = Buffer.from(text);
    waiting += skipped === 0 ? text : whole(bytes.subarray(skipped));
    skipped = Math.max(0, skipped - bytes.length);
  });

  async function write(): Promise<void> {
    const content = waiting;
    waiting = '';
    if (content !== '') {
      number += 1;
      await db.insert(script_output).values({ run_server_id, number, content });
    }
    await db.update(script_run_server).set({ output_bytes, is_cut }).where(eq(script_run_server.id, run_server_id));
    await tellPages(db, run);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write).catch((error: unknown) => log.warn({ error: String(error) }, 'output of a script could not be kept'));
    return writing;
  }

  return {
    add(bytes: Buffer): void {
      output_bytes += bytes.length;
      transcript.add(bytes);
      timer ??= setTimeout(() => void flush(), flushMilliseconds);
    },
    gap(bytes: number): void {
      output_bytes += bytes;
      transcript.gap(bytes);
    },
    /** All of it is kept. */
    end(): Promise<void> {
      is_cut = transcript.end();
      return flush();
    },
    /** Another worker goes on where this one stops. */
    leave: flush,
  };
}

const outputAtOnce = 64;

/** What was printed after a place, some of it at once. */
export async function readOutput(
  db: Database,
  run_server_id: number,
  after: number,
): Promise<{ last: number; content: string; more: boolean }> {
  const rows = await db
    .select({ number: script_output.number, content: script_output.content })
    .from(script_output)
    .where(sql`${script_output.run_server_id} = ${run_server_id} AND ${script_output.number} > ${after}`)
    .orderBy(script_output.number)
    .limit(outputAtOnce + 1);
  const shown = rows.slice(0, outputAtOnce);
  return { last: shown.at(-1)?.number ?? after, content: shown.map(({ content }) => content).join(''), more: rows.length > outputAtOnce };
}

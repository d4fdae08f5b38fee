import { eq, sql } from 'drizzle-orm';
import { socketTypes } from '../../../contract/socket.ts';
import { maxOutputBytes } from '../../../contract/system/script.ts';
import type { Log } from '../../kit/calls/context.ts';
import { pushToPages } from '../../kit/messages/push.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { script_output, script_run_server } from '../script.table.ts';

const flushMilliseconds = 400;

/** Tells the pages of who asked for a run that there is more to see. */
export const tellPages = (db: Database, { run_id, user_id }: { run_id: number; user_id: number }): Promise<void> =>
  pushToPages(db, { to: { user_ids: [user_id] }, type: socketTypes.script_run, content: { run_id } }).catch(() => {});

type Options = { db: Database; log: Log; run_server_id: number; run: { run_id: number; user_id: number } };

/** The beginning of the text that has so many bytes; whole characters only. */
function cutBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  return new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\ufffd$/, '');
}

/** Keeps what a server prints, a few times a second, and up to the bound; what comes after it is counted. */
export function createOutput({ db, log, run_server_id, run }: Options) {
  let waiting = '';
  let number = 0;
  let bytes = 0;
  let kept = 0;
  let writing = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    const content = waiting;
    waiting = '';
    if (content !== '') {
      number += 1;
      await db.insert(script_output).values({ run_server_id, number, content });
    }
    await db
      .update(script_run_server)
      .set({ output_bytes: bytes, is_cut: bytes > kept })
      .where(eq(script_run_server.id, run_server_id));
    await tellPages(db, run);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write).catch((error: unknown) => log.warn({ error: String(error) }, 'output of a script could not be kept'));
    return writing;
  }

  return {
    add(text: string): void {
      const size = Buffer.byteLength(text);
      bytes += size;
      if (kept < maxOutputBytes) {
        const fitting = cutBytes(text, maxOutputBytes - kept);
        // Once something was left out nothing is kept any more: what is shown has no gaps.
        kept = fitting === text ? kept + size : maxOutputBytes;
        waiting += fitting;
      }
      timer ??= setTimeout(() => void flush(), flushMilliseconds);
    },
    /** All of it is kept. */
    end: flush,
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

import type { Client } from 'ssh2';
import { followInput } from './script-shell.ts';
import { execute } from './shell.ts';

/** How a run ended by what its host says; null where it ended without an exit status, `gone` where the host does not know it. */
export type Ending = { status: number | null } | 'gone';

type Take = {
  onOutput: (bytes: Buffer) => void;
  /** What was printed before what comes now, and is not kept there. */
  onGap: (bytes: number) => void;
  onEnd: (ending: Ending) => void;
};

/** Reads the frames of `followInput` from chunks as they come; what logins print before the first one is passed over. */
export function createFrameReader(token: string, { onOutput, onGap, onEnd }: Take): (bytes: Buffer) => void {
  const mark = Buffer.from(`\x1eLIVECODE ${token} `);
  let waiting = Buffer.alloc(0);
  let left = 0;

  function takeFrame(words: string[]): void {
    const [name, first, second] = words;
    if (name === 'out' || name === 'last') left = Number(first);
    if (name === 'last') onGap(Math.max(0, Number(second) - left));
    if (name === 'end') onEnd({ status: first ? Number(first) : null });
    if (name === 'gone') onEnd('gone');
  }

  return (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (;;) {
      const part = waiting.subarray(0, left);
      if (part.length > 0) onOutput(part);
      left -= part.length;
      waiting = waiting.subarray(part.length);
      if (left > 0) return;
      const at = waiting.indexOf(mark);
      const end = at < 0 ? -1 : waiting.indexOf('\n', at);
      if (end < 0) {
        waiting = waiting.subarray(at < 0 ? Math.max(0, waiting.length - mark.length) : at);
        return;
      }
      takeFrame(waiting.toString('latin1', at + mark.length, end).split(' '));
      waiting = waiting.subarray(end + 1);
    }
  };
}

/** Follows a run over a channel of its own. Answers how it ended; undefined where the connection was lost before the host said so. */
export async function follow(client: Client, token: string, from: number, take: Omit<Take, 'onEnd'>): Promise<Ending | undefined> {
  let ending: Ending | undefined;
  const read = createFrameReader(token, {
    ...take,
    onEnd(found) {
      ending = found;
    },
  });
  await execute(client, {
    input: followInput(token, from),
    onOutput(bytes, stream) {
      if (stream === 'out') read(bytes);
    },
  });
  return ending;
}

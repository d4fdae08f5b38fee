import type { Client } from 'ssh2';

export type Stream = 'out' | 'error';

/**
 * What the host is asked to start, always the same: a shell that reads what it is to do from its input. Whatever shell the SSH user has
 * understands these words; no name or value ever stands in them.
 */
export const shellCommand = 'exec /bin/sh -s';

export type Exit = { status: number | null; signal: string | null };
type Execution = {
  /** What the shell reads at first. */
  input: string;
  /** Whether the input ends with it; else `onOutput` is given a way to write more. */
  isAll?: boolean;
  onOutput: (bytes: Buffer, stream: Stream, write: (last: string) => void) => void;
};

/**
 * Runs a shell on the host over a channel of its own. Answers how it ended; null for both where the connection was lost before it said so.
 */
export function execute(client: Client, { input, isAll = true, onOutput }: Execution): Promise<Exit> {
  return new Promise((resolve, reject) => {
    const exit: Exit = { status: null, signal: null };
    const isLost = () => resolve(exit);
    client.once('close', isLost);
    client.exec(shellCommand, (error, stream) => {
      if (error) {
        client.off('close', isLost);
        return reject(error);
      }
      const write = (last: string) => stream.end(last);
      stream.on('data', (bytes: Buffer) => onOutput(bytes, 'out', write));
      stream.stderr.on('data', (bytes: Buffer) => onOutput(bytes, 'error', write));
      // The other side may end while it is still written to.
      stream.on('error', () => {});
      stream.on('exit', (status: number | null, signal?: string) => Object.assign(exit, { status, signal: signal ?? null }));
      stream.on('close', () => {
        client.off('close', isLost);
        resolve(exit);
      });
      if (isAll) stream.end(input);
      else stream.write(input);
    });
  });
}

/** The same for short questions of our own, with what was printed; more than `maxBytes` of it is left out. */
export async function ask(client: Client, input: string, maxBytes = 64 * 1024): Promise<{ exit: Exit; output: string }> {
  const parts: Buffer[] = [];
  let size = 0;
  const exit = await execute(client, {
    input,
    onOutput(bytes) {
      if (size < maxBytes) parts.push(bytes);
      size += bytes.length;
    },
  });
  return { exit, output: Buffer.concat(parts).subarray(0, maxBytes).toString() };
}

import type { Log } from '../calls/context.ts';

type Options = {
  log: Pick<Log, 'warn'>;
  /** What the log says of a turn that failed; the next one comes all the same. */
  failure: string;
  /** Its first turn comes at once, not after the first interval. */
  atOnce?: boolean;
};

/** Stops it, and waits for the turn under way. */
export type Repeated = { stop: () => Promise<void> };

/** Does this every so many milliseconds, never two turns at once: a turn that comes due during another is left out. It keeps no process alive. */
export function every(milliseconds: number, run: () => Promise<unknown>, { log, failure, atOnce = false }: Options): Repeated {
  let turn: Promise<void> | undefined;
  const take = async () => {
    try {
      await run();
    } catch (error) {
      log.warn({ error: String(error) }, failure);
    }
  };
  const begin = () => {
    turn ??= take().finally(() => {
      turn = undefined;
    });
  };
  const timer = setInterval(begin, milliseconds);
  timer.unref();
  if (atOnce) begin();
  return {
    async stop() {
      clearInterval(timer);
      await turn;
    },
  };
}

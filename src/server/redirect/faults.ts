import type { Log } from '../kit/calls/context.ts';

export type Faults = (kind: string, error: unknown) => void;

const quietMilliseconds = 10_000;

/** Tells of faults in spite of which visits are answered: each kind once in ten seconds at most, with how many there were since. */
export function createFaults(log: Pick<Log, 'warn'>, now: () => number = () => performance.now()): Faults {
  const kinds = new Map<string, { count: number; told_at: number }>();
  return (kind, error) => {
    const known = kinds.get(kind) ?? { count: 0, told_at: Number.NEGATIVE_INFINITY };
    kinds.set(kind, known);
    known.count += 1;
    const at = now();
    if (at - known.told_at < quietMilliseconds) return;
    log.warn({ kind, count: known.count, error: error instanceof Error ? error.message : String(error) }, 'the database failed a visit');
    Object.assign(known, { count: 0, told_at: at });
  };
}

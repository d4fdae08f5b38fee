import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type pg from 'pg';
import { isOutOfRoom } from './kit/calls/errors.ts';
import { minFreeBytes } from './kit/visits/journal/disk.ts';

const readinessMilliseconds = 1500;
/** So long a call that found no room speaks for the others: the disk of an outside database cannot be looked at. */
const fullMilliseconds = 30_000;

/** Whether there is room to write: on the disk of the data folder, and by what calls met. */
export function watchRoom(dataDir: string): { note: (error: unknown) => void; isLeft: () => Promise<boolean> } {
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    note(error) {
      if (isOutOfRoom(error)) fullAt = performance.now();
    },
    async isLeft() {
      if (performance.now() < fullAt + fullMilliseconds) return false;
      const space = await statfs(dataDir).catch(() => undefined);
      return space === undefined || space.bavail * space.bsize >= minFreeBytes;
    },
  };
}

/** Liveness asks nobody; readiness asks the database, once for all who ask at the same time, and whether anything can be written. */
export function mountHealth(app: FastifyInstance, pool: pg.Pool, isRoomLeft: () => Promise<boolean>): void {
  let asking: Promise<boolean> | undefined;
  const ask = () =>
    pool
      .query('SELECT 1')
      .then(
        () => true,
        () => false,
      )
      .finally(() => (asking = undefined));
  app.get('/healthz', () => ({ ok: true }));
  app.get('/readyz', async (_request, reply) => {
    asking ??= ask();
    const database = await Promise.race([asking, delay(readinessMilliseconds, false, { ref: false })]);
    const disk = await isRoomLeft();
    const ok = database && disk;
    reply.status(ok ? 200 : 503);
    return { ok, database, disk };
  });
}

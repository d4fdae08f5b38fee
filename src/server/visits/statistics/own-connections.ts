import type { Group } from '../../../contract/kit/call.ts';
import type { Service } from '../../kit/calls/context.ts';
import { AppError, databaseCode } from '../../kit/calls/errors.ts';
import type { Database } from '../../kit/postgres/database.ts';

/** Of statements that count visits; of so many visits others would ask for less. */
export const countingSeconds = 30;

/** What every act has in common, whatever its call. */
type Act = (input: unknown, context: { db: Database }) => Promise<unknown>;

/** A service whose statements run on connections of their own, so that nobody else waits for them, and end after a time. */
export function onOwnConnections<G extends Group>(service: Service<G>, db: Database): Service<G> {
  // Entries lose which act is of which call; it is the same one again.
  const acts = Object.entries(service as unknown as Record<string, Act>);
  return Object.fromEntries(acts.map(([name, act]) => [name, counting(act, db)])) as unknown as Service<G>;
}

const counting =
  (act: Act, db: Database): Act =>
  async (input, context) => {
    try {
      return await act(input, { ...context, db });
    } catch (error) {
      if (databaseCode(error) === '57014') throw new AppError(503, 'statistics.too_long', { params: { seconds: countingSeconds } });
      throw error;
    }
  };

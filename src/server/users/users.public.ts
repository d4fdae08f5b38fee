import type { Context } from '../kit/calls/context.ts';
import { lockPeople } from './people.rules.ts';

export { ratiosOf } from './share-ratios.ts';
export { countUsers, presentUsers } from './users.list.ts';

/** Locks the customers and agents of these ids whom the caller may manage; their ids. */
export const lockCustomers = async (ids: readonly number[], context: Context): Promise<number[]> =>
  (await lockPeople('user_list', ids, context)).map(({ id }) => id);

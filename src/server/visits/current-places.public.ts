import { sql } from 'drizzle-orm';
import type { Database } from '../kit/postgres/database.ts';
import type { PlaceReader } from './facts/place.ts';
import { createPlaceKeeper } from './facts/place-keeper.ts';
import type { PlaceTable } from './facts/place-table.ts';
import { readPlacesAside } from './facts/place-thread.ts';

export type { PlaceReader } from './facts/place.ts';

// The built-in lists take a third of a second to read, in which a server would answer nobody.
const keeper = createPlaceKeeper((family) => readPlacesAside<PlaceTable>({ family }));
let reading: Promise<unknown> = Promise.resolve();

/** What is in use now, for a server that is asked: what changed is read at the next question, one after the other. */
export function currentPlaces(db: Database): Promise<PlaceReader> {
  const next = reading.then(() => keeper.reader((text) => db.execute(sql.raw(text))));
  reading = next.catch(() => {});
  return next;
}

import { type PlaceReader, placeReader } from './facts/place.ts';
import type { ReadPlaces } from './facts/place-keeper.ts';
import { readPlacesAside } from './facts/place-thread.ts';

export type { PlaceReader } from './facts/place.ts';

/** A reader, and what was wrong where it is not of what is in use. */
export type OpenedPlaces = { reader: PlaceReader; fault?: string | undefined };

/**
 * Reads what places are looked up with in a thread of its own, for a process that must go on answering meanwhile: the lists and the
 * corrections in use, or the built-in lists where the database does not answer.
 */
export async function openPlacesAside(databaseUrl: string): Promise<OpenedPlaces> {
  const { tables, corrections, fault } = await readPlacesAside<ReadPlaces>({ databaseUrl });
  return { reader: placeReader(tables, corrections), fault };
}

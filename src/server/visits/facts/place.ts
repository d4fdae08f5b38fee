import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { carriers } from '../../../contract/enums.ts';
import { ipv4Number, mappedIpv4, readIpv6, specialAddresses } from '../../kit/network/ip.ts';
import type { CorrectionTables } from './place-corrections.ts';
import { readPlaceTable } from './place-files.ts';
import type { Place } from './place-names.ts';
import { NOWHERE } from './place-names.ts';
import type { PlaceTable } from './place-table.ts';
import { NOWHERE_ID, PlaceFileError, placeIn } from './place-table.ts';

export type { Carrier, Place } from './place-names.ts';
export { NOWHERE } from './place-names.ts';
export { PlaceFileError } from './place-table.ts';

/** The largest address file that is read; those of 2026 have 11 MB (IPv4) and 36 MB (IPv6). */
const MAX_FILE_BYTES = 128 * 1024 * 1024;

/**
 * When the data of the built-in lists was made. The IPv4 file of the `ip2region` package carries no date: it has the same place as the xdb
 * file made on this day for 99.99 % of all addresses.
 */
export const builtInDates = { 4: '2024-02-28', 6: '2021-05-11' } as const;

export type PlaceReader = {
  /** The place of an address in any spelling; `NOWHERE` for private addresses and for what is no address. Places are shared, frozen objects. */
  lookup: (ip: string) => Place;
  /** What the lists alone say, without corrections. */
  listed: (ip: string) => Place;
  /** The age of the data by family (YYYY-MM-DD), empty where the file doesn't tell. */
  dataDate: { readonly ipv4: string; readonly ipv6: string };
  /** How many ranges of addresses each family has, neighbours of one place put together. */
  ranges: { readonly ipv4: number; readonly ipv6: number };
};

function readFile(path: string): PlaceTable {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size > MAX_FILE_BYTES) throw new PlaceFileError(`${path}: ${size} bytes are more than an address file has`);
    return readPlaceTable(readFileSync(file));
  } catch (error) {
    throw error instanceof PlaceFileError ? new PlaceFileError(`${path}: ${error.message}`) : error;
  } finally {
    closeSync(file);
  }
}

/** Reads an address file and says what it holds, so that an upload is refused before it is used. Throws `PlaceFileError`. */
export function inspectPlaceFile(path: string): { family: 4 | 6; data_date: string; ranges: number; places: number } {
  const table = readFile(path);
  return { family: table.family, data_date: table.data_date, ranges: table.ids.length, places: table.places.length };
}

function readFamily(path: string, family: 4 | 6): PlaceTable {
  const table = readFile(path);
  if (table.family !== family) throw new PlaceFileError(`${path}: holds IPv${table.family} addresses, IPv${family} was expected`, 'family');
  return table;
}

export type PlaceTables = { readonly ipv4: PlaceTable; readonly ipv6: PlaceTable };
type Paths = { xdbPath?: string | undefined; ipv6XdbPath?: string | undefined };

const bundledFile = (name: string): string => join(dirname(createRequire(import.meta.url).resolve('ip2region/package.json')), 'data', name);

/** The built-in list of a family. */
export function readBundled(family: 4 | 6): PlaceTable {
  if (family === 6) return readFamily(bundledFile('ipv6wry.db'), 6);
  const table = readFamily(bundledFile('ip2region.db'), 4);
  return { ...table, data_date: table.data_date || builtInDates[4] };
}

/** Reads the address files, which takes a third of a second. Paths and failures as in `openPlaces`. */
export function readPlaceTables({ xdbPath, ipv6XdbPath }: Paths = {}): PlaceTables {
  return {
    ipv4: xdbPath === undefined ? readBundled(4) : readFamily(xdbPath, 4),
    ipv6: ipv6XdbPath === undefined ? readBundled(6) : readFamily(ipv6XdbPath, 6),
  };
}

/** One copy of each name: thousands of places name the same countries and provinces, and what is asked for often stays in the cache. */
function withSharedNames(table: PlaceTable): PlaceTable {
  const known = new Map<string, string>();
  const share = (name: string): string => {
    const first = known.get(name);
    if (first === undefined) known.set(name, name);
    return first ?? name;
  };
  const places = table.places.map(({ country, region, city, carrier: named }, id) => {
    if (id === NOWHERE_ID) return NOWHERE;
    const carrier = carriers.find((one) => one === named) ?? named;
    return Object.freeze({ country: share(country), region: share(region), city: share(city), carrier });
  });
  return { ...table, places };
}

const noCorrections: CorrectionTables = { ipv4: null, ipv6: null };

/** Looks places up in tables that are in memory. Corrections go before the data, for private addresses, too. */
export function placeReader(tables: PlaceTables, corrections = noCorrections): PlaceReader {
  const [ipv4, ipv6] = [withSharedNames(tables.ipv4), withSharedNames(tables.ipv6)];
  const corrected4 = corrections.ipv4 && withSharedNames(corrections.ipv4);
  const corrected6 = corrections.ipv6 && withSharedNames(corrections.ipv6);
  const words = new Uint32Array(4);
  const searching = (fixed4: PlaceTable | null, fixed6: PlaceTable | null) => {
    const lookupIpv4 = (value: number): Place => {
      words[0] = value;
      const corrected = fixed4 === null ? NOWHERE : placeIn(fixed4, words);
      if (corrected !== NOWHERE) return corrected;
      return specialAddresses.hasIpv4(value) ? NOWHERE : placeIn(ipv4, words);
    };
    return (ip: string): Place => {
      const value = ipv4Number(ip);
      if (value >= 0) return lookupIpv4(value);
      if (!readIpv6(ip, words)) return NOWHERE;
      const mapped = mappedIpv4(words);
      if (mapped >= 0) return lookupIpv4(mapped);
      const corrected = fixed6 === null ? NOWHERE : placeIn(fixed6, words);
      if (corrected !== NOWHERE) return corrected;
      return specialAddresses.hasIpv6(words) ? NOWHERE : placeIn(ipv6, words);
    };
  };
  return {
    lookup: searching(corrected4, corrected6),
    listed: searching(null, null),
    dataDate: { ipv4: ipv4.data_date, ipv6: ipv6.data_date },
    ranges: { ipv4: ipv4.ids.length, ipv6: ipv6.ids.length },
  };
}

/**
 * Reads the address files into memory (a third of a second, about 8 MB) for synchronous look-ups. Without paths those of the
 * `ip2region` package are used; an uploaded one may be of any known format. Throws `PlaceFileError`, or the file system's error.
 */
export const openPlaces = (paths: Paths = {}): PlaceReader => placeReader(readPlaceTables(paths));

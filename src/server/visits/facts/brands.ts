/** The brands of phones: how their names are written, and what a model code alone says about its brand. */

/** How brands write themselves, by their lower-case names; sub-brands count as brands of their own. */
const SPELLINGS: ReadonlyMap<string, string> = new Map(
  [
    'Huawei',
    'Honor',
    'Xiaomi',
    'Redmi',
    'POCO',
    'OPPO',
    'OnePlus',
    'realme',
    'vivo',
    'iQOO',
    'Meizu',
    'Samsung',
    'nubia',
    'Black Shark',
  ].map((brand) => [brand.toLowerCase(), brand]),
);

/** Brands whose models have names of their own: Galaxy S9, iPhone 13, Redmi K40. The others' names begin with the brand. */
const SELF_STANDING = new Set(['Samsung', 'Apple', 'Redmi', 'POCO', 'iQOO', 'Google', 'Motorola', 'Black Shark']);
const CAPITALS = new Set(['Huawei', 'Honor']);

/** A name that begins with another brand is that brand's: lists file Redmi under Xiaomi and Honor under Huawei. */
const BRAND_IN_NAME =
  /^(?:huawei |xiaomi |vivo |oppo )?(honor|redmi|poco|iqoo|realme|oneplus|huawei|xiaomi|vivo|oppo|meizu|samsung)(?![a-z])/i;

const ALIASES: Readonly<Record<string, string>> = { lge: 'LG', blackshark: 'Black Shark', 'tct (alcatel)': 'Alcatel' };

/** One of the brands above, or null. */
export function knownBrand(brand: string): string | null {
  return SPELLINGS.get(brand.toLowerCase()) ?? null;
}

/** Brand and name of a model as we write them: `Xiaomi` + `MI 8` → Xiaomi, `Xiaomi Mi 8`; `Huawei` + `Honor 9` → Honor, `HONOR 9`. */
export function spellModel(brand: string, name: string): { brand: string; name: string } {
  const plain = name
    .replace(/^真我\s*/, 'realme ')
    .replace(/\s+/g, ' ')
    .trim();
  const inName = BRAND_IN_NAME.exec(plain)?.[1];
  const spelled = knownBrand(inName ?? brand) ?? ALIASES[brand.toLowerCase()] ?? brand;
  if (SELF_STANDING.has(spelled) || plain === '') return { brand: spelled, name: plain };
  const withoutBrand = plain.replace(BRAND_IN_NAME, '').trim();
  const rest = withoutBrand.toLowerCase().startsWith(`${spelled.toLowerCase()} `) ? withoutBrand.slice(spelled.length + 1) : withoutBrand;
  if (rest === '') return { brand: spelled, name: '' };
  const prefix = CAPITALS.has(spelled) ? spelled.toUpperCase() : spelled;
  return { brand: spelled, name: `${prefix} ${spelled === 'Xiaomi' ? rest.replace(/^MI (?=[A-Z0-9])/, 'Mi ') : rest}` };
}

/** What the form of a code says. Forms that two brands share (OPPO and OnePlus, Huawei and Honor) are left out. */
const CODE_FORMS: readonly (readonly [brand: string, form: RegExp])[] = [
  ['Samsung', /^(SM|GT|SCH|SGH|SHV|SHW|SPH)-[A-Z]?\d/],
  ['realme', /^RMX\d{4}/],
  ['vivo', /^V[12]\d{3}[A-Z]{0,2}\d?$/],
  ['Xiaomi', /^(M[12]\d{3}[A-Z]\d{1,2}[A-Z]{1,3}|2\d{3,7}[A-Z]?\w{1,6}[A-Z])$/],
  ['OPPO', /^(P[A-F][A-Z]{2}\d0|CPH(1\d|2[0-3])\d\d)$/],
  ['OnePlus', /^(LE|IN|KB|HD|GM|NE|DN|EB)2\d{3}$|^(HD|GM)19\d\d$/],
  ['nubia', /^NX\d{3}[A-Z]/],
  ['Google', /^(PIXEL|NEXUS) /],
  ['Motorola', /^(XT\d{4}|MOTO)/],
  ['LG', /^LM?-[A-Z]\d/],
  ['Sony', /^(XQ-|SO-\d|SOG\d|SOV\d)/],
  ['Asus', /^ASUS_/],
];

/** Codes that begin with their brand's name. */
const CODE_BRAND =
  /^(HUAWEI|HONOR|XIAOMI|REDMI|POCO|OPPO|ONEPLUS|REALME|VIVO|IQOO|MEIZU|NUBIA|ZTE|LENOVO|NOKIA|TECNO|INFINIX|ITEL|HTC|COOLPAD|GIONEE|HISENSE|TCL)[ _-]/;
const CAPITALISED = /^(LENOVO|NOKIA|INFINIX|COOLPAD|HISENSE)$/;

/** The brand of a model that no list knows, or an empty text. `code` is in upper case. */
export function brandOfCode(code: string): string {
  const named = CODE_BRAND.exec(code)?.[1];
  if (named !== undefined) {
    if (CAPITALISED.test(named)) return named.charAt(0) + named.slice(1).toLowerCase();
    return knownBrand(named) ?? (named === 'GIONEE' ? 'Gionee' : named === 'ITEL' ? 'itel' : named);
  }
  return CODE_FORMS.find(([, form]) => form.test(code))?.[0] ?? '';
}

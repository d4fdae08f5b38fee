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

const ALIASES: Readonly<Record<string, string>> = {
  lge: 'LG',
  zte: 'ZTE',
  lenovo: 'Lenovo',
  blackshark: 'Black Shark',
  'tct (alcatel)': 'Alcatel',
};

/** One of the brands above, or null. */
export function knownBrand(brand: string): string | null {
  return SPELLINGS.get(brand.toLowerCase()) ?? null;
}

/** Brand and name of a model as we write them: `Xiaomi` + `MI 8` → Xiaomi, `Xiaomi Mi 8`; `Huawei` + `Honor 9` → Honor, `HONOR 9`. */
export function spellModel(brand: string, name: string): { brand: string; name: string } {
  const plain = name
    .replace(/^真我\s*/, 'realme ')
    .replace(/^(?:HUWEI|HAUWEI) /, 'HUAWEI ')
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

/** Prefixes of Honor's codes from the time when Honor belonged to Huawei and their codes had one form; the dictionary names most of them. */
const HONOR_PREFIXES = new Set(
  'AKA ASK ATH BKK BKL BLN BMH BND CAM CHE CHM COL COR DLI DUA DUK EBG EDI FRD HLK HOL HRY JAT JMM JSN KIW KKG KNT KSA LEO LLD LRA LYO MOA MXW NEM OXF OXP PCT PLK PRA RVL SCL STF TEL TNN TNY YAL YOK'.split(
    ' ',
  ),
);

/**
 * Huawei's and Honor's codes have one form: `ELE-AL00`, `BAH3-W09`. Known prefixes tell them apart; among later ones Honor writes `AN`, `N`
 * and `NX` (it sells 5G), Huawei, which may not, `AL`, `L` and `LX`.
 */
function huaweiOrHonor(code: string): string {
  const [, prefix, kind] = /^([A-Z]{3,4})\d?K?-(?=[A-Z]{1,2}\d)([AT]?N|NX)?[A-Z]{0,2}\d{1,2}[A-Z]{0,4}\d?$/.exec(code) ?? [];
  if (prefix === undefined) return '';
  if (HONOR_PREFIXES.has(prefix)) return 'Honor';
  return kind === undefined ? 'Huawei' : 'Honor';
}

/** What the form of a code says, the narrower form first. What a sub-brand shares with its brand (OPPO and OnePlus) the dictionary tells. */
const CODE_FORMS: readonly (readonly [brand: string, form: RegExp])[] = [
  ['Samsung', /^(SAMSUNG[ _-]|GALAXY |(SM|GT|SCH|SGH|SHV|SHW|SPH|SC)-[A-Z]?\d|SC[VG]\d\d$)/],
  ['realme', /^RM[XP]\d{4}/],
  ['iQOO', /^I(20[12]|21|22|23|24|25)\d\d?\d$/],
  ['vivo', /^(V[12]\d{3}[A-Z]{0,3}\d?(_.*)?|PD[12]\d{3}[A-Z]{0,4})$/],
  ['POCO', /^(POCO|2\d{4}P[A-Z\d]{3,5}|2\d{6,7}P[GI])$|^POCO/],
  ['Redmi', /^(HM[ _]|M[12]\d{3}C\d|2\d{4}R[A-Z\d]{3,5}$|2\d{7}[A-Z]{1,2}$|2\d{3}11[67][A-Z]{1,2}$)/],
  ['Xiaomi', /^(M[12]\d{3}[A-Z]\d{1,2}[A-Z]{1,3}|2\d{3,7}[A-Z]?\w{1,6}[A-Z])$|^MI(X|PAD|MAX)?([ _-]|\d|$)/],
  ['OnePlus', /^(BE|DE|DN|EB|GN|IN|IV|KB|LE|NE|HD|GM|AC)2\d{3}$|^(HD|GM)19\d\d$|^ONE [AE]\d{4}$/],
  ['OPPO', /^(P[A-Z]{2}[A-Z]\d0|P[A-Z]{2}1\d0|CPH\d{4}|OPD\d{4}|R8\d\d\w?|X90\d\d|X909T?|N5\d{3})$/],
  ['OPPO', /^(R[579]|R11|R15|R17)(S|M|T|TM|KM|SK|ST|F|G|C|KF)?( ?(PLUS|PLUSM|PLUSF|PLUSK|PLUST|LITE|DREAM)[A-Z]{0,2})?$/],
  ['OPPO', /^(A(11|30|31|33|35|37|39|51|53|57|59|71|73|77|79|83)|F1)(S|M|T|C|F|W|FW|TM|KC|SM|ST)?$/],
  ['nubia', /^(NX\d{3}[A-Z]|NP\d\dJ|Z2\d{3}N?$)/],
  ['ZTE', /^(BLADE|AXON |A20(17|18|19|20|21|22|23)[A-Z]?\d?$|Z[89]\d\d[A-Z]{0,2}$)/],
  ['Meizu', /^(MZ-|MX\d|PRO [5-7]|M\d{3}[A-Z]$|M[0-2][89]\d\d$|M[1-9][CSEX]?( NOTE| METAL| MAX)?$|16(TH|XS|S|T|X)?( PRO| PLUS)?$|U[12]0$)/],
  ['Google', /^(PIXEL|NEXUS) /],
  ['Motorola', /^(XT\d{4}|MOTO)/],
  ['Lenovo', /^(TB-?[A-Z\d]{4}|YT-?[\dA-Z]{4}|L[37]8\d{3}$|PB[12]-)/],
  ['LG', /^LM?-[A-Z]\d/],
  ['Sony', /^(XQ-|SO-\d|SOG\d|SOV\d)/],
  ['Asus', /^ASUS_/],
];

/** Huawei's codes of its first phones, which had forms of their own: `P7-L10`, `Y635-L21`, `G620S-UL00`, `T1-701u`, `C8817D`. */
const EARLY_HUAWEI = /^([PGY]\d{1,3}[A-Z]?|MT\d|GEM|[MST]\d{1,2}|D2)-[A-Z\d]{2,5}$|^([CU]8\d{3}[A-Z]{0,2}|U9\d{3}|MEDIAPAD .*)$/;

/** Codes that begin with their brand's name. */
const CODE_BRAND =
  /^(HUAWEI|HONOR|XIAOMI|REDMI|POCO|OPPO|ONEPLUS|REALME|VIVO|IQOO|MEIZU|NUBIA|ZTE|LENOVO|NOKIA|TECNO|INFINIX|ITEL|HTC|COOLPAD|GIONEE|HISENSE|TCL)(?:[ _-]|(?=[A-Z]?\d))/;
const CAPITALISED = /^(LENOVO|NOKIA|INFINIX|COOLPAD|HISENSE)$/;

/** The brand of a model that no list knows, or an empty text. `code` is in upper case. */
export function brandOfCode(code: string): string {
  const named = CODE_BRAND.exec(code)?.[1];
  if (named !== undefined) {
    if (CAPITALISED.test(named)) return named.charAt(0) + named.slice(1).toLowerCase();
    return knownBrand(named) ?? (named === 'GIONEE' ? 'Gionee' : named === 'ITEL' ? 'itel' : named);
  }
  const formed = CODE_FORMS.find(([, form]) => form.test(code))?.[0];
  return formed ?? (EARLY_HUAWEI.test(code) ? 'Huawei' : huaweiOrHonor(code));
}

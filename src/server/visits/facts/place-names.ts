/** What the address files say in words, turned into the names that visits are recorded with. */

export type Carrier = 'mobile' | 'unicom' | 'telecom' | 'other';

/** Where an address is. Names are Chinese, as the address files have them; what is not known is empty. */
export type Place = { readonly country: string; readonly region: string; readonly city: string; readonly carrier: Carrier };

/** The place of an address that nothing is known about, private addresses among them. */
export const NOWHERE: Place = Object.freeze({ country: '', region: '', city: '', carrier: 'other' });

const CHINA = '中国';
const MAX_NAME = 64;

/** By exact value: a part of a name would also catch foreign carriers such as 中华电信. */
const CARRIERS: ReadonlyMap<string, Carrier> = new Map([
  ['移动', 'mobile'],
  ['铁通', 'mobile'],
  ['联通', 'unicom'],
  ['电信', 'telecom'],
]);

/** The 30 autonomous prefectures: the IPv4 files write 昌吉, the IPv6 file 昌吉州, official papers 昌吉回族自治州. */
const PREFECTURES =
  /^(延边|恩施|湘西|阿坝|甘孜|凉山|黔西南|黔东南|黔南|楚雄|红河|文山|西双版纳|大理|德宏|怒江|迪庆|临夏|甘南|海北|黄南|海南|果洛|玉树|海西|昌吉|博尔塔拉|巴音郭楞|克孜勒苏|伊犁).*州$/;
const AUTONOMOUS = /^(内蒙古|广西|西藏|宁夏|新疆|香港|澳门)/;
const MUNICIPALITIES = new Set(['北京', '上海', '天津', '重庆']);
const NO_COUNTRY = /^(0|Reserved|内网IP|局域网|全球|IANA.*)$/;

function name(text: string | undefined): string {
  const trimmed = (text ?? '').trim();
  return trimmed === '0' || trimmed === '内网IP' || trimmed === 'Reserved' ? '' : trimmed.slice(0, MAX_NAME);
}

function regionName(text: string): string {
  return AUTONOMOUS.exec(text)?.[1] ?? text.replace(/[省市]$/, '');
}

function cityName(text: string): string {
  const prefecture = PREFECTURES.exec(text)?.[1];
  return prefecture ?? text.replace(/(?<=..)(市|地区|盟)$/, '');
}

/** The place of these names, as all places are named: without endings such as 省 and 市. */
export function place(country: string, region: string, city: string, carrier: Carrier): Place {
  if (country === '' || NO_COUNTRY.test(country)) return NOWHERE;
  if (country !== CHINA) return { country, region, city, carrier };
  const province = regionName(region);
  return { country, region: province, city: cityName(city) || (MUNICIPALITIES.has(province) ? province : ''), carrier };
}

const chineseCountries = new Intl.DisplayNames('zh-CN', { type: 'region', fallback: 'none' });

/** Newer files write foreign countries in English, with their ISO code: the statistics keep one name per country. */
function countryName(text: string, iso: string): string {
  if (/\p{Script=Han}/u.test(text) || !/^[A-Z]{2}$/.test(iso)) return text;
  return chineseCountries.of(iso) ?? text;
}

/** `classic` is country|area|province|city|ISP, `iso` is country|province|city|ISP|ISO code. */
export type FieldOrder = 'classic' | 'iso';

/** The order of the fields in a file, by its last fields: most of them are ISO codes, or next to none. Null when rows don't have five fields. */
export function fieldOrder(rows: readonly string[]): FieldOrder | null {
  let [iso, told] = [0, 0];
  for (const row of rows) {
    const fields = row.split('|');
    if (fields.length !== 5) return null;
    // Of what is not known both orders have a zero there.
    if (fields[4] !== '0') told += 1;
    if (/^[A-Z]{2}$/.test(fields[4] ?? '')) iso += 1;
  }
  return iso * 2 > told ? 'iso' : 'classic';
}

/** Reads one row of an ip2region file. */
export function placeOfRow(row: string, order: FieldOrder): Place {
  const fields = row.split('|');
  const [country, , third, fourth, fifth] = fields.map(name);
  const second = name(fields[1]);
  const carrier = CARRIERS.get((order === 'iso' ? fourth : fifth) ?? '') ?? 'other';
  if (order === 'iso') return place(countryName(country ?? '', fifth ?? ''), second, third ?? '', carrier);
  return place(country ?? '', third ?? '', fourth ?? '', carrier);
}

/** The IPv6 file names networks (中国移动公众宽带), so that there the carrier is the name's beginning. */
const NETWORKS = /^中国(移动|铁通|联通|网通|电信)/;

/** Reads one record of the IPv6 file: a tab-separated place (中国, 江苏省, 南京市, 玄武区) and the name of the network. */
export function placeOfRecord(area: string, network: string): Place {
  const parts = area.split(area.startsWith(CHINA) ? /\s+/ : /\t+/).map(name);
  const [country = '', region = '', city = '', district = ''] = parts;
  // 美国 关岛 is 关岛 in the IPv4 files.
  if (country !== CHINA) return place(country.split(' ').at(-1) ?? '', region, city, 'other');
  const owner = NETWORKS.exec(network)?.[1] ?? '';
  const carrier = CARRIERS.get(owner === '网通' ? '联通' : owner) ?? 'other';
  if (MUNICIPALITIES.has(regionName(region))) return place(country, region, '', carrier);
  // 伊犁州 has prefectures of its own (塔城地区), which the IPv4 files take for the city.
  return place(country, region, district.endsWith('地区') ? district : city, carrier);
}

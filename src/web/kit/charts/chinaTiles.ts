// not messages: the regions under the names that the address data uses, and their English ones.
/** One province-level region: its code, its place in the tile grid (column, row), its short names; `tw` is the traditional spelling where it differs. */
export type Province = { code: string; column: number; row: number; zh: string; tw?: string; en: string };

/** The 34 province-level regions of China as equal tiles, placed roughly as on a map. */
export const provinces: readonly Province[] = [
  { code: 'HL', column: 6, row: 0, zh: '黑龙江', tw: '黑龍江', en: 'Heilongjiang' },
  { code: 'NM', column: 3, row: 1, zh: '内蒙古', tw: '內蒙古', en: 'Inner Mongolia' },
  { code: 'BJ', column: 4, row: 1, zh: '北京', en: 'Beijing' },
  { code: 'LN', column: 5, row: 1, zh: '辽宁', tw: '遼寧', en: 'Liaoning' },
  { code: 'JL', column: 6, row: 1, zh: '吉林', en: 'Jilin' },
  { code: 'XJ', column: 0, row: 2, zh: '新疆', en: 'Xinjiang' },
  { code: 'GS', column: 1, row: 2, zh: '甘肃', tw: '甘肅', en: 'Gansu' },
  { code: 'NX', column: 2, row: 2, zh: '宁夏', tw: '寧夏', en: 'Ningxia' },
  { code: 'SX', column: 3, row: 2, zh: '山西', en: 'Shanxi' },
  { code: 'HE', column: 4, row: 2, zh: '河北', en: 'Hebei' },
  { code: 'TJ', column: 5, row: 2, zh: '天津', en: 'Tianjin' },
  { code: 'XZ', column: 0, row: 3, zh: '西藏', en: 'Tibet' },
  { code: 'QH', column: 1, row: 3, zh: '青海', en: 'Qinghai' },
  { code: 'SN', column: 2, row: 3, zh: '陕西', tw: '陝西', en: 'Shaanxi' },
  { code: 'HA', column: 3, row: 3, zh: '河南', en: 'Henan' },
  { code: 'SD', column: 4, row: 3, zh: '山东', tw: '山東', en: 'Shandong' },
  { code: 'SC', column: 1, row: 4, zh: '四川', en: 'Sichuan' },
  { code: 'CQ', column: 2, row: 4, zh: '重庆', tw: '重慶', en: 'Chongqing' },
  { code: 'HB', column: 3, row: 4, zh: '湖北', en: 'Hubei' },
  { code: 'AH', column: 4, row: 4, zh: '安徽', en: 'Anhui' },
  { code: 'JS', column: 5, row: 4, zh: '江苏', tw: '江蘇', en: 'Jiangsu' },
  { code: 'SH', column: 6, row: 4, zh: '上海', en: 'Shanghai' },
  { code: 'YN', column: 1, row: 5, zh: '云南', tw: '雲南', en: 'Yunnan' },
  { code: 'GZ', column: 2, row: 5, zh: '贵州', tw: '貴州', en: 'Guizhou' },
  { code: 'HN', column: 3, row: 5, zh: '湖南', en: 'Hunan' },
  { code: 'JX', column: 4, row: 5, zh: '江西', en: 'Jiangxi' },
  { code: 'ZJ', column: 5, row: 5, zh: '浙江', en: 'Zhejiang' },
  { code: 'GX', column: 2, row: 6, zh: '广西', tw: '廣西', en: 'Guangxi' },
  { code: 'GD', column: 3, row: 6, zh: '广东', tw: '廣東', en: 'Guangdong' },
  { code: 'FJ', column: 4, row: 6, zh: '福建', en: 'Fujian' },
  { code: 'TW', column: 5, row: 6, zh: '台湾', tw: '台灣', en: 'Taiwan' },
  { code: 'HI', column: 2, row: 7, zh: '海南', en: 'Hainan' },
  { code: 'MO', column: 3, row: 7, zh: '澳门', tw: '澳門', en: 'Macao' },
  { code: 'HK', column: 4, row: 7, zh: '香港', en: 'Hong Kong' },
];

const suffix = /(维吾尔|壮族|回族)?(自治区|特别行政区)$|[省市]$/;
const byName = new Map(provinces.flatMap((province) => [[province.zh, province] as const, [province.en.toLowerCase(), province] as const]));

/** The province a region's name means, with or without its suffix (广东, 广东省, 广西壮族自治区); undefined for places elsewhere. */
export const provinceOf = (name: string): Province | undefined => byName.get(name.trim().replace(suffix, '').toLowerCase());

/** The province's short name in a language: Chinese in its two spellings, the Latin one elsewhere. */
export function provinceName({ zh, tw = zh, en }: Province, language: string): string {
  if (language === 'zh-TW') return tw;
  return language.startsWith('zh') ? zh : en;
}

/** What a tile has room for: a Chinese name, and the province's code in place of a Latin one. */
export const tileName = (province: Province, language: string): string =>
  language.startsWith('zh') ? provinceName(province, language) : province.code;

// not messages: the regions under the names that the address data uses, and their English ones.
/** One province-level region: its code, its place in the tile grid (column, row), its short names and the names the address data uses. */
export type Province = { code: string; column: number; row: number; zh: string; en: string };

/** The 34 province-level regions of China as equal tiles, placed roughly as on a map. */
export const provinces: readonly Province[] = [
  { code: 'HL', column: 8, row: 0, zh: '黑龙江', en: 'Heilongjiang' },
  { code: 'XJ', column: 0, row: 1, zh: '新疆', en: 'Xinjiang' },
  { code: 'NM', column: 6, row: 1, zh: '内蒙古', en: 'Inner Mongolia' },
  { code: 'LN', column: 7, row: 1, zh: '辽宁', en: 'Liaoning' },
  { code: 'JL', column: 8, row: 1, zh: '吉林', en: 'Jilin' },
  { code: 'GS', column: 2, row: 2, zh: '甘肃', en: 'Gansu' },
  { code: 'NX', column: 3, row: 2, zh: '宁夏', en: 'Ningxia' },
  { code: 'SX', column: 4, row: 2, zh: '山西', en: 'Shanxi' },
  { code: 'HE', column: 5, row: 2, zh: '河北', en: 'Hebei' },
  { code: 'BJ', column: 6, row: 2, zh: '北京', en: 'Beijing' },
  { code: 'TJ', column: 7, row: 2, zh: '天津', en: 'Tianjin' },
  { code: 'QH', column: 1, row: 3, zh: '青海', en: 'Qinghai' },
  { code: 'SN', column: 3, row: 3, zh: '陕西', en: 'Shaanxi' },
  { code: 'HA', column: 4, row: 3, zh: '河南', en: 'Henan' },
  { code: 'AH', column: 5, row: 3, zh: '安徽', en: 'Anhui' },
  { code: 'SD', column: 6, row: 3, zh: '山东', en: 'Shandong' },
  { code: 'XZ', column: 0, row: 4, zh: '西藏', en: 'Tibet' },
  { code: 'SC', column: 2, row: 4, zh: '四川', en: 'Sichuan' },
  { code: 'CQ', column: 3, row: 4, zh: '重庆', en: 'Chongqing' },
  { code: 'HB', column: 4, row: 4, zh: '湖北', en: 'Hubei' },
  { code: 'ZJ', column: 6, row: 5, zh: '浙江', en: 'Zhejiang' },
  { code: 'JS', column: 6, row: 4, zh: '江苏', en: 'Jiangsu' },
  { code: 'SH', column: 7, row: 4, zh: '上海', en: 'Shanghai' },
  { code: 'YN', column: 2, row: 5, zh: '云南', en: 'Yunnan' },
  { code: 'GZ', column: 3, row: 5, zh: '贵州', en: 'Guizhou' },
  { code: 'HN', column: 4, row: 5, zh: '湖南', en: 'Hunan' },
  { code: 'JX', column: 5, row: 5, zh: '江西', en: 'Jiangxi' },
  { code: 'GX', column: 3, row: 6, zh: '广西', en: 'Guangxi' },
  { code: 'GD', column: 4, row: 6, zh: '广东', en: 'Guangdong' },
  { code: 'FJ', column: 6, row: 6, zh: '福建', en: 'Fujian' },
  { code: 'TW', column: 7, row: 6, zh: '台湾', en: 'Taiwan' },
  { code: 'HI', column: 3, row: 7, zh: '海南', en: 'Hainan' },
  { code: 'MO', column: 4, row: 7, zh: '澳门', en: 'Macao' },
  { code: 'HK', column: 5, row: 7, zh: '香港', en: 'Hong Kong' },
];

const suffix = /(维吾尔|壮族|回族)?(自治区|特别行政区)$|[省市]$/;
const byName = new Map(provinces.flatMap((province) => [[province.zh, province] as const, [province.en.toLowerCase(), province] as const]));

/** The province a region's name means, with or without its suffix (广东, 广东省, 广西壮族自治区); undefined for places elsewhere. */
export const provinceOf = (name: string): Province | undefined => byName.get(name.trim().replace(suffix, '').toLowerCase());

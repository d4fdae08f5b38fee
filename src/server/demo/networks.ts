import { pick } from './random.ts';

/** Networks as registries publish them: 65,536 IPv4 addresses ("119.131"), or the first 32 bits of an IPv6 network. */
type Network = readonly [network: string, share: number];

/** Chinese provinces with their share of the visitors, and a network of each carrier there. */
const provinces: readonly (readonly [share: number, telecom: string, unicom: string, mobile: string])[] = [
  // Guangdong, Jiangsu, Zhejiang, Shandong, Henan, Sichuan, Shanghai, Beijing
  [120, '119.131', '120.83', '120.241'],
  [90, '121.230', '122.194', '122.95'],
  [85, '122.240', '123.154', '112.15'],
  [70, '150.122', '112.247', '120.223'],
  [60, '123.160', '125.44', '120.215'],
  [60, '171.219', '119.6', '123.70'],
  [60, '116.239', '140.206', '122.84'],
  [60, '122.12', '123.117', '115.122'],
  // Hubei, Fujian, Hunan, Anhui, Hebei, Chongqing, Shaanxi, Liaoning
  [45, '119.97', '122.191', '117.154'],
  [40, '120.35', '112.111', '112.51'],
  [40, '175.6', '110.53', '120.227'],
  [40, '117.69', '112.122', '112.31'],
  [40, '111.227', '119.250', '175.49'],
  [32, '125.83', '113.207', '183.228'],
  [30, '113.141', '116.175', '111.21'],
  [30, '123.187', '119.109', '122.67'],
  // Jiangxi, Guangxi, Yunnan, Shanxi, Guizhou, Tianjin, Heilongjiang, Jilin
  [25, '117.40', '118.212', '117.170'],
  [25, '171.109', '171.39', '117.183'],
  [22, '116.249', '180.130', '123.87'],
  [20, '113.27', '171.121', '183.200'],
  [18, '111.124', '101.238', '117.189'],
  [18, '123.151', '117.11', '111.33'],
  [16, '112.102', '114.196', '122.64'],
  [13, '124.234', '139.213', '123.78'],
  // Inner Mongolia, Xinjiang, Gansu, Hainan, Ningxia, Qinghai, Tibet
  [12, '121.56', '110.18', '117.138'],
  [12, '110.156', '124.88', '117.191'],
  [10, '60.164', '124.152', '117.157'],
  [9, '139.189', '150.255', '183.254'],
  [4, '111.113', '42.63', '111.50'],
  [3, '125.72', '139.170', '112.63'],
  [2, '113.63', '113.62', '124.31'],
];

/** Hong Kong, Macao, Taiwan, Singapore, Japan, Malaysia, South Korea, the United States, Australia. */
const abroad: readonly Network[] = [
  ['223.197', 9],
  ['60.246', 2],
  ['120.107', 4],
  ['116.87', 4],
  ['133.176', 3],
  ['124.82', 3],
  ['121.191', 2],
  ['75.17', 3],
  ['120.159', 2],
];

/** By carrier: about half of all visitors come through the mobile one. */
const carrierShares = { telecom: 29, unicom: 18, mobile: 53 };
const everywhere: readonly Network[] = [
  ...provinces.flatMap(([share, telecom, unicom, mobile]): Network[] => [
    [telecom, share * carrierShares.telecom],
    [unicom, share * carrierShares.unicom],
    [mobile, share * carrierShares.mobile],
  ]),
  ...abroad.map(([network, share]): Network => [network, share * 100]),
];

/** The three towns in which the demo's businesses stand. Phones have IPv6 addresses there as often as IPv4 ones. */
const towns = {
  hangzhou: [
    ['36.24', 14],
    ['115.192', 10],
    ['124.160', 9],
    ['112.10', 22],
    ['111.0', 8],
    ['2409:8928', 22],
    ['240e:390', 8],
    ['2408:8440', 7],
  ],
  chengdu: [
    ['125.71', 17],
    ['118.113', 9],
    ['119.4', 11],
    ['117.139', 24],
    ['2409:8962', 24],
    ['240e:398', 9],
    ['2408:8466', 6],
  ],
  guangzhou: [
    ['14.23', 17],
    ['113.65', 10],
    ['112.96', 12],
    ['120.230', 22],
    ['2409:8955', 24],
    ['240e:47c', 9],
    ['2408:8456', 6],
  ],
} as const satisfies Record<string, readonly Network[]>;
export type Town = keyof typeof towns;

const below = (random: () => number, limit: number): number => Math.floor(random() * limit);

/** An address of the town, or for the rest of the visitors one of anywhere. */
export function newAddress(random: () => number, town: Town, localShare: number): string {
  const networks: readonly Network[] = random() < localShare ? towns[town] : everywhere;
  const [network] = pick(random, networks, ([, share]) => share);
  if (!network.includes(':')) return `${network}.${below(random, 256)}.${1 + below(random, 254)}`;
  const group = (limit: number) => below(random, limit).toString(16);
  // The provinces' main towns have the lowest subnets.
  return `${network}:${group(0x800)}:${group(0x10000)}:${group(0x10000)}:${group(0x10000)}:${group(0x10000)}:${group(0x10000)}`;
}

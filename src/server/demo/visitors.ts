/** Networks of carriers and of other countries, as registries publish them: [first two octets from, to, share in thousandths]. */
const networks: readonly (readonly [first: number, secondFrom: number, secondTo: number, share: number])[] = [
  [117, 128, 191, 110],
  [120, 192, 255, 90],
  [183, 192, 255, 70],
  [223, 64, 127, 80],
  [39, 128, 191, 70],
  [112, 224, 255, 60],
  [123, 112, 127, 60],
  [27, 192, 223, 50],
  [119, 176, 191, 40],
  [113, 64, 127, 90],
  [61, 128, 191, 60],
  [183, 0, 63, 70],
  [58, 208, 223, 40],
  [222, 208, 215, 30],
  [219, 128, 159, 30],
  [8, 8, 8, 10],
  [133, 200, 203, 15],
  [203, 116, 117, 25],
];

const messenger =
  'Mobile Safari/537.36 XWEB/1160065 MMWEBSDK/20231202 MMWEBID/2306 MicroMessenger/8.0.47.2560(0x28002F35) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64';
const androidMessenger = (version: number, model: string, build: string) =>
  `Mozilla/5.0 (Linux; Android ${version}; ${model} Build/${build}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/116.0.0.0 ${messenger}`;
const iphone = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.50(0x18003238) NetType/4G Language/zh_CN`;

/** User agents with how often each is met. */
const userAgents: readonly (readonly [userAgent: string, share: number])[] = [
  [iphone('18_1'), 14],
  [iphone('17_6'), 10],
  [iphone('16_7'), 4],
  [androidMessenger(14, '23127PN0CC', 'UKQ1.230804.001'), 8],
  [androidMessenger(13, '2211133C', 'TKQ1.220905.001'), 6],
  [androidMessenger(12, 'M2102K1C', 'SKQ1.211006.001'), 4],
  [androidMessenger(12, 'ALN-AL00', 'HUAWEIALN-AL00'), 9],
  [androidMessenger(10, 'ELS-AN00', 'HUAWEIELS-AN00'), 6],
  [androidMessenger(14, 'PJA110', 'UKQ1.230924.001'), 6],
  [androidMessenger(13, 'PHB110', 'TP1A.220905.001'), 4],
  [androidMessenger(14, 'V2309A', 'UP1A.231005.007'), 6],
  [androidMessenger(13, 'V2218A', 'TP1A.220624.014'), 4],
  [androidMessenger(13, 'MAA-AN00', 'HONORMAA-AN00'), 4],
  [androidMessenger(13, 'SM-S9180', 'TP1A.220624.014'), 2],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    5,
  ],
  ['Mozilla/5.0 (Linux; Android 14; 23127PN0CC) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36', 3],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36', 3],
  [
    'Mozilla/5.0 (Linux; Android 12; ALN-AL00; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/114.0.0.0 Mobile Safari/537.36 AlipayClient/10.5.80',
    1,
  ],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)', 1],
];

/** How busy each hour of a day is in China, from 0 to 23 o'clock. */
export const hourShares: readonly number[] = [8, 4, 3, 2, 2, 4, 10, 22, 38, 52, 60, 66, 74, 62, 55, 57, 60, 66, 74, 86, 92, 80, 52, 24];

/** A repeatable random number source (mulberry32), so that the demo looks the same everywhere. */
export function randomSource(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function pick<T>(random: () => number, choices: readonly T[], share: (choice: T) => number): T {
  let rest = random() * choices.reduce((sum, choice) => sum + share(choice), 0);
  for (const choice of choices) {
    rest -= share(choice);
    if (rest < 0) return choice;
  }
  return choices[choices.length - 1] as T;
}

export const newVisitor = (random: () => number): { ip: string; user_agent: string } => {
  const [first, from, to] = pick(random, networks, (network) => network[3]);
  const second = from + Math.floor(random() * (to - from + 1));
  const ip = `${first}.${second}.${Math.floor(random() * 256)}.${1 + Math.floor(random() * 254)}`;
  return { ip, user_agent: pick(random, userAgents, (agent) => agent[1])[0] };
};

import { pick } from './random.ts';

/** Releases of the messenger with how often each is met: [version, its number in the user agent, share]. */
const releases = [
  ['8.0.61', '0x28003D37', 44],
  ['8.0.58', '0x28003A36', 30],
  ['8.0.55', '0x28003737', 16],
  ['8.0.49', '0x28003133', 10],
] as const;
type Release = (typeof releases)[number];

/** What the messenger says of the phone's network. */
const netTypes = [
  ['WIFI', 46],
  ['5G', 36],
  ['4G', 18],
] as const;

/** Phones on which the messenger is met: [Android version, model code, build, share]. */
const androids: readonly (readonly [version: number, model: string, build: string, share: number])[] = [
  [14, '23127PN0CC', 'UKQ1.230804.001', 50],
  [13, '2211133C', 'TKQ1.220905.001', 36],
  [15, '24129PN74C', 'AQ3A.240627.003', 20],
  [12, 'M2102K1C', 'SKQ1.211006.001', 22],
  [14, '23117RK66C', 'UKQ1.230804.001', 30],
  [13, '23049RAD8C', 'TKQ1.221114.001', 26],
  [12, '22041216C', 'SP1A.210812.016', 18],
  [12, 'ALN-AL00', 'HUAWEIALN-AL00', 58],
  [12, 'BRA-AL00', 'HUAWEIBRA-AL00', 26],
  [10, 'ELS-AN00', 'HUAWEIELS-AN00', 30],
  [12, 'FOA-AL00', 'HUAWEIFOA-AL00', 18],
  [12, 'LYA-AL00', 'HUAWEILYA-AL00', 14],
  [14, 'PTP-AN10', 'HONORPTP-AN10', 18],
  [13, 'MAA-AN00', 'HONORMAA-AN00', 34],
  [13, 'FNE-AN00', 'HONORFNE-AN00', 22],
  [14, 'PJH110', 'UKQ1.230924.001', 46],
  [13, 'PGGM10', 'TP1A.220905.001', 30],
  [12, 'PEPM00', 'SKQ1.210216.001', 22],
  [13, 'PHB110', 'TP1A.220905.001', 20],
  [14, 'PJA110', 'UKQ1.230924.001', 14],
  [14, 'RMX3820', 'UKQ1.230924.001', 12],
  [14, 'V2323A', 'UP1A.231005.007', 44],
  [13, 'V2190A', 'TP1A.220624.014', 28],
  [14, 'V2242A', 'UP1A.231005.007', 26],
  [13, 'V2231A', 'TP1A.220624.014', 18],
  [13, 'SM-S9180', 'TP1A.220624.014', 12],
  [14, 'SM-S9280', 'UP1A.231005.007', 10],
  // A code that no dictionary knows: such phones exist, and their statistics say "unknown".
  [11, 'TYH631M', 'RP1A.200720.011', 8],
];
const iphoneSystems = [
  ['18_5', 30],
  ['18_3_2', 22],
  ['17_6_1', 26],
  ['16_7_10', 12],
  ['15_8_3', 6],
] as const;

const androidMessenger = ([version, model, build]: (typeof androids)[number], [release, number]: Release, net: string, suffix = '') =>
  `Mozilla/5.0 (Linux; Android ${version}; ${model} Build/${build}; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.6723.103 Mobile Safari/537.36 XWEB/1300333 MMWEBSDK/20241202 MMWEBID/2306 MicroMessenger/${release}.2860(${number})${suffix} WeChat/arm64 Weixin NetType/${net} Language/zh_CN ABI/arm64`;
const iphoneMessenger = (system: string, [release]: Release, net: string, suffix = '') =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/${release}(0x18003d2c)${suffix} NetType/${net} Language/zh_CN`;
const harmonyMessenger = ([release]: Release, net: string) =>
  `Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile XWEB/1300333 MMWEBSDK/20241202 MicroMessenger/${release}.2860(0xf3800000) WeChat/arm64 Weixin NetType/${net} Language/zh_CN`;

/** What is met outside the messenger, in thousandths of all visitors. */
const others: readonly (readonly [userAgent: string, share: number])[] = [
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    44,
  ],
  ['Mozilla/5.0 (iPad; CPU OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1', 4],
  ['Mozilla/5.0 (Linux; Android 14; 23127PN0CC) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Mobile Safari/537.36', 14],
  [
    'Mozilla/5.0 (Linux; U; Android 14; zh-cn; 23117RK66C Build/UKQ1.230804.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/119.0.6045.193 Mobile Safari/537.36 XiaoMi/MiuiBrowser/19.3.51',
    16,
  ],
  [
    'Mozilla/5.0 (Linux; Android 12; ALN-AL00 Build/HUAWEIALN-AL00) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.5735.196 HuaweiBrowser/15.0.9.301 Mobile Safari/537.36',
    15,
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 14; zh-CN; V2323A Build/UP1A.231005.007) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/123.0.6312.80 UCBrowser/17.2.4.1316 Mobile Safari/537.36',
    8,
  ],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36', 16],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36 Edg/136.0.0.0', 8],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15', 6],
  [
    'Mozilla/5.0 (Linux; U; Android 12; zh-CN; ALN-AL00 Build/HUAWEIALN-AL00) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/114.0.5735.196 UWS/5.12.3.0 Mobile Safari/537.36 AlipayClient/10.7.20.8100',
    7,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 QQ/9.1.60.646 V1_IPH_SQ_9.1.60_1_APP_A',
    6,
  ],
];
const messengerShares = [
  ['iphone', 336],
  ['android', 396],
  ['harmony', 34],
  ['enterprise_iphone', 22],
  ['enterprise_android', 38],
  ['windows', 14],
] as const;
const allMessenger = messengerShares.reduce((sum, [, share]) => sum + share, 0);
const allOthers = others.reduce((sum, [, share]) => sum + share, 0);

function newMessenger(random: () => number): string {
  const [kind] = pick(random, messengerShares, ([, share]) => share);
  const release = pick(random, releases, ([, , share]) => share);
  const [net] = pick(random, netTypes, ([, share]) => share);
  if (kind === 'windows')
    return 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat(0x63090c33) XWEB/13639 Flue';
  if (kind === 'harmony') return harmonyMessenger(release, net);
  const suffix = kind.startsWith('enterprise') ? ' wxwork/4.1.36' : '';
  if (kind.endsWith('iphone')) return iphoneMessenger(pick(random, iphoneSystems, ([, share]) => share)[0], release, net, suffix);
  return androidMessenger(
    pick(random, androids, ([, , , share]) => share),
    release,
    net,
    suffix,
  );
}

/** A visitor's user agent: five of six scan in the messenger. */
export const newUserAgent = (random: () => number): string =>
  random() * (allMessenger + allOthers) < allMessenger ? newMessenger(random) : pick(random, others, ([, share]) => share)[0];

/** Programs that follow links, with the networks they come from. */
export const crawlers: readonly (readonly [userAgent: string, network: string])[] = [
  ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)', '220.181.108'],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', '66.249.71'],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', '40.77.167'],
];

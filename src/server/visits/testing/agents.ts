import type { Agent } from '../facts/agent.ts';

/** User agents as phones, desktops and programs send them, with what has to be read from them. */
type Fixture = [userAgent: string, expected: Partial<Agent>];

const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 16_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit';
const android = (version: string, device: string): string =>
  `Mozilla/5.0 (Linux; Android ${version}; ${device}) AppleWebKit/537.36 (KHTML, like Gecko)`;
const messenger = (version: string, device: string): string =>
  `${android(version, `${device}; wv`)} Version/4.0 Chrome/107.0.5304.141 Mobile Safari/537.36 XWEB/5169 MMWEBSDK/20230604 MMWEBID/8106 MicroMessenger/8.0.38.2400(0x28002658) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64`;

export const MESSENGER: Fixture[] = [
  [
    `${IPHONE} Mobile/15E148 MicroMessenger/8.0.40(0x1800282f) NetType/WIFI Language/zh_CN`,
    { system: 'iOS', system_version: '16.6.1', brand: 'Apple', model: 'iPhone', model_name: 'iPhone', browser: 'WeChat', is_mobile: true },
  ],
  [
    `${IPHONE} Mobile/15E148 MicroMessenger/8.0.44(0x18002c2f) NetType/4G Language/zh_CN miniProgram/wx0123456789abcdef`,
    { browser: 'WeChat mini program' },
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 13_3 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/7.0.11(0x17000b21) NetType/WIFI Language/zh_CN',
    { system: 'iOS', system_version: '13.3', brand: 'Apple', model: 'iPad', is_mobile: true },
  ],
  [
    messenger('13', 'M2102J2SC Build/TKQ1.220829.002'),
    { system: 'Android', system_version: '13', brand: 'Xiaomi', model: 'M2102J2SC', model_name: 'Xiaomi Mi 10S' },
  ],
  [messenger('12', 'V2165A Build/SP1A.210812.003'), { brand: 'iQOO', model: 'V2165A', model_name: 'iQOO U5' }],
  [messenger('12', 'NOH-AN00 Build/HUAWEINOH-AN00'), { brand: 'Huawei', model: 'NOH-AN00', model_name: 'HUAWEI Mate 40 Pro' }],
  [messenger('14', 'PGT-AN10 Build/HONORPGT-AN10'), { brand: 'Honor', model_name: 'HONOR Magic5 Pro' }],
  [messenger('12', 'QQQ-AN00 Build/HONORQQQ-AN00'), { brand: 'Honor', model: 'QQQ-AN00', model_name: '' }],
  [messenger('14', 'PHY110 Build/UKQ1.231003.002'), { brand: 'OPPO', model_name: 'OPPO Find X7 Ultra' }],
  [messenger('14', 'PJD110 Build/UKQ1.230924.001'), { brand: 'OnePlus', model_name: 'OnePlus 12' }],
  [messenger('14', 'RMX3888 Build/UKQ1.230924.001'), { brand: 'realme', model_name: 'realme GT5 Pro' }],
  [messenger('14', 'SM-S9180 Build/UP1A.231005.007'), { brand: 'Samsung', model_name: 'Galaxy S23 Ultra' }],
  [messenger('10', 'Redmi K30 Build/QKQ1.190825.002'), { brand: 'Redmi', model: 'Redmi K30', model_name: 'Redmi K30' }],
  [messenger('11', 'MEIZU 18 Build/RKQ1.201105.002'), { brand: 'Meizu', model_name: 'Meizu 18' }],
  [messenger('9', 'moto g(7) plus Build/PPW29.98-28'), { brand: 'Motorola', model: 'moto g(7) plus' }],
  [messenger('13', 'XYZ-1234 Build/TP1A'), { brand: '', model: 'XYZ-1234', model_name: '' }],
  [
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile MicroMessenger/8.0.6.29(0xf3800623) Weixin NetType/WIFI Language/zh_CN',
    { system: 'HarmonyOS', system_version: '5.0', model: '', browser: 'WeChat', is_mobile: true },
  ],
  [
    `${WINDOWS} Chrome/107.0.0.0 Safari/537.36 MicroMessenger/7.0.20.1781(0x6700143B) NetType/WIFI MiniProgramEnv/Windows WindowsWechat/WMPF WindowsWechat(0x63090a13) XWEB/9129 Flue`,
    { system: 'Windows', system_version: '10', browser: 'WeChat', is_mobile: false, model: '' },
  ],
  [
    `${MAC}/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Safari/537.36 MicroMessenger/6.8.0(0x16080000) NetType/WIFI MiniProgramEnv/Mac MacWechat/WMPF MacWechat/3.8.7(0x13080712) XWEB/1191 Flue`,
    { system: 'macOS', system_version: '10.15.7', brand: 'Apple', is_mobile: false },
  ],
  [
    'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/53.0.2785.116 Safari/537.36 QBCore/4.0.1326.400 QQBrowser/9.0.2524.400 Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/39.0.2171.95 Safari/537.36 MicroMessenger/6.5.2.501 NetType/WIFI WindowsWechat',
    { system: 'Windows', system_version: '7' },
  ],
  [`${messenger('13', '22041211AC Build/TP1A')} spider bot crawler`, { brand: 'Redmi', model_name: 'Redmi K50' }],
];

export const ENTERPRISE: Fixture[] = [
  [
    `${IPHONE} Mobile/15E148 wxwork/4.1.10 MicroMessenger/7.0.1 Language/zh ColorScheme/Light`,
    { system: 'iOS', browser: 'WeCom', is_mobile: true },
  ],
  [
    `${android('12', 'V2055A Build/SP1A.210812.003; wv')} Version/4.0 Chrome/86.0.4240.99 Mobile Safari/537.36 wxwork/4.0.19 MicroMessenger/7.0.1 NetType/4G Language/zh Lang/zh`,
    { brand: 'iQOO', model_name: 'iQOO Neo5' },
  ],
  [
    `${WINDOWS} Chrome/81.0.4044.138 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) wxwork/4.1.3 (MicroMessenger/6.2) WindowsWechat MailPlugin_Electron WeMail embeddisk`,
    { system: 'Windows', is_mobile: false },
  ],
];

export const APP: Fixture[] = [
  [
    `${IPHONE} Mobile/15E148 Ariver/1.1.0 AliApp(AP/10.5.10.6000) Nebula WK RVKType(1) AlipayDefined(nt:WIFI,ws:390|780|3.0) AlipayClient/10.5.10.6000 Language/zh-Hans`,
    { browser: 'Alipay' },
  ],
  [
    `${android('13', '2211133C Build/TKQ1.220905.001; wv')} Version/4.0 Chrome/98.0.4758.102 MQQBrowser/6.2 TBS/046291 Mobile Safari/537.36 V1_AND_SQ_8.9.70_4292_YYB_D QQ/8.9.70.11730 NetType/WIFI WebP/0.4.1`,
    { browser: 'QQ', model_name: 'Xiaomi 13' },
  ],
  [
    `${IPHONE} Mobile/15E148 Weibo (iPhone13,2__weibo__13.8.2__iphone__os16.6.1)`,
    { browser: 'Weibo', model: 'iPhone13,2', model_name: 'iPhone 12' },
  ],
  [
    `${IPHONE} Mobile/15E148 AliApp(DingTalk/7.0.40) com.laiwang.DingTalk/31135374 Channel/201200 language/zh-Hans-CN`,
    { browser: 'DingTalk' },
  ],
  [`${IPHONE} Mobile/15E148 aweme_26.6.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/zh Region/CN`, { browser: 'Douyin' }],
  [
    `${android('12', 'PEQM00 Build/SP1A; wv')} Version/4.0 Chrome/75.0.3770.156 Mobile Safari/537.36 aweme_230400 JsSdk/1.0 ByteLocale/zh-CN`,
    { browser: 'Douyin', model_name: 'OPPO Reno6' },
  ],
  [`${IPHONE} Mobile/15E148 musical_ly_30.6.0 BytedanceWebview/d8a21c6`, { browser: 'TikTok' }],
  [
    `${android('11', 'V2046A Build/RP1A; wv')} Version/4.0 Chrome/75.0.3770.156 Mobile Safari/537.36 NewsArticle/9.3.0 ToutiaoMicroApp/2.0`,
    { browser: 'Toutiao' },
  ],
  [`${IPHONE} Mobile/15E148 Safari/604.1 XiaoHongShu xhsdiscover/8.4 NetType/WiFi`, { browser: 'Xiaohongshu' }],
  [
    `${WINDOWS} Chrome/108.0.5359.215 Electron/22.3.9 Safari/537.36 Lark/6.8.9 LarkLocale/zh_CN Feishu/6.8.9`,
    { browser: 'Feishu', is_mobile: false },
  ],
  [`${IPHONE} Mobile/20G81 SP-engine/2.88.0 main%2F1.0 baiduboxapp/13.45.0.10 (Baidu; P2 16.6)`, { browser: 'Baidu' }],
  [
    `${android('12', 'HBN-AL00 Build/HUAWEIHBN-AL00; wv')} Version/4.0 Chrome/99.0.4844.88 Mobile Safari/537.36 Kwai/11.9.10`,
    { browser: 'Kuaishou', model_name: 'HUAWEI Pura 70 Pro' },
  ],
  [
    `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/430.0.0.31.112;FBBV/513163022;FBDV/iPhone14,5;FBMD/iPhone]`,
    { browser: 'Facebook', model_name: 'iPhone 13' },
  ],
  [`${IPHONE} Mobile/15E148 Safari Line/13.16.0`, { browser: 'LINE' }],
];

export const BROWSER: Fixture[] = [
  [`${IPHONE} Version/16.6 Mobile/15E148 Safari/604.1`, { browser: 'Safari', system: 'iOS', is_mobile: true }],
  [`${MAC}/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15`, { browser: 'Safari', system: 'macOS', is_mobile: false }],
  [`${android('10', 'K')} Chrome/120.0.0.0 Mobile Safari/537.36`, { browser: 'Chrome', system: 'Android', model: '', brand: '' }],
  [`${WINDOWS} Chrome/120.0.0.0 Safari/537.36`, { browser: 'Chrome', system: 'Windows', system_version: '10' }],
  [`${WINDOWS} Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91`, { browser: 'Edge' }],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:121.0) Gecko/20100101 Firefox/121.0', { browser: 'Firefox' }],
  [
    'Mozilla/5.0 (Android 13; Mobile; rv:109.0) Gecko/118.0 Firefox/118.0',
    { browser: 'Firefox', system: 'Android', system_version: '13', model: '' },
  ],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0', { system: 'Linux', is_mobile: false }],
  [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    { system: 'ChromeOS' },
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; HarmonyOS; LIO-AN00; HMSCore 6.12.0.302) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0.4844.88 HuaweiBrowser/14.0.2.311 Mobile Safari/537.36',
    { browser: 'Huawei Browser', system: 'HarmonyOS', system_version: '', model_name: 'HUAWEI Mate 30 Pro 5G' },
  ],
  [
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300',
    { browser: 'Huawei Browser', system: 'HarmonyOS', system_version: '5.0', is_mobile: true },
  ],
  [
    'Mozilla/5.0 (PC; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ArkWeb/4.1.6.1',
    { browser: 'ArkWeb', is_mobile: false },
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 13; zh-cn; 2201123C Build/TKQ1.220807.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/17.5.60716',
    { browser: 'Mi Browser', brand: 'Xiaomi', model: '2201123C', model_name: 'Xiaomi 12' },
  ],
  [
    `${android('13', 'SAMSUNG SM-S9080')} SamsungBrowser/22.0 Chrome/111.0.5563.116 Mobile Safari/537.36`,
    { browser: 'Samsung Internet', model: 'SM-S9080', model_name: 'Galaxy S22 Ultra' },
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 11; zh-CN; V2020CA Build/RP1A.200720.012) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/100.0.4896.58 Quark/6.2.2.246 Mobile Safari/537.36',
    { browser: 'Quark', model_name: 'vivo S7' },
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 9; zh-CN; PBEM00 Build/PKQ1.190519.001) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.5.2.1122 Mobile Safari/537.36',
    { browser: 'UC Browser', model_name: 'OPPO R17' },
  ],
  [
    'Mozilla/5.0 (Linux; U; Android 12; zh-cn; ELS-AN00 Build/HUAWEIELS-AN00) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/89.0.4389.72 MQQBrowser/13.6 Mobile Safari/537.36 COVC/046213',
    { browser: 'QQ Browser', model_name: 'HUAWEI P40 Pro' },
  ],
  [
    `${android('13', 'V2227A; wv')} Version/4.0 Chrome/101.0.4951.74 Mobile Safari/537.36 VivoBrowser/16.3.1.0`,
    { browser: 'vivo Browser', model_name: 'vivo X90 Pro+' },
  ],
  [
    `${android('13', 'CUBOT KINGKONG 9 Build/TP1A')} Chrome/116.0.0.0 Mobile Safari/537.36`,
    { browser: 'Chrome', model: 'CUBOT KINGKONG 9' },
  ],
  ['Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko', { browser: 'Internet Explorer' }],
  [
    'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15254',
    { system: 'Windows Phone', browser: 'Edge' },
  ],
  [
    'Mozilla/5.0 (Mobile; Nokia 8110 4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
    { system: 'KaiOS', system_version: '2.5', is_mobile: true },
  ],
];

export const BOT: Fixture[] = [
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', {}],
  [
    `${android('6.0.1', 'Nexus 5X Build/MMB29P')} Chrome/120.0.6099.109 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    {},
  ],
  ['Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)', {}],
  [
    'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; https://zhanzhang.toutiao.com/)',
    {},
  ],
  ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', {}],
  ['Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)', {}],
  ['Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3497.81 YisouSpider/5.0 Safari/537.36', {}],
  ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)', {}],
  ['TelegramBot (like TwitterBot)', {}],
  ['DingTalkBot-LinkService/1.0 (+https://open-doc.dingtalk.com/microapp/faquestions/ftpfeu)', {}],
  ['curl/8.4.0', {}],
  ['python-requests/2.31.0', {}],
  ['Go-http-client/1.1', {}],
  ['okhttp/4.9.3', {}],
  [`${WINDOWS} HeadlessChrome/119.0.6045.105 Safari/537.36`, {}],
  ['', { system: 'other', browser: '', is_mobile: false }],
];

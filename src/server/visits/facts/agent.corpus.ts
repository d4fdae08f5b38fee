/**
 * User agents of our own making, for a measure of how many phones are named rightly: codes that phones are sold with, in the forms in which
 * browsers and apps send them. It is no sample of real traffic, of which none may be published: what stands here was also known to who wrote
 * the dictionary. Codes with an empty name are newer than the dictionary: they measure what the form of a code tells of its brand.
 */

/** `code=name`, apart by `;`. */
const CODES: Readonly<Record<string, string>> = {
  Huawei:
    'ANA-AN00=HUAWEI P40;NOH-AN00=HUAWEI Mate 40 Pro;ELE-AL00=HUAWEI P30;VOG-AL10=HUAWEI P30 Pro;LIO-AN00=HUAWEI Mate 30 Pro 5G;TAS-AL00=HUAWEI Mate 30;EML-AL00=HUAWEI P20;CLT-AL00=HUAWEI P20 Pro;MAR-AL00=HUAWEI nova 4e;JAD-AL00=HUAWEI P50 Pro;LNA-AL00=HUAWEI P60;MHA-AL00=HUAWEI Mate 9;ALP-AL00=HUAWEI Mate 10;HMA-AL00=HUAWEI Mate 20;LYA-AL00=HUAWEI Mate 20 Pro;ANE-LX1=HUAWEI P20 lite;FIG-LX1=HUAWEI P smart;CUN-L21=HUAWEI Y6 II;DRA-L21=HUAWEI Y5 2018;P7-L10=HUAWEI Ascend P7;AGS3-L09=HUAWEI MatePad T 10s;PPA-LX2=HUAWEI Y7a;HUAWEI P30=HUAWEI P30;HUAWEI nova 7=HUAWEI nova 7;HUAWEI NOH-AN00=HUAWEI Mate 40 Pro;QXA-AL80=;QXB-LX9=;QXC2-W09=;G999-U20=;QXD-AL10=',
  Honor:
    'STF-AL00=HONOR 9;COL-AL10=HONOR 10;YAL-AL00=HONOR 20;JSN-AL00=HONOR 8X;HLK-AL00=HONOR 9X;BKL-AL20=HONOR V10;PCT-AL10=HONOR V20;OXF-AN10=HONOR V30 Pro;BMH-AN10=HONOR 30;FRD-AL10=HONOR 8;TEL-AN00=HONOR X10;LLD-AL00=HONOR 9 Lite;BND-AL10=HONOR 7X;COR-AL00=HONOR Play;PGT-AN10=HONOR Magic5 Pro;FNE-AN00=HONOR 70;MAA-AN00=HONOR 100;ALI-NX1=HONOR X9b;CMA-LX1=HONOR X7;KIW-AL10=HONOR 5X;HONOR 200=HONOR 200;HONOR X50=HONOR X50;H60-L01=HONOR 6;QYA-AN00=;QYB-NX9=;QYC-AN20=',
  Xiaomi:
    'MI 8=Xiaomi Mi 8;MI 9=Xiaomi Mi 9;Mi 10=Xiaomi Mi 10;MI 6=Xiaomi Mi 6;MIX 2S=Xiaomi Mi MIX 2S;M2102J2SC=Xiaomi Mi 10S;M2011K2C=Xiaomi Mi 11;2201123C=Xiaomi 12;2211133C=Xiaomi 13;2201122C=Xiaomi 12 Pro;23127PN0CC=Xiaomi 14;24129PN74C=Xiaomi 15;2203129G=Xiaomi 12 Lite;Mi A2 Lite=Xiaomi Mi A2 Lite;Mi Note 10=Xiaomi Mi Note 10;MI PAD 4=Xiaomi Mi PAD 4;XIAOMI 2211133C=Xiaomi 13;24999XX9CC=;25999XN3AC=;M9902J9SC=',
  Redmi:
    'Redmi K30=Redmi K30;Redmi Note 8=Redmi Note 8;Redmi Note 4X=Redmi Note 4X;Redmi 5 Plus=Redmi 5 Plus;M2012K11AC=Redmi K40;22041211AC=Redmi K50;M1908C3JG=Redmi Note 8;M2006C3LG=Redmi 9A;M2010J19SG=Redmi 9T;2201117TG=Redmi Note 11;220333QAG=Redmi 10C;23021RAAEG=Redmi Note 12;22120RN86G=Redmi 12C;HM NOTE 1S=Redmi Note;HM 1SW=Redmi 1S;Redmi 4A=Redmi 4A;Redmi Note 4 MIUI/8.5.8=Redmi Note 4;Redmi_Note_5=Redmi Note 5;25999RN3AC=;M2906C9LG=',
  OPPO: 'PACM00=OPPO R15;PBEM00=OPPO R17;PCAM00=OPPO Reno;PEGM00=OPPO Reno5;PEQM00=OPPO Reno6;PGAM10=OPPO Reno8 Pro;PHM110=OPPO Reno9;PFFM10=OPPO Find X5;PHY110=OPPO Find X7 Ultra;PKB110=OPPO Find X8;OPPO R11=OPPO R11;OPPO A57=OPPO A57;OPPO R9s=OPPO R9s;A37m=OPPO A37;R7Plusm=OPPO R7 Plus;X9007=OPPO Find 7;CPH1723=OPPO F5;CPH1909=OPPO A5s;CPH2083=OPPO A12;CPH2185=OPPO A15;CPH2239=OPPO A54;CPH2481=OPPO Reno8 T;CPH2591=OPPO A18;PZA110=;PLC110=;CPH2899=;PMTM10=',
  vivo: 'V2241A=vivo X90;V2046A=vivo X60;V2183A=vivo X80;V2309A=vivo X100;V2324A=vivo X100 Pro;V2020A=vivo S7;V2072A=vivo S9;V1809A=vivo X23;V1829A=vivo X27;V1838A=vivo X27;V1901A=vivo Y3;V1921A=vivo Z5;V1934A=vivo Y5s;V1962A=vivo S6;V2001A=vivo X50;vivo X9=vivo X9;vivo X9Plus=vivo X9Plus;vivo Y66=vivo Y66;vivo X21A=vivo X21A;vivo 1718=vivo V7;vivo 1606=vivo Y53;vivo 1904=vivo Y12;vivo 1820=vivo Y91i;V2025=vivo V20;V2027=vivo Y20;V2111=vivo Y21;V2250=vivo V29;V2899A=;PD2941=;V2988DA=',
  iQOO: 'V1824A=iQOO;V1914A=iQOO Neo;V2024A=iQOO 5;V2049A=iQOO 7;V2055A=iQOO Neo5;V2243A=iQOO 11;V2307A=iQOO 12;V2338A=iQOO Neo9;I2012=iQOO 7;I2209=iQOO 11',
  OnePlus:
    'ONEPLUS A3000=OnePlus 3;ONEPLUS A5000=OnePlus 5;ONEPLUS A6000=OnePlus 6;GM1910=OnePlus 7 Pro;HD1900=OnePlus 7T;IN2010=OnePlus 8;KB2000=OnePlus 8T;LE2110=OnePlus 9;LE2120=OnePlus 9 Pro;NE2210=OnePlus 10 Pro;PHB110=OnePlus 11;PJD110=OnePlus 12;PGKM10=OnePlus Ace;CPH2449=OnePlus 11;DN2103=OnePlus Nord 2 5G;BE2029=OnePlus Nord N10 5G;AC2003=OnePlus Nord;A0001=OnePlus One;OnePlus 7T=OnePlus 7T;LE2999=',
  realme:
    'RMX3357=realme GT Neo2T;RMX3888=realme GT5 Pro;RMX2202=realme GT;RMX2180=realme C15;RMX1901=realme X;RMX1971=realme Q;RMX2001=realme 6;RMX3360=realme GT Master Edition;realme X2=realme X2;RMX9999=;RMP9999=',
  Meizu:
    'MEIZU 18=Meizu 18;meizu 17 Pro=Meizu 17 Pro;16th=Meizu 16th;16s Pro=Meizu 16s Pro;M2081=Meizu 17;MX5=Meizu MX5;MX6=Meizu MX6;PRO 6=Meizu PRO 6;PRO 7-H=Meizu PRO 7;M5 Note=Meizu M5 Note;M3s=Meizu m3s;m2 note=Meizu m2 note;M611A=Meizu M5;M6 Note=Meizu M6 Note;M822Q=Meizu Note 8;MEIZU 20=Meizu 20;MEIZU 21=Meizu 21;MZ-MX5=Meizu MX5;M999Q=;MEIZU 99=Meizu 99',
  ZTE: 'ZTE A2017U=ZTE Axon 7;A2017G=ZTE Axon 7;ZTE BV0800=ZTE Blade V8;ZTE A2121=ZTE Axon 20 5G;ZTE A2022H=ZTE Axon 30 Pro 5G;ZTE A2023P=ZTE Axon 40 Ultra;Z981=ZTE ZMax Pro;ZTE Blade A5=ZTE Blade A5;ZTE BLADE V30=ZTE BLADE V30;ZTE 9999N=',
  nubia:
    'NX563J=nubia Z17;NX569J=nubia Z17 mini;NX606J=nubia Z18;NX609J=nubia Red Magic;NX629J=nubia Red Magic 3;NX659J=nubia Red Magic 5G;NX711J=nubia Z50;NX769J=nubia Red Magic 9 Pro;NX549J=nubia Z11 mini S;nubia Z20=nubia Z20;NX999J=',
  Samsung:
    'SM-G9600=Galaxy S9;SM-G9500=Galaxy S8;SM-G9730=Galaxy S10;SM-G9810=Galaxy S20 5G;SM-G9910=Galaxy S21 5G;SM-S9010=Galaxy S22;SM-S9180=Galaxy S23 Ultra;SM-S9280=Galaxy S24 Ultra;SM-N9500=Galaxy Note8;SM-N9600=Galaxy Note9;SM-A526B=Galaxy A52 5G;SM-J500FN=Galaxy J5;SM-T860=Galaxy Tab S6;SM-F9460=Galaxy Z Fold5;GT-I9505=Galaxy S4;SAMSUNG SM-S9080=Galaxy S22 Ultra;SAMSUNG-SM-G900A=Galaxy S5;SM-G9350_TD=Galaxy S7 edge;SM-A515F=Galaxy A51;SM-A125F=Galaxy A12;SM-A105F=Galaxy A10;SM-G960F=Galaxy S9;SM-G991B=Galaxy S21 5G;SM-Q999B=',
};

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
/** The forms in which browsers and apps send a code. */
const FORMS: readonly ((code: string) => string)[] = [
  (code) =>
    `Mozilla/5.0 (Linux; Android 12; ${code} Build/SP1A.210812.016; wv) ${WEBKIT} Version/4.0 Chrome/107.0.5304.141 Mobile Safari/537.36 XWEB/5169 MMWEBSDK/20230604 MMWEBID/8106 MicroMessenger/8.0.38.2400(0x28002658) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64`,
  (code) => `Mozilla/5.0 (Linux; Android 9; ${code}) ${WEBKIT} Chrome/99.0.4844.88 Mobile Safari/537.36`,
  (code) =>
    `Mozilla/5.0 (Linux; U; Android 10; zh-CN; ${code} Build/QKQ1.190825.002) ${WEBKIT} Version/4.0 Chrome/78.0.3904.108 UCBrowser/13.5.2.1122 Mobile Safari/537.36`,
  (code) =>
    `com.ss.android.ugc.aweme/230501 (Linux; U; Android 11; zh_CN_#Hans; ${code}; Build/RP1A.200720.011; Cronet/TTNetVersion:8f366453)`,
  (code) => `UCWEB/2.0 (Linux; U; Adr 4.4.4; zh-CN; ${code}) U2/1.0.0 UCBrowser/9.7.0.520 Mobile`,
];

export type PhoneSample = { readonly userAgent: string; readonly brand: string; readonly name: string };

export const PHONES: readonly PhoneSample[] = Object.entries(CODES).flatMap(([brand, codes]) =>
  codes.split(';').flatMap((entry) => {
    const [code = '', name = ''] = entry.split('=');
    return FORMS.map((form) => ({ userAgent: form(code), brand, name }));
  }),
);

const SAFARI = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
/** Systems that are easily mistaken for another: what they name comes from a relative. */
export const SYSTEMS: Readonly<Record<string, readonly string[]>> = {
  iOS: [
    `Mozilla/5.0 (iPhone; CPU iPhone OS 17_1 like Mac OS X) ${SAFARI} Version/17.1 Mobile/15E148 Safari/604.1`,
    `Mozilla/5.0 (iPad; CPU OS 15_6 like Mac OS X) ${SAFARI} Version/15.6 Mobile/15E148 Safari/604.1`,
    'Aweme/266015 CFNetwork/1410.0.3 Darwin/22.6.0',
    'com.apple.WebKit.Networking/8616 CFNetwork/1474 Darwin/23.0.0',
    'Zhihu/9.2.0 (iOS 16.2; Scale/3.00)',
    'MyApp/3.1 (com.example.app; build:12; iPadOS 16.1.0) Alamofire/5.4.4',
    'AppleCoreMedia/1.0.0.20A362 (iPhone; U; CPU OS 16_0 like Mac OS X; zh_cn)',
  ],
  macOS: [
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${SAFARI} Version/17.0 Safari/605.1.15`,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:121.0) Gecko/20100101 Firefox/121.0',
    'Safari/18614.1 CFNetwork/1399 Darwin/22.1.0 (x86_64)',
    'Mozilla/4.0 (compatible; MSIE 5.23; Mac_PowerPC)',
    'Feishu/7.0 (macOS 13.4; arm64)',
    'MacOutlook/16.70 (Intel x64 Mac OS X Version 12.6)',
    'Spotify/1.2.13 OSX/0 (OS X 13.4.1)',
  ],
  ChromeOS: [
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 9; Acer Chromebook R13 (CB5-312T) Build/R89-13729.56.0; wv) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/89.0.4389.95 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 9; eve Build/R102-14695.107.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/102.0.5005.75 Safari/537.36',
    'Mozilla/5.0 (Linux; Android 7.1.1; ASUS Chromebook Flip C302) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/69.0.3497.100 Safari/537.36',
  ],
  Android: [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    'UCWEB/2.0 (Linux; U; Adr 4.4.2; zh-CN; HM NOTE 1S) U2/1.0.0 UCBrowser/9.7.0.520 Mobile',
    'Dalvik/2.1.0 (Linux; U; Android 9; MI 8 Build/PKQ1.180729.001)',
  ],
  Windows: ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'],
};

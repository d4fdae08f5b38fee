/** The first pattern that is found names the browser; those that imitate others come first. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger/i, 'WeChat'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser/, 'Samsung Internet'],
  [/UCBrowser/, 'UC'],
  [/QQBrowser/, 'QQ Browser'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Version\/.*Safari/, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/HarmonyOS|OpenHarmony/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Browser and system of a user agent, enough to know one's own devices apart: `Chrome · Windows`; empty where neither is known. */
export const deviceOf = (user_agent: string): string =>
  [browsers, systems].flatMap((names) => names.find(([pattern]) => pattern.test(user_agent))?.[1] ?? []).join(' · ');

import { type RuleSystem, ruleSystems } from '../../../contract/enums.ts';

/** An operating system as visits record it, and its version. */
export type System = { system: string; version: string };

const WINDOWS_VERSIONS: Readonly<Record<string, string>> = {
  '5.1': 'XP',
  '5.2': 'XP',
  '6.0': 'Vista',
  '6.1': '7',
  '6.2': '8',
  '6.3': '8.1',
  '10.0': '10',
};

/** In this order, since Android names Linux and iPhones name Mac OS X. Versions are the first group, with `_` for `.` on Apple's. */
const SYSTEMS: readonly (readonly [system: string, mark: RegExp, version: RegExp | null])[] = [
  ['Windows Phone', /Windows Phone/, /Windows Phone(?: OS)? (\d[\d.]{0,11})/],
  ['HarmonyOS', /OpenHarmony|HarmonyOS/, /(?:OpenHarmony|HarmonyOS)[ /](\d[\d.]{0,11})/],
  ['Tizen', /Tizen/, /Tizen (\d[\d.]{0,11})/],
  ['KaiOS', /KAIOS/, /KAIOS\/(\d[\d.]{0,11})/],
  // Android apps on a Chromebook name it as their model, or the build of its ChromeOS, whose form no Android's build has.
  ['ChromeOS', /CrOS|Chromebook|Chromebox|Chrome ?OS\b|Build\/R\d{2,3}-\d{4,5}\./, /CrOS [a-z\d_]+ (\d[\d.]{0,15})/],
  ['Android', /Android|\bAdr \d/i, /(?:Android|\bAdr)[ /-]?(\d[\d.]{0,11})/i],
  ['iOS', /iPhone|iPad|iPod|\bi(?:Pad)?OS[ /]?\d/, /(?:\bOS|\bi(?:Pad)?OS|iPhone OS)[ /]?(\d[\d_.]{0,11})/],
  ['Windows', /Windows|\bWin(?:32|64|NT|dows)\b/, /Windows NT (\d{1,2}\.\d)/],
  // Apple's own library names neither phone nor desktop: `CFNetwork/1410 Darwin/22.6.0` is an app of a phone, with the desktop's processor a Mac.
  ['iOS', /^(?!.*(?:Mac|x86_64|i386)).*CFNetwork\/\S+ Darwin\//, null],
  ['macOS', /Macintosh|Mac[ _]?OS|\bOS X\b|Mac_PowerPC|Darwin/i, /(?:Mac[ _]?OS(?: X)?|\bOS X)[ /]?(\d[\d_.]{0,11})/i],
  ['Linux', /Linux|X11|Ubuntu/, null],
];

/** The system that a user agent names, `other` where it names none; the agent's length should be bounded before. */
export function systemOf(agent: string): System {
  const found = SYSTEMS.find(([, mark]) => mark.test(agent));
  if (found === undefined) return { system: 'other', version: '' };
  const [system, , version] = found;
  const number = version?.exec(agent)?.[1]?.replaceAll('_', '.').replace(/\.+$/, '') ?? '';
  return { system, version: system === 'Windows' ? (WINDOWS_VERSIONS[number] ?? number) : number };
}

const ruleSystemsByName = new Map(SYSTEMS.map(([name]) => [name, ruleSystems.find((system) => system === name.toLowerCase()) ?? 'other']));

/** The same as rules name it. */
export const ruleSystemOf = (agent: string): RuleSystem => ruleSystemsByName.get(systemOf(agent).system) ?? 'other';

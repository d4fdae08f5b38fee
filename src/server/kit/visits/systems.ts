import { type RuleSystem, ruleSystems } from '../../../contract/codes/targeting.ts';

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
  ['Android', /Android/i, /Android[ /-]?(\d[\d.]{0,11})/i],
  ['iOS', /iPhone|iPad|iPod|\biOS \d/, /(?:\bOS|iOS|iPhone OS)[ /](\d[\d_.]{0,11})/],
  ['Windows', /Windows/, /Windows NT (\d{1,2}\.\d)/],
  ['ChromeOS', /CrOS/, null],
  ['macOS', /Macintosh|Mac OS X|Darwin/, /Mac OS X (\d[\d_.]{0,11})/],
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

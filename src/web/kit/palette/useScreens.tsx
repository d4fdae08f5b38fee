import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { screens as allScreens } from '../../../contract/permissions.ts';
import english from '../../../locales/en-US/menu.json' with { type: 'json' };
import { useSession } from '../calls/session.tsx';
import { MenuIcon } from '../shell/icons.tsx';
import { entryName, menuName, menuSections, screenOf } from '../shell/menuTree.ts';
import { pinyinOf } from './pinyin.ts';
import type { Command } from './useActs.tsx';
import { matches } from './wish.ts';

const englishNames = english as unknown as Readonly<Record<string, string>>;

/** What a screen is called besides its name in the menu: in Chinese and as Chinese is typed, in English, and by its path. */
function wordsOf(path: string, name: string): string[] {
  // Another route of the same page brings its names, too: the start page is found as "home".
  const paths = [path, ...allScreens.filter((screen) => screen.same_as === path).map((screen) => screen.path)];
  const chinese = [name, ...paths.map((one) => screenOf(one)?.name ?? '')];
  return [...chinese, ...chinese.flatMap(pinyinOf), ...paths.flatMap((one) => [englishNames[one] ?? '', one, one.replaceAll('_', ' ')])];
}

/** The better a name begins as it was typed, the further above it stands. */
function rankOf(typed: string, words: readonly string[]): number {
  const text = typed.toLowerCase().replaceAll(/\s+/g, '');
  const whole = words.map((word) => word.toLowerCase().replaceAll(/\s+/g, ''));
  if (whole.includes(text)) return 0;
  return whole.some((word) => word.startsWith(text)) ? 1 : 2;
}

/** The screens that a typed text means, the nearest first; all of them while nothing is typed. */
export function useScreens(typed: string): Command[] {
  const { t } = useTranslation();
  const { menu } = useSession();
  const navigate = useNavigate();
  return menuSections(menu)
    .flatMap((section) => section.entries.flatMap((entry) => entry.tabs.map((tab) => ({ tab, entry, section: menuName(section.item, t) }))))
    .map(({ tab, entry, section }) => {
      const name = menuName(tab.item, t);
      const around = [section, entryName(entry, t)];
      return { tab, section, name, words: wordsOf(tab.path, name), around };
    })
    .filter(({ words, around }) => matches(typed, [...words, ...around]))
    .map((found, at) => ({ ...found, rank: typed === '' ? 0 : rankOf(typed, found.words), at }))
    .sort((one, other) => one.rank - other.rank || one.at - other.at)
    .map(({ tab, section, name }) => ({
      key: tab.route,
      title: name,
      hint: section,
      icon: <MenuIcon name={tab.item.icon} />,
      run: () => void navigate(tab.route),
    }));
}

import { GlobalOutlined, HistoryOutlined, LinkOutlined, QrcodeOutlined } from '@ant-design/icons';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { codePage } from '../CodeLink.tsx';
import { api } from '../calls/api.ts';
import { useCall } from '../calls/query.ts';
import { useCodesScreen } from '../codes/codesScreen.ts';
import { hostLabel, hostName } from '../host.ts';
import { useShownPlaces } from '../menu/favourites.ts';
import { useRecent } from '../menu/visited.ts';
import { routeOf } from '../shell/menuTree.ts';
import { useDebounced } from '../useDebounced.ts';
import { type Command, useActsAlways, useActsOnFound } from './useActs.tsx';
import { useScreens } from './useScreens.tsx';
import { parseCommand } from './wish.ts';

export type { Command } from './useActs.tsx';

type CommandGroup = { key: 'recent' | 'acts' | 'codes' | 'domains' | 'screens'; commands: Command[] };

const typingMilliseconds = 150;
const shownScreens = 8;

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/);

/** What the palette offers for a typed text, and whether the server is still looking. */
export function useCommands(typed: string): { groups: CommandGroup[]; isSearching: boolean; error: Error | null } {
  const { t } = useTranslation();
  const screen = useCodesScreen();
  const navigate = useNavigate();
  const onFound = useActsOnFound();
  const always = useActsAlways();
  const wish = parseCommand(typed, {
    close: wordsOf(t('command.words_close')),
    open: wordsOf(t('command.words_open')),
    check: wordsOf(t('command.words_check')),
    around: wordsOf(t('command.words_around')),
  });
  const text = useDebounced(wish.search, typingMilliseconds);
  const { data, isFetching, error } = useCall(api.command.search, { text }, { enabled: text !== '' });
  const found = wish.search === '' ? undefined : data;
  const go = (route: string) => () => void navigate(route);

  const recent = useShownPlaces(useRecent()).map(({ path, title }) => ({
    key: `recent ${path}`,
    title,
    icon: <HistoryOutlined />,
    run: go(path),
  }));
  const screens = useScreens(typed.trim());
  const codes = (found?.codes ?? []).map((code) => ({
    key: `code ${code.id}`,
    title: code.name,
    hint: [
      code.file_name,
      code.found_alias && t('common.found_alias', { key: code.found_alias }),
      t(code.open ? 'command.is_open' : 'command.is_closed'),
    ]
      .filter(Boolean)
      .join(' · '),
    icon: <QrcodeOutlined />,
    run: go(codePage(code.id)),
  }));
  const domains = (found?.domains ?? []).flatMap((domain) => [
    {
      key: `domain ${domain.id}`,
      title: hostLabel(domain),
      hint: t(domain.enabled ? 'common.enabled' : 'common.disabled'),
      icon: <GlobalOutlined />,
      run: go(`${routeOf('domain_list')}?host=${encodeURIComponent(domain.host)}`),
    },
    ...(screen && domain.open_codes + domain.closed_codes > 0
      ? [
          {
            key: `codes of ${domain.id}`,
            title: t('command.show_codes', { host: hostName(domain) }),
            icon: <LinkOutlined />,
            run: go(`${routeOf(screen)}?${domain.type === 2 ? 'landing' : 'entry'}_domain_id=${domain.id}`),
          },
        ]
      : []),
  ]);
  const groups: CommandGroup[] = [
    { key: 'acts', commands: [...onFound(found?.domains ?? [], found?.codes ?? [], wish.act), ...always(typed.trim())] },
    { key: 'codes', commands: codes },
    { key: 'domains', commands: domains },
    { key: 'screens', commands: typed.trim() === '' ? screens.slice(0, shownScreens) : screens },
  ];
  // The acts a text asks for stand first; else what was found does.
  if (wish.act === null && typed.trim() !== '') groups.push(...groups.splice(0, 1));
  if (typed.trim() === '') groups.unshift({ key: 'recent', commands: recent });
  const isSearching = wish.search !== text || (text !== '' && isFetching);
  return { groups: groups.filter(({ commands }) => commands.length > 0), isSearching, error: isSearching ? null : error };
}

import {
  BulbOutlined,
  GlobalOutlined,
  LinkOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
  PlusOutlined,
  QrcodeOutlined,
} from '@ant-design/icons';
import { App } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { type FoundCode, type FoundDomain, maximumCounted } from '../../../contract/system/command.ts';
import { api } from '../calls/api.ts';
import { useAction, useCall } from '../calls/query.ts';
import { useSession } from '../calls/session.tsx';
import { useConfirm } from '../dialogs/confirm.tsx';
import { hostLabel, hostName } from '../host.ts';
import { chooseTheme, themeChoices } from '../look/theme.ts';
import { MenuIcon } from '../shell/icons.tsx';
import { menuName, menuSections, routeOf } from '../shell/menuTree.ts';
import { useDebounced } from '../useDebounced.ts';
import { type Act, matches, readWish } from './wish.ts';

export type Command = { key: string; title: string; hint?: string; icon: ReactNode; run: () => void };
export type CommandGroup = { key: 'acts' | 'codes' | 'domains' | 'screens'; commands: Command[] };

const typingMilliseconds = 150;
const shownScreens = 8;
const actIcons = { close: <PauseCircleOutlined />, open: <PlayCircleOutlined /> };

const wordsOf = (text: string): string[] => text.toLowerCase().split(/\s+/);

/** What the palette offers for a typed text, and whether the server is still looking. */
export function useCommands(typed: string): { groups: CommandGroup[]; isSearching: boolean; error: Error | null } {
  const { t } = useTranslation();
  const { menu, allows } = useSession();
  const navigate = useNavigate();
  const acts = useActs();
  const wish = readWish(typed, {
    close: wordsOf(t('command.words_close')),
    open: wordsOf(t('command.words_open')),
    around: wordsOf(t('command.words_around')),
  });
  const text = useDebounced(wish.search, typingMilliseconds);
  const { data, isFetching, error } = useCall(api.command.search, { text }, { enabled: text !== '' });
  const found = wish.search === '' ? undefined : data;
  const go = (route: string) => () => void navigate(route);

  const screens = menuSections(menu)
    .flatMap((section) => section.entries.map((entry) => ({ entry, section: menuName(section.item, t), name: menuName(entry.item, t) })))
    .filter(({ entry, section, name }) => matches(typed.trim(), [name, section, entry.path, entry.path.replaceAll('_', ' ')]))
    .map(({ entry, section, name }) => ({
      key: entry.route,
      title: name,
      hint: section,
      icon: <MenuIcon name={entry.item.icon} />,
      run: go(entry.route),
    }));
  const codes = (found?.codes ?? []).map((code) => ({
    key: `code ${code.id}`,
    title: code.name,
    hint: `${code.file_name} · ${t(code.open ? 'command.is_open' : 'command.is_closed')}`,
    icon: <QrcodeOutlined />,
    run:
      code.changeable && allows('set_qr_code') ? go(`${routeOf('set_qr_code')}?id=${code.id}`) : go(listOf(code, allows('qr_code_list'))),
  }));
  const domains = (found?.domains ?? []).flatMap((domain) => [
    {
      key: `domain ${domain.id}`,
      title: hostLabel(domain),
      hint: t(domain.enabled ? 'common.enabled' : 'common.disabled'),
      icon: <GlobalOutlined />,
      run: go(`${routeOf('domain_list')}?host=${encodeURIComponent(domain.host)}`),
    },
    ...(allows('qr_code_list') && domain.open_codes + domain.closed_codes > 0
      ? [
          {
            key: `codes of ${domain.id}`,
            title: t('command.show_codes', { host: hostName(domain) }),
            icon: <LinkOutlined />,
            run: go(`${routeOf('qr_code_list')}?${domain.type === 2 ? 'landing' : 'entry'}_domain_id=${domain.id}`),
          },
        ]
      : []),
  ]);
  const groups: CommandGroup[] = [
    { key: 'acts', commands: [...acts.on(found?.domains ?? [], found?.codes ?? [], wish.act), ...acts.always(typed.trim())] },
    { key: 'codes', commands: codes },
    { key: 'domains', commands: domains },
    { key: 'screens', commands: typed.trim() === '' ? screens.slice(0, shownScreens) : screens },
  ];
  // The acts a text asks for stand first; else what was found does.
  if (wish.act === null && typed.trim() !== '') groups.push(...groups.splice(0, 1));
  const isSearching = wish.search !== text || (text !== '' && isFetching);
  return { groups: groups.filter(({ commands }) => commands.length > 0), isSearching, error: isSearching ? null : error };
}

const listOf = (code: FoundCode, isOwnList: boolean): string =>
  `${routeOf(isOwnList ? 'qr_code_list' : 'qr_code_list_admin')}?search=${encodeURIComponent(code.file_name)}`;

function useActs() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const navigate = useNavigate();
  const { message } = App.useApp();
  // How many there are may have changed since they were counted for the question.
  const setOnDomain = useAction(api.qr_code_list.update_open_on_domain, {
    success: false,
    invalidates: ['command'],
    onSuccess: ({ affected }, { open }) => void message.success(t(`command.${open ? 'open' : 'close'}_all_done`, { count: affected })),
  });
  const setCodes = useAction(api.qr_code_list.update_open, { invalidates: ['command'] });
  const mayOpen = allows('qr_code_list.open') || allows('qr_code_list_admin.open');

  const onDomain = (domain: FoundDomain, act: Act): Command[] => {
    const number = act === 'close' ? domain.open_codes : domain.closed_codes;
    if (!mayOpen || number === 0) return [];
    const values = { host: hostName(domain), number: number >= maximumCounted ? `${number}+` : number };
    const run = () =>
      void confirm({
        title: t(`command.${act}_all_title`, { ...values, host: hostLabel(domain) }),
        content: `command.${act}_all_content`,
        confirm: `command.${act}`,
        danger: act === 'close',
        run: () => setOnDomain.run({ domain_id: domain.id, open: act === 'open' }),
      });
    return [{ key: `${act} on ${domain.id}`, title: t(`command.${act}_all`, values), icon: actIcons[act], run }];
  };
  const ofCode = (code: FoundCode, act: Act): Command[] => {
    if (!mayOpen || !code.changeable || code.open === (act === 'open')) return [];
    const set = () => setCodes.run({ ids: [code.id], open: act === 'open' });
    const ask = {
      title: t('command.close_code_title', { name: code.name }),
      content: 'command.close_all_content',
      confirm: 'command.close',
    };
    const run = () => void (act === 'open' ? set() : confirm({ ...ask, danger: true, run: set }));
    return [
      { key: `${act} ${code.id}`, title: t(`command.${act}_code`, { name: code.name }), hint: code.file_name, icon: actIcons[act], run },
    ];
  };

  return {
    on: (domains: readonly FoundDomain[], codes: readonly FoundCode[], wished: Act | null): Command[] =>
      (wished === null ? (['close', 'open'] as const) : [wished]).flatMap((act) => [
        ...domains.flatMap((domain) => onDomain(domain, act)),
        // Without a word that asks for it, each code would bring one more line.
        ...(wished === null ? [] : codes.flatMap((code) => ofCode(code, act))),
      ]),
    always: (typed: string): Command[] =>
      [
        ...(allows('qr_code_list.add')
          ? [{ key: 'new code', title: t('command.new_code'), icon: <PlusOutlined />, run: () => void navigate(routeOf('set_qr_code')) }]
          : []),
        ...themeChoices.map((theme) => ({
          key: `theme ${theme}`,
          title: t('command.theme', { theme: t(`common.theme.${theme}`) }),
          icon: <BulbOutlined />,
          run: () => chooseTheme(theme),
        })),
      ].filter(({ title, key }) => typed !== '' && matches(typed, [title, key])),
  };
}

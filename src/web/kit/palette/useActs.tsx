import {
  BulbOutlined,
  DownloadOutlined,
  GlobalOutlined,
  LogoutOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
  PlusOutlined,
  SafetyOutlined,
} from '@ant-design/icons';
import { App } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { NodeKey } from '../../../contract/permissions.ts';
import { type FoundCode, type FoundDomain, maxCounted } from '../../../contract/system/command.ts';
import { api } from '../calls/api.ts';
import { useAction } from '../calls/query.ts';
import { useSession } from '../calls/session.tsx';
import { monitorCalls, monitorRoute, useMonitorScreen } from '../detection/monitorScreen.ts';
import { useConfirm } from '../dialogs/confirm.tsx';
import { hostLabel, hostName } from '../host.ts';
import { chooseTheme, readThemeChoice, themeChoices } from '../look/theme.ts';
import { newThings } from '../menu/newThings.ts';
import { useLogOut } from '../shell/useLogOut.ts';
import { useSite } from '../site.tsx';
import { chooseLanguage, currentLanguage } from '../texts/i18n.ts';
import { useUndo } from '../undo/useUndo.tsx';
import { actWords, newWords } from './actWords.ts';
import { pinyinOf } from './pinyin.ts';
import { type Act, matches } from './wish.ts';

export type Command = { key: string; title: string; hint?: string; icon: ReactNode; run: () => void };
/** An act that is offered by its words alone. */
type WordedCommand = Command & { words: string };

type OpenAct = Exclude<Act, 'check'>;

const actIcons = { close: <PauseCircleOutlined />, open: <PlayCircleOutlined /> };

/** Lists whose export the palette starts. */
const exports = [
  { node: 'qr_code_list.export', label: 'menu.qr_code_list', route: '/customer/qr_code_list' },
  { node: 'qr_code_list_admin.export', label: 'menu.qr_code_list_admin', route: '/customer/qr_code_list_admin' },
  { node: 'log.export', label: 'menu.log', route: '/system/log' },
] as const satisfies readonly { node: NodeKey; label: string; route: string }[];

/** Asks at once whether messengers block a domain that was found, and shows its checks. */
function useCheckOf(): (domain: FoundDomain) => Command[] {
  const { t } = useTranslation();
  const { allows } = useSession();
  const navigate = useNavigate();
  const screen = useMonitorScreen();
  const check = useAction(monitorCalls(screen ?? 'domain_monitor').check, { success: false });
  return (domain) => {
    const { id, monitor_id } = domain;
    if (!screen || monitor_id === null || !allows(`${screen}.check`)) return [];
    const run = async () => {
      if (await check.run({ ids: [monitor_id] })) void navigate(monitorRoute(screen, monitor_id));
    };
    return [{ key: `check ${id}`, title: t('command.check', { host: hostName(domain) }), icon: <SafetyOutlined />, run: () => void run() }];
  };
}

/** Opening, closing and checking what a text found. */
export function useActsOnFound(): (domains: readonly FoundDomain[], codes: readonly FoundCode[], wished: Act | null) => Command[] {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const undo = useUndo();
  const checkOf = useCheckOf();
  // How many there are may have changed since they were counted for the question.
  const setOnDomain = useAction(api.qr_code_list.update_open_on_domain, {
    success: false,
    invalidates: ['command'],
    onSuccess: ({ affected, change_id }, { open }) =>
      undo.offer(t(`command.${open ? 'open' : 'close'}_all_done`, { count: affected }), change_id),
  });
  const setCodes = useAction(api.qr_code_list.update_open, { success: false, invalidates: ['command'] });
  const mayOpen = allows('qr_code_list.open') || allows('qr_code_list_admin.open');

  const onDomain = (domain: FoundDomain, act: OpenAct): Command[] => {
    const number = act === 'close' ? domain.open_codes : domain.closed_codes;
    if (!mayOpen || number === 0) return [];
    const values = { host: hostName(domain), number: number >= maxCounted ? `${number}+` : number };
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
  const ofCode = (code: FoundCode, act: OpenAct): Command[] => {
    if (!mayOpen || !code.changeable || code.open === (act === 'open')) return [];
    async function set() {
      const done = await setCodes.run({ ids: [code.id], open: act === 'open' });
      if (done) undo.offer(t(`command.${act}_code_done`, { name: code.name }), done.change_id);
      return done;
    }
    const ask = {
      title: t('command.close_code_title', { name: code.name }),
      content: 'qr_code_list.close.content',
      confirm: 'common.close',
    };
    const run = () => void (act === 'open' ? set() : confirm({ ...ask, danger: true, run: set }));
    return [
      { key: `${act} ${code.id}`, title: t(`command.${act}_code`, { name: code.name }), hint: code.file_name, icon: actIcons[act], run },
    ];
  };
  return (domains, codes, wished) =>
    (wished === null ? (['close', 'open', 'check'] as const) : [wished]).flatMap((act) =>
      act === 'check'
        ? domains.flatMap(checkOf)
        : [
            ...domains.flatMap((domain) => onDomain(domain, act)),
            // Without a word that asks for it, each code would bring one more line.
            ...(wished === null ? [] : codes.flatMap((code) => ofCode(code, act))),
          ],
    );
}

/** What can be done whatever is found: making, importing, exporting, the look, the language, the way out. */
export function useActsAlways(): (typed: string) => Command[] {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { languages } = useSite();
  const { message } = App.useApp();
  const navigate = useNavigate();
  const logOut = useLogOut();

  function setTheme(theme: (typeof themeChoices)[number]) {
    const former = readThemeChoice();
    chooseTheme(theme);
    if (former !== theme) void message.success(t('command.theme', { theme: t(`common.theme.${theme}`) }));
  }
  const acts: WordedCommand[] = [
    ...newThings
      .filter(({ node }) => allows(node))
      .map(({ node, label, route }) => ({
        key: `new ${node}`,
        title: t(label),
        icon: <PlusOutlined />,
        words: newWords[node] ?? '',
        run: () => void navigate(route),
      })),
    ...exports
      .filter(({ node }) => allows(node))
      .map(({ node, label, route }) => ({
        key: node,
        title: t('command.export', { name: t(label) }),
        icon: <DownloadOutlined />,
        words: actWords.export,
        run: () => void navigate(`${route}?act=export`),
      })),
    ...themeChoices.map((theme) => ({
      key: `theme ${theme}`,
      title: t('command.theme', { theme: t(`common.theme.${theme}`) }),
      icon: <BulbOutlined />,
      words: `${actWords.theme} ${theme}`,
      run: () => setTheme(theme),
    })),
    ...languages
      .filter(({ code }) => code !== currentLanguage())
      .map(({ code, title }) => ({
        key: `language ${code}`,
        title: t('command.language', { language: title }),
        icon: <GlobalOutlined />,
        words: `${actWords.language} ${code}`,
        run: () => void chooseLanguage(code),
      })),
    { key: 'log out', title: t('common.shell.log_out'), icon: <LogoutOutlined />, words: actWords.log_out, run: () => void logOut() },
  ];
  return (typed) =>
    typed === '' ? [] : acts.filter(({ title, words }) => matches(typed, [title, ...words.split(' '), ...pinyinOf(title)]));
}

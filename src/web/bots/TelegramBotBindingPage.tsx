import { Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BoundChat, chatKinds, type OfferedBot } from '../../contract/detection/telegram-bot-binding.ts';
import { accountOptions } from '../kit/accounts.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { AddButton, useRowsAction } from '../kit/dialogs/removal.tsx';
import { Status } from '../kit/feedback.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { remoteOptions } from '../kit/options.ts';
import { useFormat } from '../kit/texts/format.ts';
import { useChatTest } from './useChatTest.ts';

const BindDialog = lazy(async () => ({ default: (await import('./BindDialog.tsx')).BindDialog }));
const BotsDrawer = lazy(async () => ({ default: (await import('./BotsDrawer.tsx')).BotsDrawer }));

const stateOf = ({ bot_enabled, muted_until }: BoundChat) => (!bot_enabled ? 'bot_off' : muted_until ? 'muted' : 'bound');
const stateKinds = { bound: 'success', muted: 'warning', bot_off: 'neutral' } as const;
const stateLabel = (row: BoundChat): string => `telegram_bot_binding.state_${stateOf(row)}`;
const kindLabel = (kind: BoundChat['kind']): string => `telegram_bot_binding.kind_${kind}`;

/** A chat that is muted says until when. */
function ChatState({ row }: { row: BoundChat }) {
  const { t } = useTranslation();
  const format = useFormat();
  const help = row.muted_until && t('telegram_bot_binding.muted_help', { time: format.time(row.muted_until) });
  return <Status kind={stateKinds[stateOf(row)]} label={stateLabel(row)} {...(help && row.bot_enabled ? { help } : {})} />;
}

const columns = columnsOf(api.telegram_bot_binding.inquire, [
  { key: 'nickname', kind: 'name', width: 140, render: ({ nickname, chat_id }) => nickname || chat_id },
  { key: 'state', width: 95, card: 'aside', exportValue: stateLabel, render: (row) => <ChatState row={row} /> },
  { key: 'username', width: 115, render: ({ username }) => (username ? `@${username}` : null) },
  { key: 'language', width: 80 },
  { key: 'platform_account', width: 105, card: 'field', node: 'user_list' },
  { key: 'platform_nickname', width: 115, node: 'user_list' },
  { key: 'chat_id', kind: 'copy', width: 165 },
  { key: 'bound_at', kind: 'time', width: 105, card: 'field' },
  { key: 'kind', kind: 'label', width: 100, label: (row) => kindLabel(row.kind), card: 'field', hiddenByDefault: true },
  { key: 'bot_username', width: 170, render: ({ bot_username }) => `@${bot_username}`, hiddenByDefault: true },
]);

const botOptions = remoteOptions(
  api.telegram_bot_binding.bots,
  () => ({}),
  ({ id, username }) => ({ value: id, label: `@${username}` }),
);

const filters: Filter<'search' | 'kind' | 'bot_id' | 'user_id'>[] = [
  { kind: 'text', key: 'search', label: 'telegram_bot_binding.search' },
  {
    kind: 'select',
    key: 'kind',
    label: 'telegram_bot_binding.kind',
    options: chatKinds.map((value) => ({ value, label: kindLabel(value) })),
  },
  { kind: 'remote', key: 'bot_id', label: 'telegram_bot_binding.bot_username', source: botOptions },
  { kind: 'remote', key: 'user_id', label: 'common.field.user', source: accountOptions, node: 'user_list' },
];

/** What an empty list says: bind a chat, or first get a bot. */
function useEmpty(bots: readonly OfferedBot[] | undefined, actions: { bind: React.ReactNode; manage: React.ReactNode }) {
  const { allows } = useSession();
  if (bots?.length !== 0) return { title: 'telegram_bot_binding.empty', help: 'telegram_bot_binding.empty_help', action: actions.bind };
  const isManager = allows('telegram_bot_binding.bots');
  return {
    title: 'telegram_bot_binding.empty_no_bot',
    help: isManager ? 'telegram_bot_binding.empty_add_bot_help' : 'telegram_bot_binding.empty_no_bot_help',
    ...(isManager ? { action: actions.manage } : {}),
  };
}

/** Chats of Telegram that hear of what happens and ask for it: bind one, try it, let it go. */
export function TelegramBotBindingPage() {
  const { t } = useTranslation();
  const bots = useCall(api.telegram_bot_binding.bots, {}).data?.content;
  const [opened, setOpened] = useState<'bind' | 'bots' | null>(null);
  const { test } = useChatTest();
  const unbinding = useRowsAction<BoundChat, unknown>(api.telegram_bot_binding.unbind, {
    key: 'unbind',
    label: 'telegram_bot_binding.unbind',
    node: 'telegram_bot_binding.unbind',
    danger: true,
    title: 'telegram_bot_binding.unbind_title',
    many: 'telegram_bot_binding.unbind_many',
    content: 'telegram_bot_binding.unbind_content',
    name: ({ nickname, chat_id }) => ({ name: nickname || chat_id }),
  });

  const hasBots = bots !== undefined && bots.length > 0;
  const bind = <AddButton node="telegram_bot_binding.bind" label="telegram_bot_binding.bind" onClick={() => setOpened('bind')} />;
  const manage = (
    <Allowed node="telegram_bot_binding.bots">
      <Button type={bots?.length === 0 ? 'primary' : 'default'} onClick={() => setOpened('bots')}>
        {t('telegram_bot_binding.bots')}
      </Button>
    </Allowed>
  );
  const empty = useEmpty(bots, { bind, manage });
  return (
    <>
      <ListPage
        title="menu.telegram_bot_binding"
        help={t('telegram_bot_binding.help')}
        list={api.telegram_bot_binding.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'bound_at', order: 'desc' }}
        exportName="menu.telegram_bot_binding"
        actions={
          <>
            {manage}
            {hasBots && bind}
          </>
        }
        empty={empty}
        rowActions={[
          {
            key: 'test',
            label: 'telegram_bot_binding.test',
            node: 'telegram_bot_binding.test',
            visible: ({ bot_enabled }) => bot_enabled,
            onClick: (row) => void test(row),
          },
          unbinding.row,
        ]}
        batchActions={[unbinding.batch]}
      />
      <Suspense>
        {opened === 'bind' && hasBots && <BindDialog bots={bots} onClose={() => setOpened(null)} />}
        {opened === 'bots' && <BotsDrawer onClose={() => setOpened(null)} />}
      </Suspense>
    </>
  );
}

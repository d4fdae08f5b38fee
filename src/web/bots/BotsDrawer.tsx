import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type BotMode, botModes, type TelegramBot } from '../../contract/detection/telegram-bot.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { AddButton, useRemoval } from '../kit/dialogs/removal.tsx';
import { Status } from '../kit/feedback.ts';
import { type Filter, ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import './bots.css';

const node = 'telegram_bot_binding.bots';
const invalidates = ['telegram_bot_binding'] as const;
const stateKinds = { running: 'success', starting: 'info', failing: 'error', off: 'neutral' } as const;
const modeLabel = (mode: BotMode): string => `telegram_bot.mode_${mode}`;

/** The state in a word, and Telegram's own words where something is wrong. */
function BotStatus({ bot }: { bot: TelegramBot }) {
  return (
    <>
      <Status kind={stateKinds[bot.state]} label={`telegram_bot.state_${bot.state}`} />
      {bot.state === 'failing' && <span className="lc-bot-fault">{bot.last_error}</span>}
    </>
  );
}

const columns = columnsOf(api.telegram_bot.inquire, [
  { key: 'name', kind: 'name', width: 200, render: ({ name, username }) => `${name} @${username}` },
  {
    key: 'state',
    width: 260,
    title: 'common.field.state',
    card: 'field',
    exportValue: (row) => `telegram_bot.state_${row.state}`,
    render: (row) => <BotStatus bot={row} />,
  },
  { key: 'mode', kind: 'label', label: (row) => modeLabel(row.mode), card: 'field' },
  { key: 'chats', kind: 'number', width: 90 },
  { key: 'last_update_at', kind: 'time', card: 'field' },
  { key: 'remark' },
  { key: 'created_at', kind: 'time', hiddenByDefault: true },
]);

const filters: Filter<'search'>[] = [{ kind: 'text', key: 'search', label: 'telegram_bot.search' }];

const fieldsOf = (edited: TelegramBot | undefined): FieldData[] => [
  {
    kind: 'password',
    name: 'token',
    label: 'telegram_bot.token',
    help: edited ? 'telegram_bot.token_kept' : 'telegram_bot.token_help',
    ...(edited ? { required: false } : {}),
  },
  { kind: 'text', name: 'remark', label: 'common.field.remark' },
  {
    kind: 'radio',
    name: 'mode',
    label: 'telegram_bot.mode',
    options: botModes.map((value) => ({ value, label: modeLabel(value), help: `${modeLabel(value)}_help` })),
  },
  {
    kind: 'text',
    name: 'webhook_base',
    label: 'telegram_bot.webhook_base',
    help: 'telegram_bot.webhook_base_help',
    placeholder: 'https://office.example.com',
    code: true,
    visible: ({ mode }) => mode === 'webhook',
  },
  { kind: 'switch', name: 'enabled', label: 'common.field.switched_on' },
];

const withoutNulls = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

function BotForm({ edited, onClose }: { edited: TelegramBot | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const shared = { fields: fieldsOf(edited), invalidates, onClose };
  if (!edited)
    return (
      <FormModal
        {...shared}
        action={api.telegram_bot.add}
        title="telegram_bot.add"
        submit="telegram_bot.add"
        initial={{ mode: 'polling', enabled: true }}
        toInput={withoutNulls as never}
      />
    );
  const { id, username, mode, webhook_base, enabled, remark } = edited;
  return (
    <FormModal
      {...shared}
      action={api.telegram_bot.update}
      title={t('telegram_bot.update_title', { username })}
      name={`@${username}`}
      submit="common.save"
      initial={{ mode, webhook_base, enabled, remark }}
      toInput={(values: Record<string, unknown>) => ({ remark: '', ...withoutNulls(values), id })}
    />
  );
}

/** What is done to one bot besides being edited. */
function useBotActs() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const test = useAction(api.telegram_bot.test, { success: false });
  const update = useAction(api.telegram_bot.update, { invalidates });
  const remove = useAction(api.telegram_bot.remove, { invalidates });
  return {
    setEnabled: ({ id, username, enabled }: TelegramBot) =>
      update.run({ id, enabled: !enabled }, { name: `@${username}`, undo: { id, enabled } }),
    async test({ id }: TelegramBot) {
      const found = await test.run({ id });
      if (found) void message.success(t('telegram_bot.test_passed', { username: found.username, milliseconds: found.duration_ms }));
    },
    remove: ({ id, username, chats }: TelegramBot) =>
      confirm({
        title: t('telegram_bot.remove_title', { username }),
        content: chats > 0 ? t('telegram_bot.remove_chats', { chats }) : 'common.crud.remove_content',
        confirm: 'common.remove',
        danger: true,
        run: () => remove.run({ ids: [id] }, { name: `@${username}` }),
      }),
  };
}

/** The site's bots: register one by its token, see whether it works. */
export function BotsDrawer({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [edited, setEdited] = useState<TelegramBot | 'new' | null>(null);
  const acts = useBotActs();
  const removal = useRemoval<TelegramBot, unknown>(api.telegram_bot.remove, {
    node,
    title: 'telegram_bot.remove_title',
    many: 'telegram_bot.remove_many',
    content: 'telegram_bot.remove_content',
    name: ({ username }) => ({ username }),
    invalidates,
  });
  const addButton = <AddButton node={node} label="telegram_bot.add" onClick={() => setEdited('new')} />;
  return (
    <Drawer open title={t('telegram_bot.title')} size={1080} onClose={onClose} extra={addButton}>
      <p className="lc-bots-help">{t('telegram_bot.help')}</p>
      <ListTable
        list={api.telegram_bot.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'id', order: 'asc' }}
        pollSeconds={5}
        empty={{ title: 'telegram_bot.empty', help: 'telegram_bot_binding.empty_add_bot_help', action: addButton }}
        rowActions={[
          { key: 'test', label: 'telegram_bot.test', node, onClick: (row) => void acts.test(row) },
          { key: 'update', label: 'common.edit', node, onClick: setEdited },
          {
            key: 'enabled',
            label: (row) => (row.enabled ? 'common.disable' : 'common.enable'),
            node,
            onClick: (row) => void acts.setEnabled(row),
          },
          { key: 'remove', label: 'common.remove', node, danger: true, onClick: (row) => void acts.remove(row) },
        ]}
        batchActions={[removal.batch]}
      />
      {edited && <BotForm edited={edited === 'new' ? undefined : edited} onClose={() => setEdited(null)} />}
    </Drawer>
  );
}

import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { BoundChat } from '../../contract/detection/telegram-bot-binding.ts';
import { api } from '../kit/calls/api.ts';
import { queryClient, useAction } from '../kit/calls/query.ts';

/** Sends a test message and says to whom. */
export function useChatTest(): { test: (chat: BoundChat) => Promise<void>; isRunning: boolean } {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const action = useAction(api.telegram_bot_binding.test, {
    success: false,
    onFailure() {
      // A chat that the bot can write to no more was unbound by this.
      void queryClient.invalidateQueries({ queryKey: ['telegram_bot_binding', 'inquire'] });
      return false;
    },
  });
  async function test({ id, nickname, chat_id }: BoundChat) {
    if (await action.run({ id })) void message.success(t('telegram_bot_binding.test_sent', { name: nickname || chat_id }));
  }
  return { test, isRunning: action.isRunning };
}

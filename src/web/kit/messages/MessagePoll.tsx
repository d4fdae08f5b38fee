import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReceivedMessage } from '../../../contract/content/message-list.ts';
import type { Page } from '../../../contract/kit/page.ts';
import { api } from '../calls/api.ts';
import { unviewedKey, useUnviewed } from './useUnviewed.ts';

/** A toast for each kind of message: its colour and sign say which it is. */
const toasts = { info: 'info', reminder: 'warning', alert: 'error' } as const;

/** Shows each unviewed message as a toast that stays, centred, until it is closed, and marks it as viewed. */
export function MessagePoll() {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const client = useQueryClient();
  const { data, dataUpdatedAt } = useUnviewed();
  const shown = useRef(new Set<number>());

  async function markViewed(id: number) {
    await api.message_list.update_status({ id });
    // The next poll brings the next message; the lists that are open show this one as viewed at once.
    client.setQueryData<Page<ReceivedMessage>>(
      unviewedKey,
      (held) => held && { ...held, content: held.content.filter((message) => message.id !== id), total: Math.max(0, held.total - 1) },
    );
    const isPoll = (key: readonly unknown[]) => JSON.stringify(key) === JSON.stringify(unviewedKey);
    void client.invalidateQueries({ queryKey: ['message_list'], predicate: (query) => !isPoll(query.queryKey) });
  }

  const show = useEffectEvent((message: ReceivedMessage) => {
    if (!shown.current.has(message.id)) {
      shown.current.add(message.id);
      notification[toasts[message.kind]]({
        key: `site_message_${message.id}`,
        placement: 'top',
        duration: false,
        title: message.title,
        description: <div className="lc-message-text">{message.content}</div>,
        className: 'lc-message-toast',
        closable: { 'aria-label': t('message_list.own.close') },
      });
    }
    // A mark that got lost is set with the next poll, which brings the same message again.
    markViewed(message.id).catch(() => {});
  });
  useEffect(() => {
    const first = data?.content[0];
    if (first && dataUpdatedAt > 0) show(first);
  }, [data, dataUpdatedAt]);
  return null;
}

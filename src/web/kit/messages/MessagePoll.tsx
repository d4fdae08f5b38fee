import { useQueryClient } from '@tanstack/react-query';
import { App, Button } from 'antd';
import { type ComponentProps, useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { ReceivedMessage } from '../../../contract/content/message-list.ts';
import type { Page } from '../../../contract/kit/page.ts';
import { api } from '../calls/api.ts';
import { useSession } from '../calls/session.tsx';
import { MessageText } from './MessageText.tsx';
import { routeOf } from './places.ts';
import { onSeen, tellSeen } from './seen.ts';
import { useSeePushes } from './seePushes.ts';
import { unviewedKey, useUnviewed } from './useUnviewed.ts';

const keyOf = (id: number) => `site_message_${id}`;

/** Marks a shown message as viewed; the next poll brings the next one, and the lists that are open show this one as viewed at once. */
function useMarkViewed() {
  const client = useQueryClient();
  return async (id: number): Promise<void> => {
    await api.message_list.update_status({ id });
    client.setQueryData<Page<ReceivedMessage>>(
      unviewedKey,
      (held) => held && { ...held, content: held.content.filter((message) => message.id !== id), total: Math.max(0, held.total - 1) },
    );
    const isPoll = (key: readonly unknown[]) => JSON.stringify(key) === JSON.stringify(unviewedKey);
    void client.invalidateQueries({ queryKey: ['message_list'], predicate: (query) => !isPoll(query.queryKey) });
  };
}

/** The words of a toast, which tell the page how much room the whole takes. */
function ToastText(props: ComponentProps<typeof MessageText>) {
  const inside = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const toast = inside.current?.closest<HTMLElement>('.lc-message-toast');
    if (!toast) return;
    const observer = new ResizeObserver(() => document.documentElement.style.setProperty('--lc-toast', `${toast.offsetHeight}px`));
    observer.observe(toast);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={inside}>
      <MessageText {...props} />
    </div>
  );
}

/**
 * Shows the first unviewed message, whatever its kind, as an error toast that stays, centred, until it is closed, and marks it as viewed;
 * the next one follows it. It lies below dialogs, and goes when it was closed in another tab or the list of messages was opened.
 */
export function MessagePoll() {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const { allows } = useSession();
  const navigate = useNavigate();
  const client = useQueryClient();
  const markViewed = useMarkViewed();
  const seePushes = useSeePushes();
  const { data, dataUpdatedAt } = useUnviewed();
  const shown = useRef<number | null>(null);

  const show = useEffectEvent((message: ReceivedMessage) => {
    if (shown.current !== null && shown.current !== message.id) return;
    if (shown.current === null) {
      shown.current = message.id;
      const route = routeOf(message, allows);
      const see = () => {
        tellSeen(message.id);
        seePushes([message.id]);
      };
      const follow = async (to: string) => {
        see();
        await navigate(to);
      };
      notification.error({
        key: keyOf(message.id),
        placement: 'top',
        duration: false,
        title: message.title,
        description: <ToastText text={message.content} onFollow={see} />,
        actions: route && <Button onClick={() => void follow(route)}>{t('message_list.own.follow')}</Button>,
        className: 'lc-message-toast',
        closable: { 'aria-label': t('message_list.own.close') },
        onClose: see,
      });
    }
    // A mark that got lost is set with the next poll, which brings the same message again.
    markViewed(message.id).catch(() => {});
  });
  useEffect(() => {
    const first = data?.content[0];
    if (first && dataUpdatedAt > 0) show(first);
  }, [data, dataUpdatedAt]);

  const settle = useEffectEvent((seen: number | 'all') => {
    const { current } = shown;
    if (current === null || (seen !== 'all' && seen !== current)) return;
    shown.current = null;
    notification.destroy(keyOf(current));
    void client.invalidateQueries({ queryKey: unviewedKey });
  });
  useEffect(() => onSeen((seen) => settle(seen)), []);
  return null;
}

import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { blockCheck } from '../../../contract/detection/wx-shield-detection.ts';
import type { Language } from '../../../contract/enums.ts';
import { type SocketMessage, socketProtocol, socketTypes } from '../../../contract/socket.ts';
import { operationProgress } from '../../../contract/system/async-operations.ts';
import { readTokenState, subscribeToToken } from '../calls/request.ts';
import { useSite } from '../site.tsx';
import { isWatched, setSocketOpen, subscribeToWatched, tellOfNewerFigures } from './liveFigures.ts';
import { showBlockCheck, showProgress, showStatuses } from './pushed.ts';
import type { RealTimeSocket } from './socket.ts';

const ownAddress = () => `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}${socketProtocol.path}`;

/**
 * Keeps the real-time socket open while a user is logged in. Its code is loaded when it is needed; where it cannot be had, polling
 * does what it would have done.
 */
export function useSocket(): void {
  const { t, i18n } = useTranslation();
  const { message: toast } = App.useApp();
  const client = useQueryClient();
  const { socket_url, socket_public_key } = useSite();
  const { token } = useSyncExternalStore(subscribeToToken, readTokenState);
  const locale: Language = i18n.language;

  const receive = useEffectEvent((message: SocketMessage) => {
    if (!message.status && message.message) void toast.error(message.message);
    else if (message.content === null && message.message) void toast.success(message.message);
    switch (message.type) {
      case socketTypes.reload:
        return window.location.reload();
      case socketTypes.close:
        // The session may be over: asking for its user finds out, and leads to the login.
        return void client.invalidateQueries({ queryKey: ['admin'] });
      case socketTypes.site:
        return void client.invalidateQueries({ queryKey: ['website'] });
      case socketTypes.site_message:
        // The poll shows it, and marks it as viewed.
        return void client.invalidateQueries({ queryKey: ['message_list'] });
      case socketTypes.languages:
        // Which languages there are, and which version of their texts, stands in the website info.
        return void client.invalidateQueries({ queryKey: ['website'] });
      case socketTypes.order:
        for (const group of ['buy_vip_combo', 'user_order', 'order_payment', 'bill', 'home'])
          void client.invalidateQueries({ queryKey: [group] });
        return;
      case socketTypes.withdrawal:
        for (const group of ['acting_withdrawal_list', 'bill', 'home']) void client.invalidateQueries({ queryKey: [group] });
        return;
      case socketTypes.deposit:
        for (const group of ['balance_recharge', 'order_payment', 'buy_vip_combo']) void client.invalidateQueries({ queryKey: [group] });
        return;
      case socketTypes.script_run:
        for (const action of ['run_details', 'output']) void client.invalidateQueries({ queryKey: ['script', action] });
        return;
      case socketTypes.statistics:
        return tellOfNewerFigures();
      case socketTypes.operation: {
        const progress = operationProgress.safeParse(message.content);
        if (progress.success) showProgress(client, progress.data);
        return;
      }
      case socketTypes.domain_status:
        return showStatuses(client);
      case socketTypes.block_check: {
        const check = blockCheck.safeParse(message.content);
        if (check.success) showBlockCheck(client, check.data);
      }
    }
  });
  const follow = useEffectEvent((isOpen: boolean) => {
    setSocketOpen(isOpen);
    // What was pushed while there was no connection was missed, and so was what came between the first question and the first one.
    if (isOpen) void client.invalidateQueries({ queryKey: ['website'] });
  });
  const sayUnsupported = useEffectEvent(() => void toast.error(t('socket.unsupported')));

  useEffect(() => {
    if (token === null || socket_public_key === '') return;
    if (typeof WebSocket === 'undefined') return sayUnsupported();
    let isCurrent = true;
    let socket: RealTimeSocket | undefined;
    const url = socket_url || ownAddress();
    const followWatchers = () => socket?.watchStatistics(isWatched());
    const forget = subscribeToWatched(followWatchers);
    import('./socket.ts')
      .then(({ openSocket }) => {
        if (!isCurrent) return;
        socket = openSocket({ url, serverKey: socket_public_key, token, locale, onMessage: receive, onState: follow });
        followWatchers();
      })
      // Without it the page polls.
      .catch(() => {});
    return () => {
      isCurrent = false;
      forget();
      socket?.close();
      setSocketOpen(false);
    };
  }, [token, locale, socket_url, socket_public_key]);
}

/** Stands once above all screens. */
export function RealTime(): null {
  useSocket();
  return null;
}

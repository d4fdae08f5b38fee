import { connect, createServer } from 'node:net';
import { type SocketMessage, socketProtocol, socketTypes } from '../../../contract/socket.ts';
import { openSocket } from '../../../web/kit/socket/socket.ts';
import { until } from '../../kit/until.ts';
import { ask } from './together.ts';

/** What became of a page's socket while its hosts were killed and restarted. */
export interface PageSocket {
  /** How often its connection ended, and how often it stood again. */
  lost: number;
  back: number;
  /** Whether the page heard at the end of what another host did. */
  heard: boolean;
}

/** Node's WebSocket takes headers, which the browser's type does not know. */
const NodeSocket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket;
/** The page's pauses grow to half a minute. */
const maxReturnMilliseconds = 60_000;

/** Leads each connection to the first of these ports that takes it, as a proxy with a host in reserve does. */
async function openProxy(ports: readonly number[]) {
  const open = new Set<{ destroy: () => void }>();
  const server = createServer({ allowHalfOpen: false }, (caller) => {
    open.add(caller);
    const tryFrom = (index: number): void => {
      const port = ports[index];
      if (port === undefined || caller.destroyed) return void caller.destroy();
      const host = connect(port, '127.0.0.1');
      const goOn = () => tryFrom(index + 1);
      host.once('error', goOn);
      host.once('connect', () => {
        host.off('error', goOn).on('error', () => caller.destroy());
        caller.pipe(host).pipe(caller);
        host.once('close', () => caller.destroy());
        caller.once('close', () => host.destroy());
      });
    };
    caller.on('error', () => {});
    tryFrom(0);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    close: () => {
      for (const caller of open) caller.destroy();
      server.close();
    },
  };
}

/** Opens the back office's own socket at web hosts, as the administrator's page does, and holds it. */
export async function openPageSocket(ports: readonly number[], password: string) {
  const proxy = await openProxy(ports);
  const origin = `http://127.0.0.1:${proxy.port}`;
  const { token } = (await ask<{ token: string }>(proxy.port, 'admin/login', { account: 'admin', password })).answer;
  const site = (await ask<{ socket_public_key: string }>(proxy.port, 'website/info', {})).answer;
  const messages: SocketMessage[] = [];
  let [stood, lost, isOpen] = [0, 0, false];
  const socket = openSocket({
    url: `${origin.replace('http', 'ws')}${socketProtocol.path}`,
    serverKey: site.socket_public_key,
    token,
    locale: 'zh-CN',
    onMessage: (message) => messages.push(message),
    onState(state) {
      if (state) stood += 1;
      else if (isOpen) lost += 1;
      isOpen = state;
    },
    connect: (url) => new NodeSocket(url, { headers: { origin } }),
  });
  await until(() => isOpen, maxReturnMilliseconds);
  return {
    /** Waits until it stands, forgets what it heard, and tells what became of it when `act` was heard of. */
    async endAfter(act: () => Promise<unknown>): Promise<PageSocket> {
      await until(() => isOpen, maxReturnMilliseconds);
      messages.length = 0;
      await act();
      const heard = () => messages.some(({ type }) => type === socketTypes.operation);
      await until(heard, maxReturnMilliseconds);
      return { lost, back: stood - 1, heard: heard() };
    },
    close() {
      socket.close();
      proxy.close();
    },
  };
}

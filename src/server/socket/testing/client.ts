import type { SocketMessage } from '../../../contract/socket.ts';
import { until } from '../../kit/until.ts';
import { createCaller } from '../socket.crypto.ts';

export type TestClient = {
  /** What the server sent after its first frame, opened. */
  messages: SocketMessage[];
  /** The code the socket was closed with; undefined while it is open. */
  closed: () => { code: number; reason: string } | undefined;
  send: (message: unknown) => void;
  /** Sends bytes as they are, in place of a frame. */
  sendRaw: (data: Uint8Array | string) => void;
  /** The last message of a type; fails when none comes within the time. */
  received: (type: number, milliseconds?: number) => Promise<SocketMessage>;
  untilClosed: (milliseconds?: number) => Promise<{ code: number; reason: string }>;
  close: () => void;
};

type Options = {
  url: string;
  publicKey: string;
  token: string;
  locale?: string;
  origin?: string | undefined;
  login?: (frame: Uint8Array) => Uint8Array;
};

/** Node's WebSocket takes headers, which the browser's type does not know. */
const NodeSocket = WebSocket as unknown as new (url: string, options: { headers: Record<string, string> }) => WebSocket;

/** Opens a socket without saying anything. Resolves when it is open or was refused. */
export async function openRaw(
  url: string,
  origin: string | undefined,
): Promise<{ socket: WebSocket; isOpen: boolean; frames: Uint8Array[] }> {
  const socket = new NodeSocket(url, { headers: origin ? { origin } : {} });
  socket.binaryType = 'arraybuffer';
  const frames: Uint8Array[] = [];
  socket.addEventListener('message', ({ data }) => frames.push(new Uint8Array(data)));
  const isOpen = await new Promise<boolean>((resolve) => {
    socket.addEventListener('open', () => resolve(true));
    socket.addEventListener('error', () => resolve(false));
  });
  return { socket, isOpen, frames };
}

/** Speaks the real protocol as a browser does: opens, logs in, and opens everything that comes. */
export async function connect({ url, publicKey, token, locale = 'zh-CN', origin, login = (frame) => frame }: Options): Promise<TestClient> {
  const { socket, isOpen, frames } = await openRaw(url, origin);
  if (!isOpen) throw new Error('the socket was refused');
  let closed: { code: number; reason: string } | undefined;
  socket.addEventListener('close', ({ code, reason }) => {
    closed = { code, reason };
  });
  const caller = createCaller(Buffer.from(publicKey, 'base64url'));
  socket.send(login(caller.loginFrame({ token, locale })) as Uint8Array<ArrayBuffer>);
  await until(() => frames.length > 0 || closed !== undefined, 10_000);
  const [first] = frames.splice(0, 1);
  const messages: SocketMessage[] = [];
  const connected = first && caller.connect(first);
  const take = () => {
    for (const frame of frames.splice(0)) messages.push(connected?.channel.open(frame) as SocketMessage);
  };
  const sendRaw = (data: Uint8Array | string) => socket.send(data as string);
  return {
    messages,
    closed: () => closed,
    send: (message) => sendRaw(connected?.channel.seal(message) ?? ''),
    sendRaw,
    async received(type, milliseconds = 15_000) {
      let found: SocketMessage | undefined;
      await until(() => {
        take();
        found = messages.findLast((message) => message.type === type);
        return found !== undefined;
      }, milliseconds);
      if (!found) throw new Error(`no message of type ${type} came, but ${JSON.stringify(messages)}`);
      return found;
    },
    async untilClosed(milliseconds = 15_000) {
      await until(() => closed !== undefined, milliseconds);
      take();
      if (!closed) throw new Error('the socket was not closed');
      return closed;
    },
    close: () => socket.close(),
  };
}

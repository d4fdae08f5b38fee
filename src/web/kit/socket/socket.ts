import type { Language } from '../../../contract/enums.ts';
import { type SocketMessage, socketMessage, socketProtocol, socketTypes } from '../../../contract/socket.ts';
import { type Channel, createCaller } from './channel.ts';

export type SocketOptions = {
  url: string;
  /** The server's public key, base64url. */
  serverKey: string;
  token: string;
  locale: Language;
  /** Every message but those of type 1. A message of type 3 has closed the connection already. */
  onMessage: (message: SocketMessage) => void;
  /** Logged in, or no longer. */
  onState?: (isOpen: boolean) => void;
  /** Makes the connection; outside a browser one that names its origin. */
  connect?: (url: string) => WebSocket;
  /** How long to wait before the next try after so many failures in a row. */
  pauseMilliseconds?: (failures: number) => number;
};

export type RealTimeSocket = {
  /** Whether the page wants to hear that there are newer visits; kept over reconnections. */
  watchStatistics: (watch: boolean) => void;
  close: () => void;
};

const maxPause = 30_000;
/** 1 s, 2 s, 4 s … with some chance in it, so that not every page comes back at the same moment after a restart. */
const defaultPause = (failures: number) => Math.min(maxPause, 500 * 2 ** failures) * (0.75 + Math.random() / 2);
const brokenFrame = 4001;
const noAnswer = 4000;

/** Pings a line until it is closed; the returned functions say that something came in, and that it is over. */
function keepAlive(wire: WebSocket, channel: Channel, send: (frame: Uint8Array) => void): { heard: () => void; stop: () => void } {
  let isAwaited = false;
  const ping = setInterval(() => {
    // Two pings without any word between them: the line is dead, though nothing has closed it.
    if (isAwaited) return wire.close(noAnswer);
    isAwaited = true;
    send(channel.seal({ type: socketTypes.nothing }));
  }, socketProtocol.pingSeconds * 1000);
  return {
    heard() {
      isAwaited = false;
    },
    stop: () => clearInterval(ping),
  };
}

/**
 * Holds the real-time connection: logs in, pings, and comes back after an error or close, unless the close was deliberate or there
 * were too many failures in a row. Whatever it pushes can also be asked for, so that the user is not told when it is gone.
 */
export function openSocket(options: SocketOptions): RealTimeSocket {
  const { connect = (url) => new WebSocket(url), pauseMilliseconds = defaultPause } = options;
  let failures = 0;
  let isOver = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let current: WebSocket | undefined;
  let isWatching = false;
  let sayWatching: (() => void) | undefined;

  function comeBack(): void {
    if (isOver) return;
    failures += 1;
    if (failures > socketProtocol.maxFailures) return;
    retry = setTimeout(open, pauseMilliseconds(failures));
  }

  function end(): void {
    isOver = true;
    clearTimeout(retry);
    current?.close(socketProtocol.deliberateClose);
  }

  function receive(message: SocketMessage): void {
    if (message.type === socketTypes.close) end();
    const isSilent = message.type === socketTypes.nothing && message.status && message.message === '';
    if (!isSilent) options.onMessage(message);
  }

  function open(): void {
    const wire = connect(options.url);
    current = wire;
    wire.binaryType = 'arraybuffer';
    let channel: Channel | undefined;
    let alive: ReturnType<typeof keepAlive> | undefined;
    const caller = createCaller(options.serverKey);
    // A typed array over a plain buffer, as WebSocket wants it.
    const send = (frame: Uint8Array) => wire.send(frame as Uint8Array<ArrayBuffer>);

    function begin(frame: Uint8Array): unknown {
      const begun = caller.connect(frame);
      channel = begun.channel;
      failures = 0;
      sayWatching = () => send(begun.channel.seal({ type: socketTypes.statistics, content: { watch: isWatching } }));
      if (isWatching) sayWatching();
      options.onState?.(true);
      alive = keepAlive(wire, begun.channel, send);
      return begun.first;
    }

    wire.addEventListener('open', () => send(caller.loginFrame({ token: options.token, locale: options.locale })));
    wire.addEventListener('message', ({ data }) => {
      alive?.heard();
      let message: SocketMessage;
      try {
        const frame = new Uint8Array(data as ArrayBuffer);
        message = socketMessage.parse(channel ? channel.open(frame) : begin(frame));
      } catch {
        return wire.close(brokenFrame);
      }
      if (!isOver) receive(message);
    });
    wire.addEventListener('close', ({ code }) => {
      alive?.stop();
      sayWatching = undefined;
      // Its ender knows; another connection may have taken its place already.
      if (!isOver) options.onState?.(false);
      if (code === socketProtocol.deliberateClose) isOver = true;
      comeBack();
    });
    // Every error is followed by a close, which is where the next try begins.
    wire.addEventListener('error', () => {});
  }

  open();
  function watchStatistics(watch: boolean): void {
    if (watch === isWatching) return;
    isWatching = watch;
    sayWatching?.();
  }
  return { watchStatistics, close: end };
}

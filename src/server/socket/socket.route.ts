import fastifyWebsocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Settings } from '../../contract/settings.ts';
import { socketLogin, socketProtocol, socketRequest, socketTypes } from '../../contract/socket.ts';
import { createAuthenticator } from '../kit/calls/authentication.ts';
import type { ServerKit } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import { isSupportedLocale } from '../kit/messages/messages.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import type { CachedValue } from '../kit/postgres/cached-value.ts';
import { type Channel, createListener } from './socket.crypto.ts';
import { createHub, type Hub, type Page, plain } from './socket.hub.ts';

/** What we use of a WebSocket of `ws`, which comes without types. */
type Wire = {
  readonly bufferedAmount: number;
  send: (data: Uint8Array) => void;
  close: (code: number, reason?: string) => void;
  terminate: () => void;
  ping: () => void;
  on: ((event: 'message', hear: (data: Buffer, isBinary: boolean) => void) => void) &
    ((event: 'close' | 'error' | 'pong', hear: () => void) => void);
};

const closeCodes = { badFrame: 1008, restart: 1012, tooMany: 1013 } as const;
/** Sockets that have not logged in yet, from one address; pages of one user; and all of them. */
const most = { waitingPerAddress: 20, perUser: 30, all: 20_000 };
/** A page that reads so slowly that this much waits for it is cut off. */
const maxQueue = 1_000_000;
const aliveMilliseconds = 20_000;
/** A page sends a ping every 5 s; one that sends far more wants something else. */
const frames = { most: 40, milliseconds: 10_000 };

/** Serves `GET /api/socket` (`contract/socket.ts` says how it speaks). */
export async function mountSocket(app: FastifyInstance, kit: ServerKit, bus: Bus): Promise<void> {
  const hub = createHub({ db: kit.db, bus, log: app.log });
  const wires = new Set<Wire>();
  await app.register(fastifyWebsocket, {
    options: { maxPayload: socketProtocol.maxFrameBytes, perMessageDeflate: false },
    errorHandler: (_error: Error, wire: Wire) => wire.terminate(),
    preClose(done: () => void) {
      hub.stop();
      // The code tells the page that it may come back.
      for (const wire of wires) wire.close(closeCodes.restart);
      app.websocketServer.close(done);
      for (const wire of wires) setTimeout(() => wire.terminate(), 1000).unref();
    },
  });
  const serve = createServer(kit, hub);
  const waiting = new Map<string, number>();

  app.get(
    socketProtocol.path,
    {
      websocket: true,
      preValidation: async (request) => {
        await refuseForeignOrigin(request, kit);
        if (wires.size >= most.all || (waiting.get(request.ip) ?? 0) >= most.waitingPerAddress)
          throw new AppError(429, 'too_many_requests');
      },
    },
    (wire: Wire, { ip }: FastifyRequest) => {
      wires.add(wire);
      waiting.set(ip, (waiting.get(ip) ?? 0) + 1);
      const isSettled = once(() => {
        const left = (waiting.get(ip) ?? 1) - 1;
        if (left > 0) waiting.set(ip, left);
        else waiting.delete(ip);
      });
      wire.on('close', () => {
        wires.delete(wire);
        isSettled();
      });
      wire.on('error', () => wire.terminate());
      serve(wire, isSettled);
    },
  );
}

/** Pages are answered without the database: they wait no longer than this for newer settings. */
const pagePatienceMilliseconds = 250;

/** For the content security policy of pages: where a socket on another host may be reached, as the setting says when the page is loaded. */
export async function watchSocketSource(app: FastifyInstance, settings: CachedValue<Settings>): Promise<() => string> {
  let source = "'self'";
  app.addHook('onRequest', async (request) => {
    if (request.url.startsWith('/api/')) return;
    const { socket_url } = await settings(pagePatienceMilliseconds).catch(() => ({ socket_url: '' }));
    source = URL.canParse(socket_url) ? new URL(socket_url).origin : "'self'";
  });
  return () => source;
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

/** A page of another site must not open a socket with our user's browser, whatever else it knows. */
async function refuseForeignOrigin(request: FastifyRequest, { settings }: ServerKit): Promise<void> {
  const origin = request.headers.origin ?? '';
  if (URL.canParse(origin) && new URL(origin).host === request.host) return;
  if (!(await settings()).socket_origins.includes(origin)) throw new AppError(403, 'socket.foreign_origin');
}

function createServer(kit: ServerKit, hub: Hub) {
  const authenticate = createAuthenticator(kit.db);
  const open = createListener(kit.vault.derive('x25519'));

  /** The login in a browser's first frame; undefined where there is none, or its token is worth nothing. */
  async function logIn(frame: Buffer) {
    const { login, connect } = open(frame);
    const { token, locale } = socketLogin.parse(login);
    if (!isSupportedLocale(locale)) throw new Error('an unknown language');
    const actor = await authenticate(token);
    return actor && { actor, locale, ...connect() };
  }

  async function begin(wire: Wire, frame: Buffer): Promise<{ page: Page; channel: Channel } | undefined> {
    const found = await logIn(frame);
    if (!found) return undefined;
    const { actor, locale, publicKey, channel } = found;
    const send = (data: Uint8Array) => {
      if (wire.bufferedAmount > maxQueue) wire.terminate();
      else wire.send(data);
    };
    const page: Page = {
      session_id: actor.session_id,
      user_id: actor.user_id,
      role_id: actor.role.id,
      is_enrolling: actor.is_enrolling,
      language: locale,
      watches_statistics: false,
      told_records: undefined,
      send: (message) => send(channel.seal(message)),
      close: (code) => wire.close(code),
    };
    wire.send(Buffer.concat([publicKey, channel.seal(plain(socketTypes.nothing))]));
    return { page, channel };
  }

  function refuseTooMany(page: Page): void {
    const own = [...hub.pages()].filter((other) => other.user_id === page.user_id);
    // The oldest goes: it is the one most likely forgotten.
    if (own.length >= most.perUser) own[0]?.close(closeCodes.tooMany);
  }

  return (wire: Wire, onSettled: () => void): void => {
    let state: 'waiting' | 'opening' | 'open' = 'waiting';
    let isOver = false;
    let begun: { page: Page; channel: Channel } | undefined;
    const tooMany = limiter();
    const loginTimer = setTimeout(() => wire.close(closeCodes.badFrame, 'login'), socketProtocol.loginSeconds * 1000);
    const stopWatching = watchAlive(wire);

    const over = () => {
      isOver = true;
      clearTimeout(loginTimer);
      stopWatching();
      if (begun) hub.remove(begun.page);
    };
    wire.on('close', over);

    async function first(frame: Buffer): Promise<void> {
      state = 'opening';
      const found = await begin(wire, frame);
      if (!found) return wire.close(socketProtocol.deliberateClose, 'not_logged_in');
      if (isOver) return;
      clearTimeout(loginTimer);
      onSettled();
      refuseTooMany(found.page);
      begun = found;
      hub.add(found.page);
      state = 'open';
    }

    wire.on('message', (data, isBinary) => {
      const isTooMuch = tooMany();
      if (!isBinary || isTooMuch || state === 'opening') return wire.close(closeCodes.badFrame);
      if (state === 'waiting') first(data).catch(() => wire.close(closeCodes.badFrame));
      else if (begun) answer(begun, data, wire);
    });
  };
}

function answer({ page, channel }: { page: Page; channel: Channel }, data: Buffer, wire: Wire): void {
  try {
    const request = socketRequest.parse(channel.open(data));
    if (request.type === socketTypes.statistics)
      Object.assign(page, { watches_statistics: request.content.watch, told_records: undefined });
    else page.send(plain(socketTypes.nothing));
  } catch {
    wire.close(closeCodes.badFrame);
  }
}

/** Counts frames; true once there are too many in the window. */
function limiter(): () => boolean {
  let [count, endsAt] = [0, 0];
  return () => {
    const now = performance.now();
    if (now > endsAt) [count, endsAt] = [0, now + frames.milliseconds];
    count += 1;
    return count > frames.most;
  };
}

/** Ends a connection whose other side is gone. Browsers answer these pings by themselves, also for pages in the background. */
function watchAlive(wire: Wire): () => void {
  let isAlive = true;
  wire.on('pong', () => {
    isAlive = true;
  });
  const timer = setInterval(() => {
    if (!isAlive) return wire.terminate();
    isAlive = false;
    wire.ping();
  }, aliveMilliseconds);
  timer.unref();
  return () => clearInterval(timer);
}

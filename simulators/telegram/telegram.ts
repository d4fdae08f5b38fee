import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerControl, answerJson } from './control.ts';
import { createDelivery, type Delivery } from './delivery.ts';
import { methods, type Params, Refusal } from './methods.ts';
import { type Asked, type Fault, makers, players } from './people.ts';
import { createWorld, type World } from './world.ts';

const maxBodyBytes = 10_000_000;

export type Telegram = Awaited<ReturnType<typeof startTelegram>>;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBodyBytes) throw new Refusal(413, 'Request Entity Too Large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const query = (request: IncomingMessage): Params => Object.fromEntries(new URL(request.url ?? '/', 'http://telegram').searchParams);

function asObject(body: string): Params {
  if (body === '') return {};
  try {
    return JSON.parse(body) as Params;
  } catch {
    return Object.fromEntries(new URLSearchParams(body));
  }
}

/** Answers the requests of bots. */
function createApi(world: World, delivery: Delivery) {
  const faults = new Map<string, Fault[]>();
  const asked: Asked[] = [];

  async function perform(token: string, method: string, request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const bot = world.bots.get(token);
    if (!bot) throw new Refusal(401, 'Unauthorized');
    const params = { ...query(request), ...asObject(await bodyOf(request)) };
    asked.push({ bot_id: bot.id, method, params });
    const fault = faults.get(method)?.shift();
    if (fault) throw new Refusal(fault.error_code, fault.description, fault.retry_after ? { retry_after: fault.retry_after } : undefined);
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    if (method === 'getUpdates') return delivery.getUpdates(bot, params, closed.signal);
    const known = methods[method];
    if (!known) throw new Refusal(404, 'Not Found: method not found');
    const result = known(world, bot, params);
    if (method === 'setWebhook') delivery.news(bot);
    return result;
  }

  return {
    asked,
    async answer(token: string, method: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
      try {
        answerJson(response, 200, { ok: true, result: await perform(token, method, request, response) });
      } catch (error) {
        const { error_code, message, parameters } = error instanceof Refusal ? error : new Refusal(500, String(error));
        answerJson(response, error_code, { ok: false, error_code, description: message, ...(parameters ? { parameters } : {}) });
      }
    },
    /** The next requests of a method fail so. */
    fail(method: string, fault: Fault, times = 1): void {
      faults.set(method, [...(faults.get(method) ?? []), ...Array.from({ length: times }, () => fault)]);
    },
  };
}

/** What somebody sent, to a bot that knows where it lies. */
function answerFile({ bots, files }: World, { token, path }: { token: string; path: string }, response: ServerResponse): void {
  const found = [...files.values()].find((file) => file.path === path);
  if (bots.has(token) && found) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(found.bytes);
  else answerJson(response, 404, { ok: false, error_code: 404, description: 'Not Found' });
}

/**
 * A server that speaks the Bot API, and plays the people who write to bots: by functions for tests, by a page for hands (`/`).
 * @param port any free one unless said
 */
export async function startTelegram({ port = 0, host = '127.0.0.1' }: { port?: number; host?: string } = {}) {
  const world = createWorld();
  const delivery = createDelivery();
  const api = createApi(world, delivery);

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://telegram').pathname;
    const [, owner = '', file = ''] = /^\/file\/bot([^/]+)\/(.+)$/.exec(path) ?? [];
    if (file !== '') return answerFile(world, { token: owner, path: file }, response);
    const [, token = '', method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (method === '') answerControl(simulator, path, await bodyOf(request), response);
    else await api.answer(token, method, request, response);
  }
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

  const simulator = {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    world,
    /** All requests of bots, oldest first. */
    asked: api.asked,
    fail: api.fail,
    ...makers(world),
    ...players(world, delivery),
    webhookCalls: delivery.calls,
    /** Calls a bot's webhook with an update, also one that it had before. */
    callWebhook: delivery.call,
    async stop(): Promise<void> {
      delivery.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return simulator;
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, fieldsOf, sendHtml, sendJson, serveHttp } from '../kit/server.ts';
import { methods } from './api.ts';
import { blockMilliseconds } from './chain.ts';
import { act, controlPage } from './control.ts';
import { answerFaulty, createFaults } from './faults.ts';
import { openNetwork } from './store.ts';

type Options = {
  port?: number;
  /** Where its blocks are kept over restarts; nowhere unless said. */
  folder?: string;
  /** Blocks are made by the clock, one every three seconds; without, by functions and the page only. */
  clock?: boolean;
  now?: () => number;
};

export type TronSimulator = Awaited<ReturnType<typeof startTron>>;

async function inputOf(request: IncomingMessage, url: URL): Promise<Record<string, unknown>> {
  const body = request.method === 'POST' ? await bodyOf(request) : '';
  return body ? (JSON.parse(body) as Record<string, unknown>) : Object.fromEntries(url.searchParams);
}

/** A TRON network of one node that speaks the calls of TronGrid: by functions for tests, by a page for hands (`/`). */
export async function startTron({ port = 0, folder, clock = false, now = Date.now }: Options = {}) {
  const network = openNetwork(folder, now());
  const faults = createFaults();
  const asked = new Map<string, number>();
  let said = '';
  let receiver = '';

  async function answerCall(solid: boolean, name: string, url: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const method = methods[name];
    if (!method) return sendJson(response, 404, { Error: 'no such call' });
    asked.set(name, (asked.get(name) ?? 0) + 1);
    const fault = faults.take(name);
    const isThrottled = fault === 'throttle_403' || fault === 'throttle_429' || fault === 'busy_503';
    // A call that is refused for its number does nothing; one whose answer is lost did what it was sent for.
    const answer = isThrottled ? undefined : method(network, await inputOf(request, url), solid);
    if (fault) answerFaulty(fault, answer, response);
    else sendJson(response, 200, answer);
  }

  const server = await serveHttp(async (url, request, response) => {
    const [, kind, name] = /^\/(wallet|walletsolidity)\/(\w+)$/.exec(url.pathname) ?? [];
    if (kind && name) return answerCall(kind === 'walletsolidity', name, url, request, response);
    if (url.pathname === '/control' && request.method === 'POST') {
      const fields = await fieldsOf(request);
      try {
        said = act(network, faults, fields);
      } catch (error) {
        said = String(error);
      }
      receiver = fields.to ?? receiver;
      response.writeHead(302, { location: '/' }).end();
      return;
    }
    if (url.pathname !== '/') return sendJson(response, 404, {});
    sendHtml(response, 200, controlPage(network, said, url.searchParams.get('to') ?? receiver));
  }, port);

  // Also where the page made blocks of a later time: who waits for the next one does not wait until the clock is there.
  const timer = clock ? setInterval(() => network.makeBlock(), blockMilliseconds) : undefined;

  return {
    ...network,
    url: server.url,
    faults,
    /** How often each call was asked for. */
    asked,
    async stop(): Promise<void> {
      clearInterval(timer);
      await server.stop();
    },
  };
}

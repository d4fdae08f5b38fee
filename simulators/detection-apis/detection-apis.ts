import { setTimeout as delay } from 'node:timers/promises';
import { hostStates } from '../kit/hosts.ts';
import { bodyOf, controlPage, fieldsOf, type Simulator, sendHtml, sendJson, serveHttp } from '../kit/server.ts';

/** What the APIs say of a host: the truth, or that they could not tell. */
export const apiStates = ['normal', 'blocked', 'unknown'] as const;
export type ApiState = (typeof apiStates)[number];

/** How an API behaves: honest, says the opposite, answers errors, answers something else, never answers, or asks for fewer requests. */
export const apiModes = ['honest', 'lying', 'failing', 'garbled', 'silent', 'throttling'] as const;
export type ApiMode = (typeof apiModes)[number];

/** The shapes, by their paths. */
const shapes = {
  '/data-status': {
    normal: { data: { status: 'ok' } },
    blocked: { data: { status: 'blocked' } },
    unknown: { data: { status: 'unknown' } },
  },
  '/code': { normal: { code: 200, msg: '正常' }, blocked: { code: 2000, msg: '已拦截' }, unknown: { code: 500, msg: '查询失败' } },
  '/err-code': { normal: { err_code: 0 }, blocked: { err_code: 30001 }, unknown: { err_code: 30998 } },
  '/flag': { normal: { result: { blocked: false } }, blocked: { result: { blocked: true } }, unknown: { result: null } },
} as const;
type Shape = keyof typeof shapes;
const isShape = (path: string): path is Shape => Object.hasOwn(shapes, path);

export type DetectionApis = Simulator & {
  set: (host: string, state: ApiState) => void;
  block: (host: string) => void;
  unblock: (host: string) => void;
  /** Of the API at this path, or of all. */
  behave: (mode: ApiMode, path?: Shape) => void;
  /** Requests of an API are answered up to so many a second, the others with 429. */
  requests: { path: string; key: string; address: string }[];
};

type Options = { port?: number; slow_ms?: number /** Without it everything is refused with 401. */; key?: string; per_second?: number };

/** Commercial detection APIs in their common shapes, as one real server. */
export async function startDetectionApis({
  port = 0,
  slow_ms = 0,
  key,
  per_second = Number.POSITIVE_INFINITY,
}: Options = {}): Promise<DetectionApis> {
  const hosts = hostStates<ApiState>('normal');
  const modes = new Map<string, ApiMode>();
  const requests: DetectionApis['requests'] = [];
  const window = { second: 0, number: 0 };
  const isTooMuch = (): boolean => {
    const second = Math.floor(Date.now() / 1000);
    if (window.second !== second) Object.assign(window, { second, number: 0 });
    window.number += 1;
    return window.number > per_second;
  };
  const behave: DetectionApis['behave'] = (mode, path) => {
    for (const api of path ? [path] : apis) modes.set(api, mode);
  };

  const server = await serveHttp(async (url, request, response) => {
    if (url.pathname === '/control') {
      const { host, state = 'normal', mode, path } = await fieldsOf(request);
      if (host) hosts.set(host, state as ApiState);
      if (mode) behave(mode as ApiMode, path && isShape(path) ? path : undefined);
      response.writeHead(302, { location: '/' });
      return void response.end();
    }
    if (url.pathname === '/') {
      const select = `<form method="post" action="/control"><select name="mode">${apiModes.map((mode) => `<option>${mode}</option>`).join('')}</select> <button>behave</button></form>`;
      return sendHtml(response, 200, controlPage('Detection APIs (simulated)', apiStates, hosts.states, select));
    }
    if (!isShape(url.pathname)) return sendJson(response, 404, { error: 'no such API' });
    const sent = request.method === 'POST' ? readBody(await bodyOf(request)) : Object.fromEntries(url.searchParams);
    const address = sent.url ?? sent.domain ?? '';
    const given = sent.key ?? sent.token ?? sent.apikey ?? (request.headers.authorization ?? '').replace(/^Bearer /, '');
    requests.push({ path: url.pathname, key: given, address });
    if (requests.length > 10_000) requests.shift();
    if (key !== undefined && given !== key) return sendJson(response, 401, { error: `the key ${given} is wrong` });
    const mode = modes.get(url.pathname) ?? 'honest';
    if (mode === 'throttling' || isTooMuch()) return sendJson(response, 429, { error: 'too many requests' });
    if (slow_ms > 0) await delay(slow_ms);
    if (mode === 'silent') return void (await delay(60_000, undefined, { ref: false }));
    if (mode === 'failing') return sendJson(response, 500, { error: 'internal' });
    if (mode === 'garbled') return sendHtml(response, 200, '<html>maintenance</html>');
    const state = hosts.of(address);
    return sendJson(response, 200, shapes[url.pathname][mode === 'lying' ? opposite[state] : state]);
  }, port);
  return {
    ...server,
    set: hosts.set,
    block: (host) => hosts.set(host, 'blocked'),
    unblock: (host) => hosts.set(host, 'normal'),
    behave,
    requests,
  };
}

const apis = Object.keys(shapes);
const opposite: Record<ApiState, ApiState> = { normal: 'blocked', blocked: 'normal', unknown: 'blocked' };
const readBody = (body: string): Record<string, string> =>
  body.startsWith('{') ? (JSON.parse(body) as Record<string, string>) : Object.fromEntries(new URLSearchParams(body));

import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { escaped, page } from '../page.ts';

export type RobotKind = 'wecom' | 'dingtalk' | 'feishu';
export type SimulatedRobot = { kind: RobotKind; key: string; secret: string; url: string };
export type RobotMessage = { kind: RobotKind; key: string; text: string; at: number };

const messagesAMinute = 20;
const minute = 60_000;
const hour = 60 * minute;
const maxWecomBytes = 2048;
const keptMessages = 1000;

const paths: Record<RobotKind, string> = {
  wecom: '/cgi-bin/webhook/send',
  dingtalk: '/robot/send',
  feishu: '/open-apis/bot/v2/hook',
};
/** The codes and words by which the real ones refuse. */
const faults = {
  wecom: { unknown: [93_000, 'invalid webhook url'], many: [45_009, 'api freq out of limit'], long: [40_058, 'content exceed max length'] },
  dingtalk: { unknown: [300_001, 'token is not exist'], many: [130_101, 'send too fast'], signature: [310_000, 'sign not match'] },
  feishu: {
    unknown: [19_001, 'param invalid: incoming webhook access token invalid'],
    many: [11_232, 'frequency limited psm'],
    signature: [19_021, 'sign match fail or timestamp is not within one hour from current time'],
  },
} as const;
type Fault = readonly [code: number, words: string];

type Sent = {
  timestamp?: string;
  sign?: string;
  msgtype?: string;
  msg_type?: string;
  text?: { content?: string };
  content?: { text?: string };
};

function isSigned({ kind, secret }: SimulatedRobot, url: URL, sent: Sent): boolean {
  if (secret === '' || kind === 'wecom') return true;
  const given =
    kind === 'dingtalk'
      ? { timestamp: url.searchParams.get('timestamp') ?? '', sign: url.searchParams.get('sign') ?? '' }
      : { timestamp: sent.timestamp ?? '', sign: sent.sign ?? '' };
  const at = Number(given.timestamp) * (kind === 'dingtalk' ? 1 : 1000);
  if (!(Math.abs(Date.now() - at) <= hour)) return false;
  const line = `${given.timestamp}\n${secret}`;
  const expected = kind === 'dingtalk' ? createHmac('sha256', secret).update(line) : createHmac('sha256', line);
  return expected.digest('base64') === given.sign;
}

const textOf = (kind: RobotKind, sent: Sent): string | undefined => {
  if (kind === 'feishu') return sent.msg_type === 'text' ? sent.content?.text : undefined;
  return sent.msgtype === 'text' ? sent.text?.content : undefined;
};

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

export type RobotSimulator = {
  url: string;
  /** What addresses of its robots begin with, for the site's settings. */
  bases: Record<RobotKind, string>;
  robots: SimulatedRobot[];
  messages: RobotMessage[];
  /** A robot of a group; with a secret it checks signatures. */
  add: (kind: RobotKind, secret?: string) => SimulatedRobot;
  /** Answers so many requests by this status instead, with a Retry-After where given. */
  failNext: (number: number, status?: number, retryAfter?: number) => void;
  stop: () => Promise<void>;
};

/** Group robots of WeCom, DingTalk and Feishu: their signatures, their limits, their errors. */
export async function startRobotSimulator({ port = 0 }: { port?: number } = {}): Promise<RobotSimulator> {
  const robots: SimulatedRobot[] = [];
  const messages: RobotMessage[] = [];
  let failing = { number: 0, status: 502, retryAfter: 0 };

  function receive(kind: RobotKind, url: URL, body: string): Fault | undefined {
    const key =
      kind === 'feishu' ? url.pathname.slice(paths.feishu.length + 1) : url.searchParams.get(kind === 'wecom' ? 'key' : 'access_token');
    const robot = robots.find((one) => one.kind === kind && one.key === key);
    if (!robot) return faults[kind].unknown;
    const sent = JSON.parse(body) as Sent;
    if (kind !== 'wecom' && !isSigned(robot, url, sent)) return faults[kind].signature;
    const text = textOf(kind, sent) ?? '';
    if (kind === 'wecom' && Buffer.byteLength(text) > maxWecomBytes) return faults.wecom.long;
    const recent = messages.filter((message) => message.key === robot.key && message.at > Date.now() - minute);
    if (recent.length >= messagesAMinute) return faults[kind].many;
    messages.push({ kind, key: robot.key, text, at: Date.now() });
    if (messages.length > keptMessages) messages.shift();
    return undefined;
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const kind = (Object.keys(paths) as RobotKind[]).find((one) => url.pathname.startsWith(paths[one]));
    if (!kind || request.method !== 'POST') {
      if (request.method === 'POST' && url.pathname === '/add') simulator.add((url.searchParams.get('kind') as RobotKind) ?? 'wecom');
      response.setHeader('content-type', 'text/html; charset=utf-8');
      return response.end(control(robots, messages));
    }
    const body = await bodyOf(request);
    if (failing.number > 0) {
      failing.number -= 1;
      if (failing.retryAfter > 0) response.setHeader('retry-after', failing.retryAfter);
      return response.writeHead(failing.status).end('not now');
    }
    const [code, words] = receive(kind, url, body) ?? [0, kind === 'feishu' ? 'success' : 'ok'];
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify(kind === 'feishu' ? { code, msg: words, data: {} } : { errcode: code, errmsg: words }));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const simulator: RobotSimulator = {
    url: `${address}/`,
    bases: { wecom: address + paths.wecom, dingtalk: address + paths.dingtalk, feishu: address + paths.feishu },
    robots,
    messages,
    add(kind, secret = '') {
      const key = randomUUID();
      const query = { wecom: `?key=${key}`, dingtalk: `?access_token=${key}`, feishu: `/${key}` }[kind];
      const robot = { kind, key, secret, url: simulator.bases[kind] + query };
      robots.push(robot);
      return robot;
    },
    failNext: (number, status = 502, retryAfter = 0) => {
      failing = { number, status, retryAfter };
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return simulator;
}

function control(robots: readonly SimulatedRobot[], messages: readonly RobotMessage[]): string {
  const add = (Object.keys(paths) as RobotKind[])
    .map((kind) => `<form method="post" action="/add?kind=${kind}"><button>Add a robot of ${kind}</button></form>`)
    .join('');
  const known = robots.map(({ kind, url, secret }) => `<li>${kind}: <code>${escaped(url)}</code> ${escaped(secret)}</li>`).join('');
  const shown = messages
    .toReversed()
    .map(
      ({ kind, key, text, at }) => `<p>${kind} …${escaped(key.slice(-4))} · ${new Date(at).toISOString()}</p><pre>${escaped(text)}</pre>`,
    )
    .join('');
  return page('Group robots', `${add}<ul>${known}</ul><h2>Messages: ${messages.length}</h2>${shown}`);
}

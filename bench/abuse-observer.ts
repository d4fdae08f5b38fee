// A process of its own that does what honest users and visitors do, at a steady pace, and measures how long they wait.
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { callAs, type Reply, send, type User } from './abuse-requests.ts';

export type ObserverPlan = { port: number; visitPort: number; user: User; codeId: number; codes: readonly string[] };
export type Observed = {
  calls: { milliseconds: number[]; statuses: Record<string, number>; withoutRetryAfter: number };
  visits: { milliseconds: number[]; statuses: Record<string, number> };
};

const callsASecond = 20;
const visitsASecond = 200;

const plan = JSON.parse(process.argv[2] ?? '') as ObserverPlan;
const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });
const visitors = new http.Agent({ keepAlive: true, maxSockets: 64 });
const timeoutSeconds = 30;
/** Visits of programs would be less work for the loader. */
const browser = 'Mozilla/5.0 (Linux; Android 14; abuse) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36';
const mix: readonly [string, object][] = [
  ['qr_code_list/inquire', { page_size: 20 }],
  ['qr_code_list/details', { id: plan.codeId }],
  ['today_statistics/inquire', {}],
  ['domain_list/inquire', {}],
];

type Window = Observed & { underWay: Set<{ kind: 'calls' | 'visits'; startedAt: number }> };

let observed: Window;
let answered = 0;
const begin = (): void => {
  observed = {
    calls: { milliseconds: [], statuses: {}, withoutRetryAfter: 0 },
    visits: { milliseconds: [], statuses: {} },
    underWay: new Set(),
  };
};
begin();

/** Sends at a steady pace whether or not answers come, as many people do who know nothing of each other. */
async function keepSending(aSecond: number, sendOne: (number: number) => Promise<void>): Promise<never> {
  const startedAt = performance.now();
  const underWay = new Set<Promise<void>>();
  for (let number = 0; ; number += 1) {
    const early = startedAt + (number * 1000) / aSecond - performance.now();
    if (early > 0) await delay(early);
    if (underWay.size > 10 * aSecond) continue;
    const one = sendOne(number).finally(() => underWay.delete(one));
    underWay.add(one);
  }
}

/** Counted where it began: a call that an attack held up is the attack's, also when it is answered later. */
async function note(kind: 'calls' | 'visits', asked: Promise<Reply>): Promise<Reply> {
  const window = observed;
  const one = { kind, startedAt: performance.now() };
  window.underWay.add(one);
  const reply = await asked;
  window.underWay.delete(one);
  window[kind].milliseconds.push(reply.milliseconds);
  window[kind].statuses[reply.status] = (window[kind].statuses[reply.status] ?? 0) + 1;
  if (kind === 'calls' && reply.status === 503 && !reply.retryAfter) window.calls.withoutRetryAfter += 1;
  return reply;
}

process.on('message', async (message) => {
  if (message === 'begin') begin();
  if (message === 'end') {
    const window = observed;
    begin();
    // Who still waits soon after has waited at least so long.
    await delay(1500);
    for (const { kind, startedAt } of window.underWay) window[kind].milliseconds.push(performance.now() - startedAt);
    process.send?.({ calls: window.calls, visits: window.visits });
  }
  if (message === 'answered') process.send?.(answered);
});

void keepSending(callsASecond, async (number) => {
  const [path, input] = mix[number % mix.length] ?? ['website/info', {}];
  await note('calls', callAs(plan.port, plan.user, path, input, agent));
});
void keepSending(visitsASecond, async (number) => {
  const headers = { host: `localhost:${plan.visitPort}`, 'x-forwarded-for': `114.${number % 8}.${number % 250}.1`, 'user-agent': browser };
  const path = `/${plan.codes[number % plan.codes.length]}`;
  const reply = await note('visits', send({ port: plan.visitPort, path, headers, agent: visitors, timeoutSeconds }));
  if (reply.status >= 200 && reply.status < 400 && reply.visitId !== undefined) answered += 1;
});
process.send?.('ready');

import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { hostilePicture, hostileWorkbook } from './abuse-files.ts';
import { familyOf } from './abuse-processes.ts';
import { callAs, type Reply, send, type User, uploadAs } from './abuse-requests.ts';

export type Site = { port: number; users: readonly User[]; databasePid: () => number | undefined };
/** What the attacker got, and what else was asked meanwhile: a line for each fault. */
export type Attacked = {
  statuses: Record<string, number>;
  largestAnswer: number;
  /** Milliseconds of logins beside the attack, where it makes some. */
  logins?: number[];
  faults: string[];
  notes: string[];
};
export type Attack = { name: string; run: (site: Site, seconds: number) => Promise<Attacked> };

const summaryOf = (replies: readonly Reply[]): Attacked => {
  const statuses: Record<string, number> = {};
  for (const { status } of replies) statuses[status] = (statuses[status] ?? 0) + 1;
  return { statuses, largestAnswer: Math.max(0, ...replies.map(({ bytes }) => bytes)), faults: [], notes: [] };
};

/** So many at once, again as soon as all are answered, until the time is over. */
async function waves(size: number, seconds: number, one: (number: number) => Promise<Reply>): Promise<Reply[]> {
  const end = Date.now() + seconds * 1000;
  const replies: Reply[] = [];
  while (Date.now() < end) {
    replies.push(...(await Promise.all(Array.from({ length: size }, (_, number) => one(number)))));
    // Refused at once, an attacker comes again, but not in a loop without an end.
    await delay(100);
  }
  return replies;
}

/** Until the site answers within a second again, for two minutes at most; the seconds that took. */
export async function recovered(port: number): Promise<number> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  for (; seconds() < 120; await delay(250)) {
    const { status, milliseconds } = await send({ port, path: '/readyz', timeoutSeconds: 20 });
    if (status === 200 && milliseconds < 1000) break;
  }
  return seconds();
}

const userOf = (site: Site, number: number): User => {
  const user = site.users[number % site.users.length];
  if (!user) throw new Error('the site has users');
  return user;
};

export const workbooks: Attack = {
  name: 'workbooks: 12 at once',
  async run(site, seconds) {
    const file = { name: 'codes.xlsx', bytes: hostileWorkbook() };
    return summaryOf(await waves(12, seconds, (number) => uploadAs(site.port, userOf(site, number), 'code_import/file', file)));
  },
};

export const pictures = (password: string): Attack => ({
  name: 'pictures: 10 at once, logins beside',
  async run(site, seconds) {
    const file = { name: 'picture.png', bytes: hostilePicture() };
    let isOver = false;
    const logins: Reply[] = [];
    const loggingIn = (async () => {
      for (let number = 0; !isOver; number += 1) {
        const address = `198.51.100.${number % 250}`;
        const body = Buffer.from(JSON.stringify({ account: 'admin', password }));
        const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
        logins.push(await send({ port: site.port, path: '/api/admin/login', headers, body }));
        await delay(500);
      }
    })();
    const uploads = await waves(10, seconds, (number) => uploadAs(site.port, userOf(site, number), 'file/add', file));
    isOver = true;
    await loggingIn;
    const attacked = summaryOf(uploads);
    attacked.logins = logins.map(({ milliseconds }) => milliseconds);
    const failed = logins.filter(({ status }) => status !== 200).length;
    if (failed > 0) attacked.faults.push(`${failed} of ${logins.length} logins failed`);
    return attacked;
  },
});

const largestAnswerBytes = 65_536;

export const bodies: Attack = {
  name: 'bodies: unknown keys, nested arrays, wrong items',
  async run(site, seconds) {
    const keys = Buffer.from(`{${Array.from({ length: 215_000 }, (_, index) => `"${index.toString(36)}":1`).join()}}`);
    const nested = Buffer.from(`{"account":${'['.repeat(100_000)}${']'.repeat(100_000)}}`);
    const target = { kind: 'url', content: 'https://example.com/', rules: [{ systems: Array.from({ length: 150_000 }, () => 'x') }] };
    const wrong = Buffer.from(JSON.stringify({ name: 'wrong', targets: [target] }));
    const agent = new http.Agent({ keepAlive: true, maxSockets: 3 });
    const strange: readonly [string, Buffer][] = [
      ['admin/login', keys],
      ['website/info', keys],
      ['admin/login', nested],
    ];
    const replies = await waves(6, seconds, (number) => {
      const [path, body] = strange[number % 3] ?? ['admin/login', keys];
      if (number < 5) return callAs(site.port, undefined, path, body, agent);
      return callAs(site.port, userOf(site, 0), 'qr_code_list/add', wrong);
    });
    agent.destroy();
    const attacked = summaryOf(replies);
    if (attacked.largestAnswer > largestAnswerBytes) attacked.faults.push(`an answer of ${attacked.largestAnswer} bytes`);
    return attacked;
  },
};

const asked: readonly { name: string; path: string; body?: object; status: number; seconds: number }[] = [
  { name: '/healthz', path: '/healthz', status: 200, seconds: 1 },
  { name: '/readyz', path: '/readyz', status: 503, seconds: 2 },
  { name: '/', path: '/', status: 200, seconds: 2 },
  { name: 'website/info', path: '/api/website/info', body: {}, status: 200, seconds: 2 },
];

const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // A server process that ended meanwhile.
    }
  }
};

/** Every process of PostgreSQL stands still: connections open, and nobody answers. */
export const frozenDatabase: Attack = {
  name: 'the database frozen for 15 s',
  async run(site) {
    const pid = site.databasePid();
    if (pid === undefined) throw new Error('the database runs');
    const frozen = familyOf(pid);
    signal(frozen, 'SIGSTOP');
    const replies: Reply[] = [];
    const faults: string[] = [];
    const notes: string[] = [];
    const end = Date.now() + 15_000;
    try {
      await Promise.all(
        asked.map(async ({ name, path, body, status, seconds }) => {
          const own: Reply[] = [];
          while (Date.now() < end) {
            const payload = body && { body: Buffer.from(JSON.stringify(body)), headers: { 'content-type': 'application/json' } };
            own.push(await send({ port: site.port, path, timeoutSeconds: 20, ...payload }));
            await delay(500);
          }
          replies.push(...own);
          const slowest = Math.max(...own.map(({ milliseconds }) => milliseconds)) / 1000;
          const others = own.filter((reply) => reply.status !== status).map((reply) => reply.status);
          const words = `${name}: ${own.length - others.length} of ${own.length} had ${status}, the slowest took ${slowest.toFixed(1)} s`;
          notes.push(`${words} (wanted all, < ${seconds} s)`);
          if (others.length > 0 || slowest > seconds) faults.push(words);
        }),
      );
    } finally {
      signal(frozen, 'SIGCONT');
    }
    const thawedAt = Date.now();
    while ((await callAs(site.port, userOf(site, 0), 'qr_code_list/inquire', {})).status !== 200 && Date.now() < thawedAt + 30_000)
      await delay(100);
    const seconds = (Date.now() - thawedAt) / 1000;
    notes.push(`calls were answered again ${seconds.toFixed(1)} s after the database went on (wanted < 10 s)`);
    if (seconds > 10) faults.push(`calls were answered again only after ${seconds.toFixed(1)} s`);
    return { ...summaryOf(replies), faults, notes };
  },
};

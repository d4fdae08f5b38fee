import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { createTestDatabase } from '../kit/testing/database.ts';
import { until } from '../kit/until.ts';

type Line = { level: number; msg: string; error?: { message: string } };

let app: FastifyInstance;
let pool: pg.Pool;
let port: number;
let openAnswers = 0;
const lines: Line[] = [];
const releases: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 4 });
  pool.on('error', () => {});
  const dataDir = await mkdtemp(join(tmpdir(), 'livecode-app-'));
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  app = await createApp({ pool, dataDir, trustedProxies: [], heldMilliseconds: 0, logger });
  // Answers of which more is to come, and one that breaks off although its reader is there.
  app.addHook('preHandler', async (_request, reply) => {
    openAnswers += 1;
    reply.raw.once('close', () => {
      openAnswers -= 1;
    });
  });
  app.all('/testing/endless', (_request, reply) => reply.type('text/plain').send(new Readable({ read() {} })));
  app.get('/testing/broken', (_request, reply) => {
    const source = new Readable({ read() {} });
    setTimeout(() => source.destroy(), 20);
    return reply.type('text/plain').send(source);
  });
  app.post('/testing/failing', async (request) => {
    await once(request.raw.socket, 'close');
    throw new Error('something else is wrong');
  });
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port);
  releases.push(
    () => app.close(),
    () => pool.end(),
    () => database.drop(),
    () => rm(dataDir, { recursive: true, force: true }),
  );
});
afterAll(async () => {
  for (const release of releases) await release();
});
beforeEach(() => {
  lines.length = 0;
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\naccept-encoding: br\r\n\r\n`;
const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nhost: a\r\naccept-encoding: br\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`;
const json = { 'content-type': 'application/json' };
const alarms = () => lines.filter(({ level }) => level >= 40);
const isTold = (text: string) => lines.some(({ msg }) => msg.includes(text));

async function ask(request: string) {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(request);
  return socket;
}

test('a call whose caller goes while it waits is no error, and nor is its answer', async () => {
  const holder = await pool.connect();
  await holder.query('BEGIN');
  await holder.query('LOCK TABLE setting, language');
  const callers = await Promise.all([ask(post('/api/website/info')), ask(post('/api/admin/login'))]);
  const isWaiting = async () =>
    (await pool.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")).rows.length > 0;
  await expect.poll(isWaiting).toBe(true);
  const gone = callers.map((socket) => once(socket, 'close'));
  for (const socket of callers) socket.resetAndDestroy();
  await Promise.all(gone);
  await holder.query('ROLLBACK');
  holder.release();
  expect((await fetch(`http://127.0.0.1:${port}/api/website/info`, { method: 'POST', body: '{}', headers: json })).status).toBe(200);
  expect(await until(() => alarms().length > 0, 200)).toBe(false);
});

test('an answer that its reader does not wait for is told to who debugs only', async () => {
  for (const request of [get('/testing/endless'), post('/testing/endless')]) {
    const socket = await ask(request);
    await until(() => openAnswers === 1, 2000);
    socket.resetAndDestroy();
    await until(() => openAnswers === 0, 2000);
  }
  expect(await until(() => alarms().length > 0, 200)).toBe(false);
  expect(isTold('an answer was aborted by its reader')).toBe(true);
});

test('an answer that breaks off although its reader is there is an error', async () => {
  const socket = await ask(get('/testing/broken'));
  expect(await until(() => alarms().length > 0, 2000)).toBe(true);
  socket.destroy();
  expect(alarms()).toMatchObject([{ level: 50, msg: 'a call failed', error: { message: 'Premature close' } }]);
});

test('what fails for another reason is an error, whether its reader is there or not', async () => {
  const socket = await ask(post('/testing/failing'));
  await until(() => openAnswers === 1, 2000);
  socket.destroy();
  expect(await until(() => alarms().length > 0, 2000)).toBe(true);
  expect(alarms()).toMatchObject([{ level: 50, msg: 'a call failed', error: { message: 'something else is wrong' } }]);
});

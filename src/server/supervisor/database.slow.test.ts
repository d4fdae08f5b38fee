import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import { createEmptyDatabase } from '../kit/testing/database.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';

const programAt = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const secret = 'surely-secret';

let home: string;
let servers: Server[];
beforeEach(() => {
  home = makeTestFolder();
  servers = [];
});
afterEach(() => {
  for (const server of servers) server.close();
  rmSync(home, { recursive: true, force: true });
});

type Run = { program?: string; args?: string[]; env?: Record<string, string> };

/** What `npm start`, or another program, says and ends with. */
async function start(databaseUrl: string, { program = 'main.ts', args = [], env }: Run = {}): Promise<{ code: unknown; lines: string[] }> {
  const [web, visits] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [programAt(program), ...args], {
    env: {
      ...{ PATH: process.env.PATH, LIVECODE_DATA_DIR: join(home, 'data'), DATABASE_URL: databaseUrl },
      ...{ LIVECODE_PORT: String(web), LIVECODE_VISIT_PORT: String(visits), LIVECODE_TRON_PORT: '0' },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'exit');
  return { code, lines: output.trimEnd().split('\n') };
}

async function listen(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    serve(socket);
  }).listen(0);
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const message = (kind: string, ...parts: (string | Buffer)[]): Buffer => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
};
const ready = message('Z', 'I');

/** As much of a PostgreSQL 14 as is asked. */
function serveOld(socket: Socket): void {
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready]));
    socket.once('data', () => {
      const column = Buffer.from([0, 1, ...Buffer.from('version\0'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 23, 0, 4, 255, 255, 255, 255, 0, 0]);
      const row = Buffer.from([0, 1, 0, 0, 0, 2, ...Buffer.from('14')]);
      socket.write(Buffer.concat([message('T', column), message('D', row), message('C', 'SELECT 1\0'), ready]));
    });
  });
}

async function expectOneLine(url: string, named: string[], reason: RegExp, run: Run = {}): Promise<void> {
  const { code, lines } = await start(url, run);
  expect([lines.length, code]).toEqual([1, 1]);
  expect(lines[0]).toMatch(reason);
  for (const name of named) expect(lines[0]).toContain(name);
  expect(lines[0]).not.toContain(secret);
}

const at = (port: number, rest = '') => `postgres://someone:${secret}@127.0.0.1:${port}/wanted${rest}`;

test('a database that nothing serves, or something else, ends the start in one line that names it', async () => {
  const http = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'));
  const silent = await listen(() => {});
  const noTls = await listen((socket) => socket.once('data', () => socket.write('N')));
  const closed = await freePort();
  const old = await listen(serveOld);
  const named = ['"wanted"', '127.0.0.1'];
  await expectOneLine(at(closed), [...named, String(closed)], /nothing listens there/);
  await expectOneLine(at(http), [...named, String(http)], /PostgreSQL may not be what listens there/);
  await expectOneLine(at(silent), named, /no answer within 5 seconds/);
  await expectOneLine(at(noTls, '?sslmode=no-verify'), named, /does not support SSL/);
  await expectOneLine(at(old), named, /PostgreSQL 14; at least 15 is needed/);
  await expectOneLine(`postgres://u:${secret}@no-such-host.invalid/wanted`, ['"wanted"', 'no-such-host.invalid'], /the host is unknown/);
});

test('an address that cannot be read is not repeated', async () => {
  await expectOneLine(`postgres://u:${secret}@localhost:port/wanted`, ['DATABASE_URL'], /cannot be read/);
  await expectOneLine(`postgres://u:${secret}%@localhost/wanted`, ['DATABASE_URL'], /DATABASE_URL/);
});

test('a user, a password or a database that the server refuses ends the start in one line', async () => {
  const url = new URL(inject('postgres').url);
  url.pathname = '/surely_unknown';
  await expectOneLine(url.href, ['"surely_unknown"'], /there is no database of this name/);
  url.username = 'stranger';
  url.password = secret;
  await expectOneLine(url.href, ['"surely_unknown"'], /refuses the user or the password|stranger/);
});

const programs = ['backup/backup', 'logs/verify', 'ledger/verify', 'master-key/change', 'visits/clickhouse/moving'];
test.each(programs)('%s ends in one line, too, where the database is not to be had or a setting is wrong', async (name) => {
  const program = `${name}.main.ts`;
  mkdirSync(join(home, 'data'));
  const key = Buffer.alloc(32, 5).toString('hex');
  const env = { LIVECODE_MASTER_KEY: key, LIVECODE_NEW_MASTER_KEY: key, INIT_CWD: home };
  const closed = await freePort();
  await expectOneLine(at(closed), ['"wanted"', '127.0.0.1', String(closed)], /nothing listens there/, { program, env });
  await expectOneLine(at(closed), [], /^LIVECODE_PORT: must be a whole number/, { program, env: { ...env, LIVECODE_PORT: 'x' } });
});

test('a data folder knows its database: another one is refused in one line, and so is an empty one, and nothing is written to either', async () => {
  const [own, other, empty] = [await createEmptyDatabase(), await createEmptyDatabase(), await createEmptyDatabase()];
  onTestFinished(async () => {
    for (const database of [own, other, empty]) await database.drop();
  });
  const prepareOn = async (url: string, folder: string, role = 'all') => {
    const data = join(home, folder);
    mkdirSync(data, { recursive: true });
    const env = { LIVECODE_DATA_DIR: data, LIVECODE_ROLE: role, LIVECODE_MASTER_KEY: '0'.repeat(64) };
    return start(url, { env, args: ['--prepare'] });
  };
  expect(await prepareOn(own.url, 'data')).toMatchObject({ code: 0 });
  expect(await prepareOn(other.url, 'other')).toMatchObject({ code: 0 });
  // Another host of the same site, which answers visits alone.
  expect(await prepareOn(own.url, 'redirect', 'redirect')).toMatchObject({ code: 0 });
  for (const [folder, role] of [
    ['data', 'all'],
    ['redirect', 'redirect'],
  ] as const) {
    const refused = await prepareOn(other.url, folder, role);
    expect(refused).toMatchObject({ code: 1, lines: [expect.stringContaining('this is another one')] });
    expect(await prepareOn(empty.url, folder, role)).toMatchObject({ code: 1, lines: [expect.stringContaining('this one is empty')] });
    expect(await prepareOn(own.url, folder, role)).toMatchObject({ code: 0 });
  }
  const client = new Client({ connectionString: empty.url });
  await client.connect();
  const { rows } = await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`).finally(() => client.end());
  expect(rows).toEqual([]);
});

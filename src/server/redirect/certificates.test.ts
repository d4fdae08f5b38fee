import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../kit/testing/database.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';
import { createCertificates, newNamesAnHour } from './certificates.ts';
import { createHosts } from './memory/hosts.ts';
import type { Domain } from './model.ts';
import { ask, startProcess, type TestProcess } from './testing/process.ts';
import { openRecords, type Records } from './testing/records.ts';

let database: TestDatabase;
let records: Records;
let dataDir: string;
let port: number;
let process: TestProcess;

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
  dataDir = makeTestFolder();
  port = await freePort();
  await records.addDomain('entry.example');
  await records.addDomain('s.example', 3);
  await records.addDomain('*.wild.example', 2);
  await records.addDomain('xn--fiqs8s.example', 1);
  await records.addDomain('ports.example:8080', 1);
  await records.client.query('UPDATE domain SET enabled = false WHERE id = $1', [await records.addDomain('off.example')]);
  process = await startProcess({ databaseUrl: database.url, dataDir, port });
});
afterAll(async () => {
  await process.stop();
  await records.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const statusOf = async (name: string) => (await ask(port, `/tls/allowed?domain=${encodeURIComponent(name)}`, { host: '127.0.0.1' })).status;
const counted = async () => (await ask(port, '/metrics')).body.split('\n').filter((line) => /visits_total|records_total/.test(line));

describe('a proxy that asks whether a name may have a certificate', () => {
  test.each(['entry.example', 'ENTRY.example', 's.example', 'a.wild.example', 'a.b.wild.example', 'xn--fiqs8s.example'])(
    'may make one for %s, which visits are answered on',
    async (name) => expect(await statusOf(name)).toBe(200),
  );

  test.each([
    'off.example',
    'other.example',
    'wild.example',
    'ports.example',
    '127.0.0.1',
    'entry.example:443',
    '[::1]',
    'a b',
    '',
    'x'.repeat(300),
  ])('may make none for "%s"', async (name) => expect(await statusOf(name)).toBe(404));

  test('is refused without a name, and other paths are visits as any', async () => {
    expect((await ask(port, '/tls/allowed', { host: '127.0.0.1' })).status).toBe(404);
    expect((await ask(port, '/tls/allowed?x=entry.example')).status).toBe(404);
    expect((await ask(port, '/tls/allowedness')).headers['content-type']).toContain('text/html');
  });

  test('is not counted, and hears of a change within a second', async () => {
    const before = await counted();
    expect(before.length).toBeGreaterThan(0);
    expect(await statusOf('new.example')).toBe(404);
    const id = await records.addDomain('new.example');
    await expect.poll(() => statusOf('new.example'), { interval: 20 }).toBe(200);
    await records.client.query('UPDATE domain SET enabled = false WHERE id = $1', [id]);
    await expect.poll(() => statusOf('new.example'), { interval: 20 }).toBe(404);
    expect(await counted()).toEqual(before);
  });
});

describe('new names of one registered domain', () => {
  const site = (...names: string[]) => createHosts(names.map((host, at) => ({ id: at + 1, host }) as Domain));
  const asked = (name: string) => `/tls/allowed?domain=${name}`;
  let folder: string;
  beforeEach(() => {
    folder = makeTestFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('are allowed so many an hour; those of others, and what had one before, are not held up', async () => {
    let now = Date.UTC(2026, 0, 1);
    const hosts = () => site('shop.example', '*.wild.example', '*.other.example');
    const statusOf = createCertificates({ dataDir: folder, hosts, now: () => now });
    for (let at = 0; at < newNamesAnHour; at += 1) expect(await statusOf(asked(`a${at}.wild.example`))).toBe(200);
    expect(await statusOf(asked('late.wild.example'))).toBe(429);
    expect(await statusOf(asked('deep.a0.wild.example'))).toBe(429);
    for (const name of ['a0.wild.example', 'b.other.example', 'shop.example']) expect(await statusOf(asked(name))).toBe(200);

    const afterRestart = createCertificates({ dataDir: folder, hosts, now: () => now });
    for (let at = 0; at < newNamesAnHour; at += 1) expect(await afterRestart(asked(`a${at}.wild.example`))).toBe(200);
    now += 3_600_001;
    expect(await statusOf(asked('late.wild.example'))).toBe(200);
  });

  test('count where they are registered one by one, and not what was there when the process began', async () => {
    const there = Array.from({ length: newNamesAnHour * 2 }, (_, at) => `s${at}.shop.example`);
    let hosts = site(...there);
    const statusOf = createCertificates({ dataDir: folder, hosts: () => hosts, now: () => 0 });
    for (const name of there) expect(await statusOf(asked(name))).toBe(200);
    const added = there.map((name) => `new-${name}`);
    hosts = site(...there, ...added);
    const statuses = [];
    for (const name of added) statuses.push(await statusOf(asked(name)));
    expect(statuses.filter((status) => status === 200)).toHaveLength(newNamesAnHour);
    expect(statuses.slice(newNamesAnHour)).toEqual(Array(newNamesAnHour).fill(429));
  });
});

/** Debian has it: `apt-get install caddy`. */
const hasCaddy = spawnSync('caddy', ['version']).status === 0;
if (!hasCaddy) console.log('There is no caddy on this machine: certificates on demand are not tried with one.');

describe.skipIf(!hasCaddy)('Caddy', () => {
  let folder: string;
  let caddy: ChildProcess;
  let tlsPort: number;
  beforeAll(async () => {
    folder = makeTestFolder();
    tlsPort = await freePort();
    const config = `{
      admin off
      auto_https disable_redirects
      skip_install_trust
      https_port ${tlsPort}
      on_demand_tls {
        ask http://127.0.0.1:${port}/tls/allowed
      }
    }
    https:// {
      tls internal {
        on_demand
      }
      reverse_proxy 127.0.0.1:${port}
    }`;
    mkdirSync(join(folder, 'data'));
    writeFileSync(join(folder, 'Caddyfile'), config);
    const { PATH } = globalThis.process.env;
    caddy = spawn('caddy', ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
      env: { PATH, HOME: folder, XDG_DATA_HOME: join(folder, 'data'), XDG_CONFIG_HOME: folder },
      stdio: 'ignore',
    });
  });
  afterAll(async () => {
    caddy.kill('SIGTERM');
    await once(caddy, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });

  /** The name of the certificate that is shown for a host, and the status of a visit over it. */
  const open = (servername: string) =>
    new Promise<string>((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: tlsPort, servername, rejectUnauthorized: false }, () => {
        const { subjectaltname = '' } = socket.getPeerCertificate();
        socket.write(`GET /healthz HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`);
        socket.once('data', (chunk) => resolve(`${subjectaltname} ${chunk.toString().split(' ')[1]}`));
      });
      socket.once('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    });

  test('makes certificates for our domains as they are first asked for, and for no other name', async () => {
    await expect.poll(() => open('entry.example'), { timeout: 20_000 }).toBe('DNS:entry.example 200');
    expect(await open('s.example')).toBe('DNS:s.example 200');
    expect(await open('a.wild.example')).toBe('DNS:a.wild.example 200');
    for (const name of ['other.example', 'off.example']) expect(await open(name)).toMatch(/^ERR_SSL|ECONNRESET/);
    await records.addDomain('later.example');
    await expect.poll(() => open('later.example')).toBe('DNS:later.example 200');
  });

  test('makes none for a name beyond what its registered domain has in an hour, and goes on with those that have one', async () => {
    await records.addDomain('*.full.example', 2);
    await expect.poll(() => open('n0.full.example')).toBe('DNS:n0.full.example 200');
    for (let at = 1; at < newNamesAnHour; at += 1) expect(await statusOf(`n${at}.full.example`)).toBe(200);
    expect(await open('late.full.example')).toMatch(/^ERR_SSL|ECONNRESET/);
    for (const name of ['n0.full.example', 'n1.full.example']) expect(await open(name)).toBe(`DNS:${name} 200`);
  });
});

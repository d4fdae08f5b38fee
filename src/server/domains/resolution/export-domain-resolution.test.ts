import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { settingsOf } from '../../../contract/settings.ts';
import { readPerson } from '../../kit/calls/authentication.ts';
import { scopeOf } from '../../kit/calls/context.ts';
import type { OperationJob } from '../../kit/jobs/operations.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { neededRecords } from '../checks/records.ts';
import { domainResolutionExport, domainZoneKind } from './domain-resolution.export.ts';
import { zoneFile } from './domain-resolution.zone.ts';

const addresses = ['203.0.113.7', '2001:db8::7', 'sites.example.net'];
let test_app: TestApp;
let owner: TestUser;
let stranger: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
  stranger = await test_app.makeUser('customer');
  await setAddresses(addresses);
  const lines = [
    'shop.example.com',
    'example.com',
    '*.deep.shop.example.com',
    '例子.中国',
    'www.例子.中国',
    'mine.eu.org',
    'a.example.co.uk',
  ];
  await test_app.call(owner, 'domain_list', 'add_many', { lines, type: 1 });
  await test_app.call(stranger, 'domain_list', 'add_many', { lines: ['foreign.example.org'], type: 1 });
});
afterAll(() => test_app.close());

const setAddresses = (values: string[]) =>
  test_app.db.execute(sql`INSERT INTO setting (key, value) VALUES ('visit_addresses', ${JSON.stringify(values)}::jsonb)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`);

type Parsed = { name: string; type: string; value: string };
const relativeTo = (origin: string, name: string) => (name === '@' ? origin : name.endsWith('.') ? name : `${name}.${origin}`);

/** Reads a master file as RFC 1035 section 5.1 says, of what it allows as much as we write; throws on anything else. */
function parseZone(text: string): Parsed[] {
  let origin: string | undefined;
  const records: Parsed[] = [];
  for (const line of text.split('\n')) {
    const bare = line.replace(/;.*$/, '').trimEnd();
    if (bare === '') continue;
    const [first = '', ...rest] = bare.split(/\s+/);
    if (first === '$TTL') expect(Number(rest[0])).toBeGreaterThan(0);
    else if (first === '$ORIGIN') {
      origin = rest[0];
      expect(origin).toMatch(/^[a-z0-9.-]+\.$/);
    } else {
      const [dnsClass, type = '', value = '', ...none] = rest;
      if (origin === undefined) throw new Error(`a record before any origin: ${line}`);
      expect([dnsClass, none]).toEqual(['IN', []]);
      expect(first).toMatch(/^(@|(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*|\*)$/);
      records.push({ name: relativeTo(origin, first), type, value: type === 'CNAME' ? relativeTo(origin, value) : value });
    }
  }
  return records;
}

async function jobOf(user: TestUser): Promise<OperationJob & { files: string[] }> {
  const person = await readPerson(test_app.db, user.id);
  if (!person) throw new Error('the user was made a moment ago');
  const folder = await mkdtemp(join(tmpdir(), 'livecode-zone-'));
  const files: string[] = [];
  const { rows } = await test_app.db.execute<{ key: string; value: unknown }>(sql`SELECT key, value FROM setting`);
  return {
    db: test_app.db,
    person,
    actor: { user_id: user.id, impersonator: null },
    scope: scopeOf(user.id, person.role.kind),
    language: 'en-US',
    settings: settingsOf(rows),
    now: new Date('2026-05-05T12:00:00Z'),
    log: console,
    signal: new AbortController().signal,
    progress: () => {},
    onCancel: () => {},
    goOn: () => {},
    file: (ending) => {
      const path = join(folder, `file.${ending}`);
      files.push(path);
      return path;
    },
    files,
  };
}

async function zoneOfUser(user: TestUser, filters: object = {}): Promise<Parsed[]> {
  const job = await jobOf(user);
  const { file } = await domainZoneKind.run({ filters }, job);
  expect(file?.name).toBe('domains-2026-05-05.zone');
  return parseZone(await readFile(job.files[0] ?? '', 'utf8'));
}

test('the zone file holds what every domain needs: names absolute, punycode, a top without CNAME, and nobody else’s', async () => {
  const records = await zoneOfUser(owner);
  const top = (name: string) => [
    { name, type: 'A', value: '203.0.113.7' },
    { name, type: 'AAAA', value: '2001:db8::7' },
  ];
  const alias = (name: string) => ({ name, type: 'CNAME', value: 'sites.example.net.' });
  const expected = [
    ...top('example.com.'),
    ...top('mine.eu.org.'),
    ...top('xn--fsqu00a.xn--fiqs8s.'),
    alias('shop.example.com.'),
    alias('*.deep.shop.example.com.'),
    alias('www.xn--fsqu00a.xn--fiqs8s.'),
    alias('a.example.co.uk.'),
  ];
  expect(records).toHaveLength(expected.length);
  expect(records).toEqual(expect.arrayContaining(expected));
});

test('each origin stands once, whatever the order of the domains', () => {
  const needed = ['b.example.com', 'a.example.org', 'a.example.com', 'example.com', '*.example.com'].flatMap((host) =>
    neededRecords(host, ['203.0.113.7'], { records: null, dns_state: null }),
  );
  const text = zoneFile(needed, new Date());
  expect(text.match(/^\$ORIGIN .*$/gm)).toEqual(['$ORIGIN example.com.', '$ORIGIN example.org.']);
  expect(parseZone(text).map(({ name }) => name)).toEqual([
    'example.com.',
    '*.example.com.',
    'a.example.com.',
    'b.example.com.',
    'a.example.org.',
  ]);
});

test('a top that has to follow a name is told in a comment, because DNS has no such record', () => {
  const needed = neededRecords('example.com', ['sites.example.net'], { records: null, dns_state: 'here' });
  expect(needed).toEqual([{ name: 'example.com', zone: 'example.com', type: 'ALIAS', value: 'sites.example.net', present: true }]);
  expect(parseZone(zoneFile(needed, new Date()))).toEqual([]);
  expect(zoneFile(needed, new Date())).toContain('; @                        IN ALIAS sites.example.net.');
});

test('hosts for trying out need no records', () => {
  for (const host of ['localhost:3001', 'a.localhost', '127.0.0.1:80'])
    expect(neededRecords(host, addresses, { records: null, dns_state: null })).toEqual([]);
});

test('the filters and the chosen domains hold for the file', async () => {
  const { body } = await test_app.call(owner, 'export_domain_resolution', 'inquire', { host: '例子' });
  expect(body.content.map(({ host }) => host).sort()).toEqual(['www.xn--fsqu00a.xn--fiqs8s', 'xn--fsqu00a.xn--fiqs8s']);
  expect((await zoneOfUser(owner, { host: '例子' })).map(({ name }) => name)).toHaveLength(3);
  const chosen = body.content.filter(({ host }) => host.startsWith('www.')).map(({ id }) => id);
  expect(await zoneOfUser(owner, { ids: chosen })).toEqual([
    { name: 'www.xn--fsqu00a.xn--fiqs8s.', type: 'CNAME', value: 'sites.example.net.' },
  ]);
  expect(await zoneOfUser(stranger, { ids: chosen })).toEqual([]);
});

test('the table has a line for each record, with what is there already', async () => {
  await test_app.db.execute(sql`UPDATE domain_check SET dns_state = 'partly', checked_at = now(),
    records = '{"a": ["203.0.113.7", "198.51.100.1"], "aaaa": [], "cname": [], "error": null}'
    WHERE domain_id = (SELECT id FROM domain WHERE host = 'example.com')`);
  const job = await jobOf(owner);
  const { total, portions } = await domainResolutionExport.open({ host: 'example.com' }, job);
  const read = await Array.fromAsync(portions);
  expect([total, ...read.map(({ rows }) => rows)]).toEqual([3, 3]);
  const rows = read.flatMap(({ lines }) => lines);
  const keys = domainResolutionExport.columns.map(({ key }) => key);
  const cells = (row: (typeof rows)[number], ...wanted: string[]) => wanted.map((key) => row[keys.indexOf(key)]);
  const shown = rows.map((row) => cells(row, 'host', 'record_type', 'record_value', 'present', 'found'));
  expect(shown).toEqual(
    expect.arrayContaining([
      ['example.com', 'A', '203.0.113.7', 'Present', 'A 203.0.113.7; A 198.51.100.1'],
      ['example.com', 'AAAA', '2001:db8::7', 'Not found', 'A 203.0.113.7; A 198.51.100.1'],
    ]),
  );
  const { body } = await test_app.call(owner, 'export_domain_resolution', 'inquire', { host: 'example.com', dns_state: 'partly' });
  expect(body.content).toMatchObject([
    { host: 'example.com', needed: [{ present: true }, { present: false }], found: ['A 203.0.113.7', 'A 198.51.100.1'] },
  ]);
});

test('an export is an operation of the caller, in each format, and its right is asked for again when it runs', async () => {
  for (const format of ['csv', 'xlsx', 'zone'] as const) {
    const { body } = await test_app.call(owner, 'export_domain_resolution', 'export', { filters: {}, format });
    expect(body.operation_id).toBeGreaterThan(0);
  }
  const job = await jobOf(owner);
  const without = { ...job, person: { ...job.person, nodes: new Set<never>() } };
  await expect(domainZoneKind.run({ filters: {} }, without)).rejects.toThrow('forbidden');
});

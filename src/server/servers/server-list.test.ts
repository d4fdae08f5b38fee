import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { log as logRows } from '../kit/rows/tables.ts';
import { startOnBus } from '../kit/testing/on-bus.ts';
import { checkServer, startServerChecks } from './checks.ts';
import { readFigures } from './figures.ts';
import { createServersSite, type ServersSite } from './testing/site.ts';
import { newHostKey, newUserKey, startSshServer, type TestSshServer } from './testing/ssh-server.ts';

let site: ServersSite;
let opened: TestSshServer[] = [];
beforeAll(async () => {
  site = await createServersSite();
});
afterEach(async () => {
  await Promise.all(opened.map((ssh) => ssh.close()));
  opened = [];
  await site.db.execute(sql`DELETE FROM server`);
});
afterAll(() => site.close());

async function ssh(options: Parameters<typeof startSshServer>[0] = { password: 'secret' }): Promise<TestSshServer> {
  const started = await startSshServer(options);
  opened.push(started);
  return started;
}
const testIt = async (id: number) => (await site.call(site.owner, 'server_list', 'test', { id })).body;
const only = async () => (await site.call(site.owner, 'server_list', 'inquire', {})).body.content[0];

test('the first connection pins the host key and reads how the server does', async () => {
  const { id } = await site.addServer(await ssh(), { name: 'one' });
  expect(await only()).toMatchObject({ state: 'unknown', host_key: null, figures: null, hours: [], uptime: null });
  const result = await testIt(id);
  expect(result).toMatchObject({ state: 'online', error: null, host_key: expect.stringMatching(/^SHA256:[\w+/]{43}$/) });
  const row = await only();
  expect(row).toMatchObject({ host_key_type: 'ssh-ed25519', offered_key: null, uptime: 1, hours: [{ checks: 1, answered: 1 }] });
  expect(row?.figures?.cpus).toBeGreaterThan(0);
  expect(row?.figures?.memory_used).toBeGreaterThan(1_000_000);
  expect(row?.figures?.disk_total).toBeGreaterThan(1_000_000);
  expect(row?.figures?.load_1).toBeGreaterThanOrEqual(0);
  expect(row?.figures?.versions.kernel).toMatch(/^\d/);
  expect(JSON.stringify(row)).not.toContain('secret');
});

test('a host that shows another key is refused before a login, with both fingerprints, until that key is accepted on purpose', async () => {
  const first = await ssh({ password: 'secret', hostKey: newHostKey() });
  const { id } = await site.addServer(first, { name: 'one' });
  const { host_key: pinned } = await testIt(id);
  await first.close();
  opened = [];
  const second = await ssh({ password: 'secret', hostKey: newHostKey(), port: first.port });
  const refused = await testIt(id);
  expect(refused).toMatchObject({ state: 'key_changed', host_key: pinned });
  const { offered_key } = await site.stored(id);
  expect(offered_key).toMatch(/^SHA256:/);
  expect(refused.error).toContain(pinned);
  expect(refused.error).toContain(offered_key);
  expect(second.logins).toEqual([]);

  const pin = async (host_key: string, proof: object) => site.call(site.owner, 'server_list', 'pin', { id, host_key, ...proof });
  expect((await pin(offered_key ?? '', {})).body.fields).toEqual({ password: 'required' });
  expect((await pin(`SHA256:${'A'.repeat(43)}`, await site.proof())).body.code).toBe('conflict.changed');
  expect((await pin(offered_key ?? '', await site.proof())).body).toMatchObject({ host_key: offered_key, offered_key: null });
  expect(await testIt(id)).toMatchObject({ state: 'online', host_key: offered_key });
  expect((await only())?.host_key_type).toBe('ssh-ed25519');
  const rows = await site.db.select().from(logRows).where(eq(logRows.type, 'server_list/pin'));
  expect(rows).toMatchObject([{ changes: { before: { host_key: pinned }, after: { host_key: offered_key } } }]);
});

test('two first connections that meet different keys do not both count', async () => {
  const [one, other] = [await ssh(), await ssh()];
  const { id } = await site.addServer(one, { name: 'one' });
  const row = await site.stored(id);
  expect((await checkServer(site.means, row)).state).toBe('online');
  // As if it had been read before the first one pinned: the same row, another host behind the name.
  await site.db.execute(sql`UPDATE server SET port = ${other.port} WHERE id = ${id}`);
  expect((await checkServer(site.means, { ...row, port: other.port })).state).toBe('key_changed');
});

test('keys are checked when they are typed, kept sealed, and open the server', async () => {
  const key = newUserKey({ passphrase: 'open sesame' });
  const server = await ssh({ publicKey: key.public });
  const values = { name: 'one', host: '127.0.0.1', port: server.port, ssh_user: 'deploy', auth: 'key' as const };
  const add = async (credentials: object) =>
    site.call(site.owner, 'server_list', 'add', { ...values, ...credentials, ...(await site.proof()) });
  expect((await add({})).body.fields).toEqual({ private_key: 'required' });
  expect((await add({ private_key: 'no key' })).body.fields).toEqual({ private_key: 'private_key' });
  expect((await add({ private_key: key.public })).body.fields).toEqual({ private_key: 'private_key' });
  expect((await add({ private_key: key.private })).body.fields).toEqual({ passphrase: 'required' });
  expect((await add({ private_key: key.private, passphrase: 'wrong' })).body.fields).toEqual({ passphrase: 'passphrase' });
  const { body } = await add({ private_key: key.private, passphrase: 'open sesame' });
  expect(JSON.stringify(body)).not.toMatch(/PRIVATE|sesame/);
  expect(await testIt(body.id)).toMatchObject({ state: 'online' });
  const { rows } = await site.db.execute<{ text: string }>(
    sql`SELECT (SELECT string_agg(log::text, '') FROM log) || server::text AS text FROM server`,
  );
  expect(rows[0]?.text).not.toMatch(/PRIVATE|sesame|super-password/);
});

test.each([
  ['a wrong password', { password: 'other' }, 'refused', '127.0.0.1'],
  ['a host that nobody answers on', 'closed', 'offline', 'ECONNREFUSED'],
] as const)('%s is told', async (_what, options, state, words) => {
  const server = await ssh(options === 'closed' ? { password: 'secret' } : options);
  const { id } = await site.addServer(server, { name: 'one' });
  if (options === 'closed') {
    await server.close();
    opened = [];
  }
  const result = await testIt(id);
  expect(result.state).toBe(state);
  expect(result.error).toContain(words);
  expect(await only()).toMatchObject({ uptime: 0 });
});

test.each(['169.254.169.254', '::ffff:169.254.169.254', '10.0.0.1', '192.168.1.1', 'fd00::1', '168.63.129.16'])(
  'nothing is connected to at %s, which nobody allowed',
  async (host) => {
    const { id } = await site.addServer({ port: 22 }, { name: 'one', host });
    expect(await testIt(id)).toMatchObject({ state: 'offline', error: expect.stringContaining(host) });
    expect((await site.stored(id)).error).toBe('outgoing.refused_address');
  },
);

test.each(['-oProxyCommand=id', 'a b', 'a;id', 'a$(id)', "a'b", 'http://a', 'a/b', ''])('%j is no host', async (host) => {
  const values = { name: 'x', host, ssh_user: 'a', auth: 'password' as const, ssh_password: 'x' };
  const { status, body } = await site.call(site.owner, 'server_list', 'add', values);
  expect([status, Object.keys(body.fields ?? {})]).toEqual([400, ['host']]);
});

test('only a super administrator who proves himself changes servers', async () => {
  const { id } = await site.addServer(await ssh(), { name: 'one' });
  const other = await site.makeUser('super');
  await site.db.execute(
    sql`UPDATE user_account SET password_hash = (SELECT password_hash FROM user_account WHERE id = ${site.owner.id}) WHERE id = ${other.id}`,
  );
  const { password } = await site.proof();
  expect((await site.call(other, 'server_list', 'update', { id, name: 'two', password, totp: '123456' })).body.code).toBe(
    'second_factor.not_enabled',
  );
  const administrator = await site.makeUser('administrator');
  await site.db.execute(sql`INSERT INTO role_node (role_id, node_id) SELECT role.id, permission_node.id FROM role, permission_node
    WHERE role.kind = 'administrator' AND role.built_in ON CONFLICT DO NOTHING`);
  for (const [action, input] of [
    ['update', { id, name: 'two' }],
    ['test', { id }],
    ['pin', { id, host_key: `SHA256:${'A'.repeat(43)}` }],
    ['remove', { id }],
  ] as const)
    expect(
      (await site.send(administrator, `server_list/${action}`, { ...input, ...(action === 'test' ? {} : await site.proof()) })).body.code,
    ).toBe('server_list.super_only');
  expect((await site.call(site.owner, 'server_list', 'update', { id, name: 'two', password })).body.fields).toEqual({ totp: 'required' });
  expect((await site.call(site.owner, 'server_list', 'remove', { id, ...(await site.proof()), totp: '000000' })).body.fields).toEqual({
    totp: 'wrong_code',
  });
  expect((await site.call(site.owner, 'server_list', 'update', { id, name: 'two', ...(await site.proof()) })).body.name).toBe('two');
  expect((await site.call(site.owner, 'server_list', 'remove', { id, ...(await site.proof()) })).body).toEqual({ affected: 1 });
});

test('another host forgets the pinned key; a name twice is refused beside its field', async () => {
  const server = await ssh();
  const { id } = await site.addServer(server, { name: 'one' });
  await testIt(id);
  await site.addServer(server, { name: 'two' });
  const update = async (input: object) =>
    (await site.call(site.owner, 'server_list', 'update', { id, ...input, ...(await site.proof()) })).body;
  expect((await update({ name: 'two' })).fields).toEqual({ name: 'taken' });
  expect(await update({ ssh_user: 'root' })).toMatchObject({ host_key: expect.any(String) });
  expect(await update({ host: 'localhost' })).toMatchObject({ host_key: null, state: 'unknown' });
  expect((await update({ auth: 'key' })).fields).toEqual({ private_key: 'required' });
});

test('the work loop looks at every server by itself', async () => {
  const { id } = await site.addServer(await ssh(), { name: 'one' });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const loop = startOnBus(site.url, (bus) => startServerChecks({ ...site.means, bus, log }));
  await expect.poll(async () => (await site.stored(id)).state).toBe('online');
  await loop.stop();
});

test('whatever a host says of itself, figures and short lines come of it', () => {
  const now = new Date('2026-01-02T00:00:00Z');
  const told = readFigures(
    'motd\n@load\n0.50 0.25 0.10 1/2 3\n@cpus\n4\n@memory\nMemTotal: 100 kB\nMemAvailable: 25 kB\n@disk\n/dev/sda1 1000 400 600 40% /\n@uptime\n86400.00 1\n@os\nDebian\x1b[31m <b>12</b>\n@node\nv24.1.0\n',
    now,
  );
  expect(told).toMatchObject({
    cpus: 4,
    load_1: 0.5,
    load_15: 0.1,
    memory_total: 102_400,
    memory_used: 76_800,
    disk_total: 1_024_000,
    disk_used: 409_600,
  });
  expect(told).toMatchObject({ booted_at: '2026-01-01T00:00:00.000Z', versions: { os: 'Debian[31m <b>12</b>', node: '24.1.0' } });
  for (const output of ['', '\0'.repeat(1000), '@load\n'.repeat(1000), `@cpus\n${'9'.repeat(100)}`, `@os\n${'x'.repeat(5000)}`])
    expect(JSON.stringify(readFigures(output, now)).length).toBeLessThan(500);
});

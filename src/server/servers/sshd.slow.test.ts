import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { longOperationKinds } from '../administration.ts';
import { startOperations } from '../jobs/operations.runner.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { startOnBus } from '../kit/testing/on-bus.ts';
import { freePort } from '../kit/testing/ports.ts';
import { createServersSite, type ServersSite } from './testing/site.ts';
import { newUserKey } from './testing/ssh-server.ts';

const sshd = '/usr/sbin/sshd';
const isThere = existsSync(sshd);
if (!isThere) console.warn(`skipped: there is no ${sshd} (Debian: apt-get install openssh-server)`);

type Host = { port: number; folder: string; child: ChildProcess };

const makeHostKey = (folder: string): void => {
  rmSync(join(folder, 'host_key'), { force: true });
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(folder, 'host_key')]);
};

async function startSshd(folder: string, port: number): Promise<ChildProcess> {
  const child = spawn(sshd, ['-D', '-e', '-f', join(folder, 'sshd_config')], { stdio: ['ignore', 'ignore', 'pipe'] });
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      socket.destroy();
      return child;
    } catch {
      await delay(50);
    }
  }
  throw new Error('sshd did not start');
}

async function makeHost(publicKey: string): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), 'livecode-sshd-'));
  chmodSync(folder, 0o700);
  // Where sshd parts with its rights; a machine without the service has no such folder.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  makeHostKey(folder);
  writeFileSync(join(folder, 'authorized_keys'), `${publicKey}\n`, { mode: 0o600 });
  const port = await freePort();
  const lines = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${join(folder, 'host_key')}`,
    `AuthorizedKeysFile ${join(folder, 'authorized_keys')}`,
    `PidFile ${join(folder, 'pid')}`,
    'PermitRootLogin prohibit-password',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'UsePAM no',
    'StrictModes no',
  ];
  writeFileSync(join(folder, 'sshd_config'), `${lines.join('\n')}\n`);
  return { port, folder, child: await startSshd(folder, port) };
}

/** Processes of this machine that bear the word in their arguments. */
const alive = (word: string): string[] =>
  execFileSync('sh', ['-c', 'grep -la -- "$0" /proc/[0-9]*/cmdline 2>/dev/null | cut -d/ -f3; true', word], { encoding: 'utf8' })
    .split('\n')
    .filter((pid) => pid !== '' && existsSync(`/proc/${pid}/comm`) && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() !== 'grep');

describe.skipIf(!isThere)('with the sshd of the system', () => {
  let site: ServersSite;
  let hosts: Host[];
  let ids: number[];
  let worker: { stop: () => Promise<void> };
  const key = newUserKey();
  beforeAll(async () => {
    site = await createServersSite();
    hosts = await Promise.all([1, 2, 3].map(() => makeHost(key.public)));
    ids = [];
    for (const [index, { port }] of hosts.entries()) {
      const values = { name: `host ${index + 1}`, ssh_user: userInfo().username, auth: 'key', private_key: key.private, ssh_password: '' };
      ids.push((await site.addServer({ port }, values)).id);
    }
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const options = { pool: site.pool, dataDir: site.dataDir, kinds: longOperationKinds(site.means), log };
    worker = startOnBus(site.url, (bus) => startOperations({ ...options, bus }));
  });
  afterAll(async () => {
    await worker?.stop();
    for (const { child, folder } of hosts ?? []) {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    }
    await site?.close();
  });

  const call = (action: string, input: object) => site.send(site.owner, `script/${action}`, input);
  const details = async (id: number) => (await site.call(site.owner, 'script', 'run_details', { id })).body;
  const testHost = async (id: number) => (await site.call(site.owner, 'server_list', 'test', { id })).body;

  test('its key is pinned as ssh-keygen tells it, and a changed one is refused until it is accepted', async () => {
    const [id = 0] = ids;
    const [host] = hosts;
    if (!host) throw new Error('the host was made');
    const fingerprint = () => execFileSync('ssh-keygen', ['-lf', join(host.folder, 'host_key.pub')], { encoding: 'utf8' }).split(' ')[1];
    const first = fingerprint();
    expect(await testHost(id)).toMatchObject({ state: 'online', host_key: first });
    expect((await site.stored(id)).figures?.versions.kernel).toMatch(/^\d/);
    host.child.kill();
    await once(host.child, 'exit');
    makeHostKey(host.folder);
    host.child = await startSshd(host.folder, host.port);
    const refused = await testHost(id);
    expect(refused.state).toBe('key_changed');
    expect(refused.error).toContain(first);
    expect(refused.error).toContain(fingerprint());
    const { body: added } = await call('add', { name: 'unreached', body: 'true', ...(await site.proof()) });
    const { body: run } = await call('run', { id: added.id, server_ids: [id], ...(await site.proof()) });
    await eventually(async () => expect((await details(Number(run.run_id))).servers[0]?.state).toBe('unreachable'), { timeout: 20_000 });
    const host_key = fingerprint() ?? '';
    expect((await site.call(site.owner, 'server_list', 'pin', { id, host_key, ...(await site.proof()) })).status).toBe(200);
    expect(await testHost(id)).toMatchObject({ state: 'online', host_key });
  });

  test('of three servers one succeeds, one fails, one hangs and is cancelled, and nothing is left there', async () => {
    const mark = `livecode-hangs-${process.pid}`;
    // Each of them knows itself by its port.
    const body = `
      port=\${SSH_CONNECTION##* }
      echo "begun on $port: $MODE"
      case "$port" in
        ${hosts[0]?.port}) exit 0 ;;
        ${hosts[1]?.port}) echo wrong >&2; exit 7 ;;
      esac
      trap '' TERM
      (setsid sh -c 'while :; do sleep 1; done' ${mark} &)
      sh -c 'trap "" TERM HUP; while :; do sleep 1; done' ${mark} &
      sh -c 'while :; do sleep 1; done' ${mark}`;
    const parameters = [{ name: 'MODE', label: '', type: 'text', required: true, initial: '', choices: [] }];
    const { body: script } = await call('add', { name: 'three', body, parameters, ...(await site.proof()) });
    const value = `'; $(touch ${join(hosts[0]?.folder ?? '', 'canary')}) \n"`;
    const given = { id: script.id, server_ids: ids, values: { MODE: value }, parallel: 3, stop_on_failure: false };
    const { body: run } = await call('run', { ...given, ...(await site.proof()) });
    const run_id = Number(run.run_id);
    await eventually(
      async () => expect((await details(run_id)).servers.map(({ state }) => state)).toEqual(['succeeded', 'failed', 'running']),
      { timeout: 20_000 },
    );
    await eventually(() => expect(alive(mark).length).toBeGreaterThanOrEqual(3));
    expect((await call('cancel', { id: run_id })).status).toBe(200);
    await eventually(async () => expect((await details(run_id)).operation_state).toBe('cancelled'), { timeout: 30_000 });
    const { servers } = await details(run_id);
    expect(servers).toMatchObject([
      { state: 'succeeded', exit_status: 0 },
      { state: 'failed', exit_status: 7 },
      { state: 'cancelled', error: null },
    ]);
    expect(alive(mark)).toEqual([]);
    for (const [index, { id: run_server_id }] of servers.entries()) {
      const { body: output } = await site.call(site.owner, 'script', 'output', { run_server_id });
      expect(output.content).toContain(`begun on ${hosts[index]?.port}: ${value}`);
    }
    expect(existsSync(join(hosts[0]?.folder ?? '', 'canary'))).toBe(false);
    const { rows } = await site.db.execute<{ leader: number | null }>(
      sql`SELECT process_group AS leader FROM script_run_server WHERE run_id = ${run_id}`,
    );
    // sshd gives every command a session of its own: the shell leads its group.
    expect(rows.every(({ leader }) => leader !== null)).toBe(true);
  });
});

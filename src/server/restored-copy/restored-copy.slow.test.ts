import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { emitEvents } from '../kit/messages/events.ts';
import type { TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { earn } from '../ledger/testing/money.ts';
import { stranger, transfersOnChain } from '../tron/testing/sending.ts';
import { createTronSite, type TronSite } from '../tron/testing/site.ts';
import { siteWallet } from '../tron/wallets/wallets.ts';
import { hashPassword } from '../users/login/passwords.ts';
import { type Receiver, startReceiver } from '../webhooks/testing/receiver.ts';
import { copyMark, leaveCopyMark, takeCopyMark } from './restored-copy.public.ts';

const password = 'correct-horse-1';
const local = ['127.0.0.1/32'];
const backed_up_at = '2026-11-20T20:00:00.000Z';
/** Jobs that reach outside, or into what the original shares. */
const outward = ['backup.scheduled', 'servers.schedules', 'storage.clean', 'tron.readings', 'visits.digests'];

let site: TronSite;
let receiver: Receiver;
let admin: TestUser;
let agent: TestUser;
let payer: string;
beforeAll(async () => {
  site = await createTronSite({ allowedNetworks: local });
  receiver = await startReceiver();
  [admin, agent] = [await site.makeUser('super'), await site.makeUser('agent')];
  await site.db.execute(sql`UPDATE user_account SET password_hash = ${await hashPassword(password)} WHERE id = ${admin.id}`);
  await site.db.execute(sql`INSERT INTO setting (key, value) VALUES ('withdrawal_payout', '"server"'), ('withdrawal_cool_off_hours', '0')`);
  payer = (await siteWallet(site.db, site.means.vault, 'payout')).address;
  site.tron.sendTrx(payer, 2_000_000_000n);
  site.tron.sendTokens(payer, 5_000_000_000n);
  site.tron.makeSolid();
  await site.read();
  await earn(site.db, agent.id, 1_000_000_000n);
});
afterAll(async () => {
  await receiver.close();
  await site.close();
});

/** The real worker, as the supervisor starts it. */
async function startWorker(backups: string): Promise<ChildProcess> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: site.url,
    LIVECODE_DATA_DIR: site.dataDir,
    LIVECODE_ALLOWED_NETWORKS: local.join(),
    LIVECODE_BACKUP_DIR: backups,
    LIVECODE_LOG_LEVEL: 'silent',
  };
  const worker = fork(fileURLToPath(new URL('../worker.ts', import.meta.url)), { env });
  onTestFinished(() => {
    worker.kill('SIGKILL');
  });
  await once(worker, 'message');
  return worker;
}

/** Work within the site that was asked for now, and is done. */
async function exportLog(): Promise<void> {
  const { body } = await site.call(admin, 'log', 'export', { format: 'csv' });
  const state = async () => (await site.db.execute(sql`SELECT state FROM async_operation WHERE id = ${body.operation_id}`)).rows;
  await eventually(async () => expect(await state()).toEqual([{ state: 'completed' }]));
}

const outwardJobs = async () => {
  const names = sql.param(outward);
  const { rows } = await site.db.execute<{ name: string }>(
    sql`SELECT name FROM recurring_job WHERE name = ANY (${names}::text[]) ORDER BY name`,
  );
  return rows.map(({ name }) => name);
};
const needs = async (as: TestUser) => (await site.call(as, 'home', 'needs', {})).body.content.map(({ kind }) => kind);

test('a restored copy works and sends nothing until an administrator says that it is the site; then what waits is sent', async () => {
  // As a restore leaves it, and the next start finds it.
  leaveCopyMark(site.dataDir, { backed_up_at, restored_at: new Date().toISOString() });
  expect(await takeCopyMark(site.db, site.dataDir)).toBe(true);
  expect([existsSync(join(site.dataDir, copyMark)), await takeCopyMark(site.db, site.dataDir)]).toEqual([false, false]);
  const backups = makeTestFolder();
  mkdirSync(backups, { recursive: true });
  const ofOriginal = 'livecode-20260101T000000Z.tar.zst';
  writeFileSync(join(backups, ofOriginal), '');

  expect((await site.send(agent, 'webhook/add', { url: receiver.url })).status).toBe(200);
  const address = stranger();
  const { body: asked } = await site.call(agent, 'acting_withdrawal_list', 'add', { amount: '12', address });
  expect((await site.call(admin, 'withdrawal_list', 'approve', { id: asked.id, password })).status).toBe(200);
  await emitEvents(site.db, [{ type: 'code.changed', owner_id: agent.id, data: { id: 1, name: '活码' } }]);

  const worker = await startWorker(backups);
  await exportLog();
  site.tron.makeSolid();
  const paid = () => transfersOnChain(site, payer, address);
  expect([receiver.received.length, paid(), await outwardJobs(), readdirSync(backups)]).toEqual([0, 0, [], [ofOriginal]]);
  const { body: held } = await site.call(admin, 'restored_copy', 'inquire', {});
  expect(held).toMatchObject({ backed_up_at, waiting: { pushes: 0, payouts: 1, collections: 0 } });
  expect(held.waiting.webhooks).toBeGreaterThan(0);
  expect([await needs(admin), await needs(agent)]).toEqual([
    expect.arrayContaining(['restored_copy']),
    expect.not.arrayContaining(['restored_copy']),
  ]);

  const declare = (as: TestUser, given: string) => site.call(as, 'restored_copy', 'declare_site', { password: given });
  expect((await declare(agent, password)).status).toBe(403);
  expect(await declare(admin, 'wrong-horse-1')).toMatchObject({ status: 400, body: { fields: { password: 'wrong_password' } } });
  expect((await site.call(admin, 'restored_copy', 'inquire', {})).body.backed_up_at).toBe(backed_up_at);
  expect(receiver.received).toEqual([]);

  expect(await declare(admin, password)).toMatchObject({ status: 200, body: { backed_up_at: null } });
  await eventually(() => expect(receiver.received).toHaveLength(held.waiting.webhooks));
  await eventually(async () => {
    site.tron.makeBlock();
    expect([paid(), await outwardJobs()]).toEqual([1, outward]);
  });
  expect(await needs(admin)).not.toContain('restored_copy');
  expect(await declare(admin, password)).toMatchObject({ status: 409, body: { code: 'restored_copy.released' } });
  const { rows: acts } = await site.db.execute(sql`SELECT user_id::int, content FROM log WHERE type = 'restored_copy/declare_site'`);
  expect(acts).toEqual([{ user_id: admin.id, content: { backed_up_at, ...held.waiting } }]);

  worker.kill('SIGTERM');
  expect(await once(worker, 'exit')).toEqual([0, null]);
});

test('a worker that waits can be stopped', async () => {
  leaveCopyMark(site.dataDir, { backed_up_at, restored_at: new Date().toISOString() });
  await takeCopyMark(site.db, site.dataDir);
  const worker = await startWorker(makeTestFolder());
  worker.kill('SIGTERM');
  expect(await once(worker, 'exit')).toEqual([0, null]);
});

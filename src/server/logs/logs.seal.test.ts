import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import { Client, Pool } from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../kit/postgres/database.ts';
import { createTestDatabase, type TestDatabase } from '../kit/testing/database.ts';
import { eventually } from '../kit/testing/eventually.ts';
import { createVault } from '../kit/vault.ts';
import { removeLogRows } from './logs.remove.ts';
import { isFinal, newFrontier, sealAll, sealUpTo, startLogSealer } from './logs.seal.ts';
import { verifyLog } from './logs.verify.ts';

const vault = createVault(Buffer.alloc(32, 5));
const silent = { info: () => {}, warn: () => {}, error: () => {} };
let database: TestDatabase;
let pool: Pool;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  pool = new Pool({ connectionString: database.url, max: 8 });
  pool.on('error', () => {});
  db = openDatabase(pool);
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const write = (number: number, type = 'qr_code_list/add') =>
  db.execute(sql`
    INSERT INTO log (at, user_id, type, content, changes, ip, user_agent)
    SELECT now() - interval '40 days' + n * interval '1 second', n, ${type}, json_build_object('name', '活码 ' || n), json_build_object('before', n), '203.0.113.7', 'agent'
    FROM generate_series(1, ${number}::int) AS n`);
const verify = (head?: string) => verifyLog(db, vault, head);
const kinds = async () => (await verify()).faults.map(({ kind, id }) => `${kind} ${id}`);
/** What somebody does who can do everything to the database: the guards of tables are off for him. */
async function tamper(statement: string): Promise<void> {
  await pool.query(
    'ALTER TABLE log DISABLE TRIGGER USER; ALTER TABLE log_seal DISABLE TRIGGER USER; ALTER TABLE log_checkpoint DISABLE TRIGGER USER',
  );
  await pool.query(statement);
  await pool.query(
    'ALTER TABLE log ENABLE TRIGGER USER; ALTER TABLE log_seal ENABLE TRIGGER USER; ALTER TABLE log_checkpoint ENABLE TRIGGER USER',
  );
}

describe('the guards of the tables', () => {
  test.each([
    'UPDATE log SET user_id = 1',
    'DELETE FROM log',
    'TRUNCATE log',
    "UPDATE log_seal SET hash = ''",
    'DELETE FROM log_seal',
    'DELETE FROM log_checkpoint',
  ])('%s is refused', async (statement) => {
    await write(3);
    await sealAll(db, vault);
    await removeLogRows(db, vault, sql`id = 1`, { reason: 'clear', user_id: 1 });
    await expect(pool.query(statement)).rejects.toThrow(/never changed|through a checkpoint/);
    expect(await kinds()).toEqual([]);
  });

  test('a checkpoint of an earlier transaction, or of other rows, opens nothing', async () => {
    await write(3);
    await sealAll(db, vault);
    await removeLogRows(db, vault, sql`id = 1`, { reason: 'clear', user_id: 1 });
    const checkpoint = `INSERT INTO log_checkpoint (id, ids, number, reason, hash, signature) VALUES (9, '{[2,3)}', 1, 'clear', '', '')`;
    await expect(pool.query(`BEGIN; ${checkpoint}; DELETE FROM log WHERE id = 3; COMMIT`)).rejects.toThrow(/through a checkpoint/);
    await pool.query('ROLLBACK');
    await pool.query(checkpoint);
    await expect(pool.query('DELETE FROM log WHERE id = 2')).rejects.toThrow(/through a checkpoint/);
  });
});

describe('verifying', () => {
  beforeEach(async () => {
    await write(2500);
    await sealAll(db, vault);
  });

  test('an untouched log has no fault, and every row is in the chain', async () => {
    await write(5);
    expect(await verify()).toMatchObject({
      rows: 2500,
      seals: 3,
      removed: 0,
      unsealed: 5,
      faults: [],
      head: expect.stringMatching(/^3:[0-9a-f]{64}$/),
    });
    await sealAll(db, vault);
    expect(await verify()).toMatchObject({ rows: 2505, unsealed: 0, faults: [] });
  });

  test.each([
    ['the user', 'user_id = 7'],
    ['no user instead of one', 'user_id = NULL'],
    ['who really acted', 'impersonator_id = 7'],
    ['the moment, by a microsecond', "at = at + interval '1 microsecond'"],
    ['the type', "type = 'qr_code_list/remove'"],
    ['the content', `content = '{"name":"other"}'`],
    ['what was before', `changes = NULL`],
    ['the address', "ip = '203.0.113.8'"],
    ['the browser', "user_agent = ''"],
    ['the source', "source = 'api'"],
  ])('an edit of %s is found, and which row it was', async (_what, assignment) => {
    await tamper(`UPDATE log SET ${assignment} WHERE id = 1234`);
    expect(await kinds()).toEqual(['edited 1234']);
  });

  test('deleted and inserted rows are found, also the first, the last and in gaps', async () => {
    await tamper('DELETE FROM log WHERE id IN (1, 1500, 2500)');
    expect(await kinds()).toEqual(['deleted 1', 'deleted 1500', 'deleted 2500']);
    await tamper(`INSERT INTO log (id, type, content) VALUES (1500, 'admin/login', '{}'), (-3, 'admin/login', '{}')`);
    expect(await kinds()).toEqual(['deleted 1', 'edited 1500', 'deleted 2500', 'inserted -3']);
  });

  test('a row put into a gap that a rolled back transaction left is found', async () => {
    await pool.query(`BEGIN; INSERT INTO log (type, content) VALUES ('a/b', '{}'); ROLLBACK`);
    await write(1);
    await sealAll(db, vault);
    await tamper(`INSERT INTO log (id, type, content) VALUES (2501, 'admin/login', '{}')`);
    expect(await kinds()).toEqual(['inserted 2501']);
  });

  test('two rows that exchange their contents are both found', async () => {
    await tamper(
      `UPDATE log SET content = CASE id WHEN 10 THEN (SELECT content FROM log WHERE id = 11) ELSE (SELECT content FROM log WHERE id = 10) END WHERE id IN (10, 11)`,
    );
    expect(await kinds()).toEqual(['edited 10', 'edited 11']);
  });

  test('a chain made anew after an edit is found by its signatures, a shortened one by a head that was noted', async () => {
    const { head } = await verify();
    expect((await verify(head ?? '')).faults).toEqual([]);
    await write(10);
    await sealAll(db, vault);
    expect((await verify(head ?? '')).faults).toEqual([]);
    await tamper(`UPDATE log SET user_id = 7 WHERE id = 100; DELETE FROM log_seal`);
    await sealAll(db, createVault(Buffer.alloc(32, 6)));
    expect((await kinds()).every((kind) => kind.startsWith('seal '))).toBe(true);
    await tamper('DELETE FROM log_seal');
    expect((await verify(head ?? '')).faults).toMatchObject([{ kind: 'head' }]);
  });

  test('a seal whose entries were recomputed for an edited row is found', async () => {
    await tamper('UPDATE log SET user_id = 7 WHERE id = 10');
    const { rows } = await pool.query<{ entries: Buffer }>('SELECT entries FROM log_seal WHERE id = 1');
    const entries = Buffer.from(rows[0]?.entries ?? '');
    createHash('sha256')
      .update('whatever fits')
      .digest()
      .copy(entries, 9 * 40 + 8);
    await tamper(`UPDATE log_seal SET entries = '\\x${entries.toString('hex')}' WHERE id = 1`);
    expect(await kinds()).toEqual(['seal 1', 'edited 10', 'edited 11']);
  });

  test('a missing seal is found', async () => {
    await tamper('DELETE FROM log_seal WHERE id = 2');
    expect(await kinds()).toContain('seal 3');
  });
});

describe('removing by right', () => {
  test('leaves a chain without faults, counts that agree, and a record that cannot be changed unnoticed', async () => {
    await write(4500);
    await write(500, 'role/add');
    await sealAll(db, vault);
    expect(await removeLogRows(db, vault, sql`log.type = 'qr_code_list/add' AND log.id % 3 <> 0`, { reason: 'clear', user_id: 42 })).toBe(
      3000,
    );
    expect(await verify()).toMatchObject({ rows: 2000, removed: 3000, faults: [] });
    const { rows } = await pool.query('SELECT type, number FROM log_type ORDER BY type');
    expect(rows).toEqual([
      { type: 'qr_code_list/add', number: 1500 },
      { type: 'role/add', number: 500 },
    ]);
    await tamper('UPDATE log SET user_id = 7 WHERE id = 6; DELETE FROM log WHERE id = 9');
    expect(await kinds()).toEqual(['edited 6', 'deleted 9']);
    await tamper(`UPDATE log_checkpoint SET ids = ids + '{[9,10)}' WHERE id = 1`);
    expect(await kinds()).toContain('checkpoint 1');
    expect(await kinds()).toContain('edited 6');
  });

  test('what is not sealed yet stays, and is removed once it is', async () => {
    await write(10);
    expect(await removeLogRows(db, vault, sql`true`, { reason: 'retention', user_id: null })).toBe(0);
    await sealAll(db, vault);
    expect(await removeLogRows(db, vault, sql`true`, { reason: 'retention', user_id: null })).toBe(10);
    expect((await pool.query('SELECT FROM log_type')).rowCount).toBe(0);
  });
});

describe('sealing while others write', () => {
  test('a row whose transaction commits after later rows were there is neither skipped nor sealed out of order', async () => {
    const slow = new Client({ connectionString: database.url });
    await slow.connect();
    await slow.query('BEGIN');
    await slow.query(`INSERT INTO log (type, content) VALUES ('slow/one', '{}')`);
    await write(3);
    const frontier = await newFrontier(db);
    expect(frontier?.id).toBe(4);
    expect(frontier && (await isFinal(db, frontier))).toBe(false);
    await write(2);
    await slow.query('COMMIT');
    await slow.end();
    expect(frontier && (await isFinal(db, frontier))).toBe(true);
    expect(await sealUpTo(db, vault, frontier?.id ?? 0)).toBe(4);
    expect(await verify()).toMatchObject({ rows: 4, unsealed: 2, faults: [] });
  });

  test('a transaction that took an id and rolls back leaves a gap that is no fault', async () => {
    await pool.query(`BEGIN; INSERT INTO log (type, content) VALUES ('a/b', '{}'); ROLLBACK`);
    await write(2);
    await sealAll(db, vault);
    expect(await verify()).toMatchObject({ rows: 2, faults: [] });
  });

  test('sealers compete and writers never wait for them: every row is sealed once, in order', async () => {
    const sealers = [1, 2, 3].map(() => startLogSealer({ pool, vault, log: silent }));
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      const client = new Client({ connectionString: database.url });
      await client.connect();
      for (let round = 0; round < 60; round += 1) {
        await client.query('BEGIN');
        await client.query(`INSERT INTO log (type, content) SELECT 'writer/${writer}', '{}' FROM generate_series(1, $1)`, [
          (round * 7) % 13,
        ]);
        await client.query(round % 9 === 4 ? 'ROLLBACK' : 'COMMIT');
      }
      await client.end();
    });
    await Promise.all(writers);
    await Promise.all(sealers.map((sealer) => sealer.stop()));
    await sealAll(db, vault);
    const result = await verify();
    expect(result).toMatchObject({ unsealed: 0, faults: [] });
    expect((await pool.query('SELECT count(*) FROM log')).rows[0].count).toBe(result.rows);
    const { rows } = await pool.query('SELECT sum(number) AS counted, (SELECT sum(number) FROM log_seal) AS sealed FROM log_type');
    expect(rows).toEqual([{ counted: String(result.rows), sealed: result.rows }]);
  });

  test('a writing call waits neither for a sealer nor for a removal', async () => {
    await write(10);
    await sealAll(db, vault);
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('livecode log chain'))`);
    await pool.query(`SET statement_timeout = 500; INSERT INTO log (type, content) VALUES ('a/b', '{}')`);
    await holder.end();
  });

  test('rows of megabytes are sealed and verified a few at a time', { tags: 'full' }, async () => {
    await db.execute(sql`
      INSERT INTO log (type, content) SELECT 'script/add', jsonb_build_object('body', (SELECT string_agg(md5(n::text || m), '') FROM generate_series(1, 20000) AS m))
      FROM generate_series(1, 12) AS n`);
    await sealAll(db, vault);
    const result = await verify();
    expect(result).toMatchObject({ rows: 12, unsealed: 0, faults: [] });
    expect(result.seals).toBeGreaterThan(2);
  });

  test('a running sealer seals within seconds', async () => {
    const sealer = startLogSealer({ pool, vault, log: silent });
    await write(20);
    await eventually(async () => expect((await verify()).unsealed).toBe(0), { interval: 100 });
    expect((await verify()).faults).toEqual([]);
    await sealer.stop();
  });
});

describe('the command', () => {
  const run = promisify(execFile);
  const program = fileURLToPath(new URL('./verify.main.ts', import.meta.url));
  const command = (...args: string[]) => {
    const env = { DATABASE_URL: database.url, LIVECODE_MASTER_KEY: Buffer.alloc(32, 5).toString('hex'), LIVECODE_DATA_DIR: '/surely/not' };
    return run(process.execPath, [program, ...args], { env }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
    );
  };

  test('answers 0 for a good log and tells its head, 1 with every fault by name for another', { tags: 'full' }, async () => {
    await write(3);
    await sealAll(db, vault);
    const good = await command();
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('the log is what was written')]);
    const head = /head (1:[0-9a-f]{64})/.exec(good.stdout)?.[1] ?? '';
    expect((await command('--head', head)).code).toBe(0);
    expect((await command('--head', head.replace(/.$/, 'x'))).code).toBe(1);
    await tamper('DELETE FROM log WHERE id = 2');
    const bad = await command();
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('row 2 was deleted')]);
  });
});

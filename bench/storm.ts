/**
 * 300 domains blocked in one moment: `npm run bench:storm -- [--codes 100000] [--seconds 20]
 * [--rate 2000]`; see README.md beside this file.
 * The verdicts are written as the checks write them; a real worker replaces the domains, while a redirect process answers visits and is
 * compared with what it did before.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { makeDataFolder } from '../src/server/kit/folders.ts';
import { standBack } from '../src/server/kit/niceness.ts';
import { migrate } from '../src/server/kit/postgres/migrate.ts';
import { startPostgres } from '../src/server/kit/postgres/postgres.ts';
import { redirectRuntime } from '../src/server/redirect/runtime.ts';
import { workerRuntime } from '../src/server/worker.runtime.ts';
import { codeVisits } from './everything.ts';
import { codeName, type Load, type SteadyVisits, startSteadyVisits } from './load.ts';

const { values } = parseArgs({
  options: {
    codes: { type: 'string', default: '100000' },
    /** So long it is calm before. */
    seconds: { type: 'string', default: '20' },
    /** Visits a second. */
    rate: { type: 'string', default: '2000' },
  },
});
const [codes, seconds, perSecond] = [values.codes, values.seconds, values.rate].map(Number) as [number, number, number];
/** 60 owners with seven domains each, of which four are blocked, and the pool's hundred, of which sixty are. */
const [owners, ownDomains, blockedOwn, poolDomains, blockedPool] = [60, 7, 4, 100, 60];
const limit = { own: 20, pool: 40 };
const port = 3921;
/** As the supervisor starts it, in a session of its own. */
const workerNiceness = 5;
const temporaryFileSystem = 0x01021994;
const folder = mkdtempSync(join(statfsSync(tmpdir()).type === temporaryFileSystem ? '/var/tmp' : tmpdir(), 'livecode-bench-storm-'));
const dataDir = join(folder, 'data');
const children: ChildProcess[] = [];

const program = (path: string) => fileURLToPath(new URL(path, import.meta.url));
async function start(args: string[], env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  children.push(child);
  await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`${args.at(-1)} ended with code ${code}`)));
  });
  return child;
}

/** Owners, domains that were normal a moment ago, and codes on all of them in turn. */
async function fill(client: pg.Client): Promise<void> {
  await client.query(`
    INSERT INTO role (id, name, kind) VALUES (1, 'bench', 'customer');
    INSERT INTO user_account (id, account, password_hash, role_id, invitation_code)
      SELECT n, 'owner-' || n, 'none', 1, 'owner-' || n FROM generate_series(1, ${owners}) AS n;
    INSERT INTO domain (host, type) VALUES ('127.0.0.1', 1);
    INSERT INTO domain (host, type, holder_id) SELECT 'o' || owner || '-' || n || '.example.com', 2, owner
      FROM generate_series(1, ${owners}) AS owner, generate_series(1, ${ownDomains}) AS n;
    INSERT INTO domain (host, type) SELECT 'pool-' || n || '.example.com', 2 FROM generate_series(1, ${poolDomains}) AS n;
    UPDATE domain SET block_status = 1;
    UPDATE domain_monitor SET block_status = 1, status_since = now(), checked_at = now();
    -- Nothing here leads anywhere: no name server is asked.
    UPDATE domain_check SET due_at = now() + interval '1 day';
    UPDATE domain_monitor SET due_at = now() + interval '1 day';
    UPDATE shield_rule SET max_per_hour = CASE WHEN pool THEN ${limit.pool} ELSE ${limit.own} END, checked_minutes = 1440;
    ALTER TABLE live_code DISABLE TRIGGER USER; ALTER TABLE live_code_target DISABLE TRIGGER USER`);
  await client.query(
    `INSERT INTO live_code (id, file_name, owner_id, name, landing_domain_id)
      SELECT n + 1, '${codeName(0).slice(0, -1)}' || n, 1 + n % ${owners}, 'code ' || n, (
        SELECT id FROM domain WHERE type = 2 AND CASE WHEN n % 5 = 0 THEN holder_id IS NULL ELSE holder_id = 1 + n % ${owners} END
        ORDER BY id OFFSET (n / ${owners}) % CASE WHEN n % 5 = 0 THEN ${poolDomains} ELSE ${ownDomains} END LIMIT 1)
      FROM generate_series(0, $1::integer - 1) AS n`,
    [codes],
  );
  await client.query(`INSERT INTO live_code_target (live_code_id, kind, content, sort) SELECT id, 'url', 'https://target.example/' || id, 1 FROM live_code;
    INSERT INTO live_code_key (key, live_code_id, own) SELECT file_name, id, true FROM live_code;
    ALTER TABLE live_code ENABLE TRIGGER USER; ALTER TABLE live_code_target ENABLE TRIGGER USER`);
  await client.query('VACUUM ANALYZE');
}

/** The verdicts of all in one transaction; answers how many. */
async function block(client: pg.Client): Promise<number> {
  await client.query('BEGIN');
  const { rowCount } = await client.query(`
    WITH ranked AS (SELECT id, holder_id, row_number() OVER (PARTITION BY holder_id ORDER BY id) AS place FROM domain WHERE type = 2)
    UPDATE domain SET block_status = 2 FROM ranked WHERE ranked.id = domain.id
      AND ranked.place <= CASE WHEN ranked.holder_id IS NULL THEN ${blockedPool} ELSE ${blockedOwn} END`);
  await client.query(`
    INSERT INTO domain_incident (domain_id, kind, handling) SELECT id, 'blocked', 'waiting' FROM domain WHERE block_status = 2;
    SELECT pg_notify('livecode', '{"topic":"domain_incident","payload":null}')`);
  await client.query('COMMIT');
  return rowCount ?? 0;
}

const numberOf = async (client: pg.Client, query: string): Promise<number> => Number((await client.query(query)).rows[0]?.number ?? 0);
const onBlocked = (client: pg.Client) =>
  numberOf(client, 'SELECT count(*) AS number FROM live_code JOIN domain ON domain.id = landing_domain_id WHERE block_status = 2');
/** Of those that were begun and of those that wait for nothing but a limit. */
const unhandled = (client: pg.Client) =>
  numberOf(
    client,
    `SELECT count(*) AS number FROM domain_incident WHERE ended_at IS NULL AND handling = 'waiting' AND reason IS DISTINCT FROM 'limit'`,
  );

async function settled(client: pg.Client): Promise<void> {
  while ((await unhandled(client)) > 0) await delay(100);
}

const verdicts: boolean[] = [];
function say(text: string, figure: number | string, target: string, isMet: boolean): void {
  verdicts.push(isMet);
  console.log(`  ${text.padEnd(66)} ${String(figure).padStart(9)}   ${target.padEnd(12)} ${isMet ? 'met' : 'MISSED'}`);
}
async function storm(client: pg.Client, visits: SteadyVisits): Promise<void> {
  const calm = await visits.during(delay(seconds * 1000));
  const before = await onBlocked(client);
  const startedAt = performance.now();
  const number = await block(client);
  const affected = await onBlocked(client);
  console.log(`\n${number} domains blocked with ${affected} of ${codes} codes on them (before: ${before})`);
  let took = 0;
  const busy = await visits.during(settled(client).then(() => (took = performance.now() - startedAt)));
  console.log(`  all that the limits allow was done after ${(took / 1000).toFixed(1)} s`);
  const told = ({ requests_per_second, p99 }: Load) => `${requests_per_second.toFixed(0)}/s, p99 ${p99.toFixed(1)} ms`;
  console.log(`  visits: calm ${told(calm)}; storm ${told(busy)}`);
  say('visits refused or broken', busy.failures, '0', busy.failures === 0);
  say('p99 of visits, × of calm', (busy.p99 / calm.p99).toFixed(2), '< 2', busy.p99 < 2 * calm.p99);
  const most = await numberOf(
    client,
    'SELECT max(number) AS number FROM (SELECT count(*) AS number FROM failover WHERE started_at IS NOT NULL AND holder_id IS NOT NULL GROUP BY holder_id) AS used',
  );
  say('replacements of an owner within the hour', most, `≤ ${limit.own}`, most <= limit.own);
  const pool = await numberOf(client, 'SELECT count(*) AS number FROM failover WHERE started_at IS NOT NULL AND onto_pool');
  say('replacements onto the pool within the hour', pool, `≤ ${limit.pool}`, pool <= limit.pool);
  const waiting = await numberOf(client, `SELECT count(*) AS number FROM domain_incident WHERE handling = 'waiting' AND reason = 'limit'`);
  say('domains that wait for the limit, and say so', waiting, `${blockedPool - limit.pool}`, waiting === blockedPool - limit.pool);
}

/** An hour later: what waited goes on by itself. */
async function afterTheHour(client: pg.Client): Promise<void> {
  await client.query(`UPDATE failover SET started_at = started_at - interval '1 hour';
    UPDATE domain_incident SET next_attempt_at = now() WHERE handling = 'waiting' AND ended_at IS NULL;
    SELECT pg_notify('livecode', '{"topic":"domain_incident","payload":null}')`);
  for (let tries = 0; (await onBlocked(client)) > 0 && tries < 600; tries += 1) await delay(100);
  console.log('\nan hour later');
  const left = await onBlocked(client);
  say('codes on blocked domains', left, '0', left === 0);
  const circles = await numberOf(
    client,
    `SELECT count(*) AS number FROM (SELECT live_code_id FROM live_code_version WHERE action = 'domain_replaced'
      GROUP BY live_code_id HAVING count(*) > 1) AS twice`,
  );
  say('codes that were moved more than once', circles, '0', circles === 0);
  const foreign = await numberOf(
    client,
    'SELECT count(*) AS number FROM live_code AS code JOIN domain ON domain.id = landing_domain_id WHERE domain.holder_id <> code.owner_id',
  );
  say('codes on domains of others', foreign, '0', foreign === 0);
}

makeDataFolder(folder);
console.log(`Node ${process.version}, data in ${folder}`);
const postgres = await startPostgres({ dataDir });
const client = new pg.Client({ connectionString: postgres.url });
try {
  await migrate(postgres.url);
  await client.connect();
  await fill(client);
  const env = { DATABASE_URL: postgres.url, LIVECODE_OWN_POSTGRES: '1', LIVECODE_DATA_DIR: dataDir, LIVECODE_LOG_LEVEL: 'warn' };
  await start([...redirectRuntime.args, program('../src/server/redirect/main.ts')], {
    ...env,
    LIVECODE_VISIT_PORT: String(port),
    LIVECODE_SLOT: '0',
    LIVECODE_REDIRECT_PROCESSES: '1',
  });
  const worker = await start([...workerRuntime.args, program('../src/server/worker.ts')], { ...env, ...workerRuntime.env });
  if (worker.pid) standBack(worker.pid, workerNiceness);
  const visited = codeVisits(200).map((visit) => ({ ...visit, host: '127.0.0.1' }));
  const visits = await startSteadyVisits(port, perSecond, visited);
  await storm(client, visits);
  visits.stop();
  await afterTheHour(client);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await client.end();
  await delay(100);
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(verdicts.every(Boolean) ? 0 : 1);

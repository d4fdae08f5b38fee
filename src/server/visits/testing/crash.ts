import { type ChildProcess, spawn } from 'node:child_process';
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { migrate } from '../../kit/postgres/migrate.ts';
import { type Postgres, startPostgres } from '../../kit/postgres/postgres.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { segmentName } from '../../kit/visits/journal/segment.ts';
import { createVisitIdReader } from '../../kit/visits/visit-id.ts';
import { seed } from '../../seed.ts';
import { inconsistencies } from './consistency.ts';

export type CrashPlan = {
  dataDir: string;
  /** How long the load lasts. */
  seconds: number;
  /** Requests under way at a time. */
  connections: number;
  /** Live codes that are asked for, one of which has targets with thresholds. */
  codes: number;
  pauseBetweenKills: number;
  log?: (line: string) => void;
};

export type CrashReport = {
  /** Visits that got an answer with their id, and rows in the database: also of those whose answer a kill cut off. */
  answered: number;
  rows: number;
  /** Requests that were told to come again, and those that a killed process left without an answer. */
  unavailable: number;
  failed: number;
  kills: Record<'redirect' | 'loader' | 'postgres', number>;
  /** Answered visits without a row. */
  lost: string[];
  /** Rollups that differ from rows, and visits with two rows. */
  inconsistent: string[];
  /** Targets whose threshold, visits and visits left don't add up. */
  miscounted: string[];
  limited_visits: number;
};

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const limitedTargets = 4;
const thresholdOf = (plan: Pick<CrashPlan, 'seconds'>) => plan.seconds * 40;

/**
 * Runs PostgreSQL, two redirect processes and the loader under load, kills each again and again with SIGKILL and starts it anew, and
 * compares at the end what visitors were answered with what the database holds.
 */
export async function crashUnderLoad(plan: CrashPlan): Promise<CrashReport> {
  const { log = () => {} } = plan;
  const port = await freePort();
  const postgres = await startPostgres({ dataDir: plan.dataDir, log, onExit: log });
  const names = await prepare(postgres.url, port, plan);
  const env = {
    DATABASE_URL: postgres.url,
    LIVECODE_DATA_DIR: plan.dataDir,
    LIVECODE_VISIT_PORT: String(port),
    LIVECODE_REDIRECT_PROCESSES: '2',
    LIVECODE_TRUSTED_PROXIES: '127.0.0.1,::1',
    LIVECODE_LOG_LEVEL: 'silent',
  };
  const redirects = ['0', '1'].map((slot) => keepRunning(here('../../redirect/main.ts'), { ...env, LIVECODE_SLOT: slot }));
  const loader = keepRunning(here('../loader/loader.main.ts'), env);
  try {
    await Promise.all([...redirects, loader].map(({ ready }) => ready));
    const load = startLoad(port, names, plan.connections);
    const kills = { redirect: 0, loader: 0, postgres: 0 };
    const end = Date.now() + plan.seconds * 1000;
    for (let turn = 0; Date.now() < end; turn += 1) {
      await delay(plan.pauseBetweenKills);
      const victim = (['redirect', 'loader', 'redirect', 'postgres'] as const)[turn % 4] ?? 'redirect';
      const killers = {
        redirect: () => redirects[Math.floor(turn / 2) % 2]?.kill(),
        loader: loader.kill,
        postgres: () => killPostgres(postgres),
      };
      if (killers[victim]()) kills[victim] += 1;
      log(`${victim} killed; ${load.answered.length} visits answered`);
    }
    await load.stop();
    await Promise.all(redirects.map((redirect) => redirect.end()));
    log(`${load.answered.length} visits answered; waiting for the loader`);
    await loadedWhole(postgres.url);
    return { ...(await compare(postgres.url, load.answered, plan)), ...load.counts(), answered: load.answered.length, kills };
  } finally {
    await Promise.all([...redirects, loader].map((child) => child.end()));
    await postgres.stop();
  }
}

/** Answers false where it has not come back since it was killed last. */
function killPostgres(postgres: Postgres): boolean {
  const pid = postgres.pid();
  try {
    return pid !== undefined && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
}

/** Makes tables and codes; answers the codes' file names, that with thresholds first. */
export async function prepare(url: string, port: number, plan: Pick<CrashPlan, 'seconds' | 'codes'>): Promise<string[]> {
  await migrate(url);
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  await seed(pool, { adminPassword: 'of-the-crash-test', visitPort: port, dataDir: '', demo: false });
  await pool.query(
    `INSERT INTO live_code (file_name, owner_id, name, fallback_url)
      SELECT 'code' || lpad(number::text, 5, '0'), user_account.id, 'Code ' || number, 'https://fallback.example/'
      FROM user_account, generate_series(0, $1 - 1) AS number`,
    [plan.codes],
  );
  await pool.query(
    `INSERT INTO live_code_target (live_code_id, kind, content, sort, threshold)
      SELECT live_code.id, 'url', 'https://target.example/' || sort, sort, CASE WHEN file_name = 'code00000' THEN $2::integer END
      FROM live_code, generate_series(1, $1::integer) AS sort WHERE sort = 1 OR file_name = 'code00000'`,
    [limitedTargets, thresholdOf(plan)],
  );
  await pool.query(
    'INSERT INTO target_quota (target_id, remaining) SELECT id, threshold FROM live_code_target WHERE threshold IS NOT NULL',
  );
  const { rows } = await pool.query<{ file_name: string }>('SELECT file_name FROM live_code ORDER BY file_name');
  await pool.end();
  return rows.map(({ file_name }) => file_name);
}

/** A process that is started again whenever it ends, until it is ended. */
function keepRunning(program: string, env: Record<string, string>) {
  let child: ChildProcess;
  let isOver = false;
  const start = (onReady?: () => void) => {
    child = spawn(process.execPath, [program], {
      env: { ...process.env, ...env, NODE_NO_WARNINGS: '1' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    if (onReady) child.once('message', onReady);
    child.once('exit', () => {
      if (!isOver) start(onReady);
    });
  };
  const ready = new Promise<void>((resolve) => start(resolve));
  return {
    ready,
    kill: () => child.kill('SIGKILL'),
    end: async () => {
      isOver = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await gone;
    },
  };
}

/** Visitors of random codes, one in four of the one with thresholds, each from an address of its own. */
function startLoad(port: number, names: readonly string[], connections: number) {
  const answered: string[] = [];
  const counts = { unavailable: 0, failed: 0 };
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  let isOver = false;
  const octet = () => Math.floor(Math.random() * 256);
  const visit = () =>
    new Promise<void>((resolve) => {
      const name = names[Math.random() < 0.25 ? 0 : Math.floor(Math.random() * names.length)];
      const headers = {
        host: `localhost:${port}`,
        'user-agent': `Mozilla/5.0 (Linux; Android ${octet() % 20}; crash test) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36`,
        'x-forwarded-for': `114.${octet() % 8}.${octet()}.1`,
      };
      const request = http.request({ agent, host: '127.0.0.1', port, path: `/${name}`, headers, timeout: 10_000 }, (response) => {
        const id = response.headers['x-visit-id'];
        if (typeof id === 'string' && id !== 'none') answered.push(id);
        else counts.unavailable += 1;
        response.resume();
        response.once('close', resolve);
        response.once('error', () => resolve());
      });
      request.once('timeout', () => request.destroy());
      request.once('error', () => {
        counts.failed += 1;
        resolve();
      });
      request.end();
    });
  const visitor = async () => {
    while (!isOver) {
      const before = answered.length;
      await visit();
      // Nobody answers at this moment: a visitor does not come again at once.
      if (answered.length === before) await delay(5);
    }
  };
  const running = Promise.all(Array.from({ length: connections }, visitor));
  return {
    answered,
    counts: () => counts,
    stop: async () => {
      isOver = true;
      await running;
      agent.destroy();
    },
  };
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return work(client).finally(() => client.end());
}

/** Until every segment is finished and every lease given back. */
async function loadedWhole(url: string): Promise<void> {
  const limit = Date.now() + 120_000;
  for (let left = 'nothing is known yet'; ; ) {
    const isWhole = await connected(url, async (client) => {
      const { rows } = await client.query<{ segments: number; leases: number }>(
        `SELECT (SELECT count(*)::int FROM journal_segment WHERE finished_at IS NULL) AS segments, (SELECT count(*)::int FROM target_lease) AS leases`,
      );
      left = JSON.stringify(rows[0]);
      return rows[0]?.segments === 0 && rows[0].leases === 0;
    }).catch(() => false);
    if (isWhole) return;
    if (Date.now() > limit) throw new Error(`not loaded whole after two minutes: ${left}`);
    await delay(200);
  }
}

type Comparison = Pick<CrashReport, 'rows' | 'lost' | 'inconsistent' | 'miscounted' | 'limited_visits'>;

export function compare(url: string, answered: readonly string[], plan: Pick<CrashPlan, 'seconds'>): Promise<Comparison> {
  return connected(url, async (client) => {
    const segments = await client.query<{ id: number; name: string; source: string }>('SELECT id, name, source FROM journal_segment');
    const keys = await client.query<{ value: Buffer }>("SELECT value FROM secret WHERE key = 'visit_signing'");
    const positionOf = createVisitIdReader(
      keys.rows[0]?.value ?? Buffer.alloc(0),
      segments.rows.map(({ source }) => source),
    );
    const idOf = new Map(segments.rows.map(({ id, name }) => [name, BigInt(id)]));
    const visits = await client.query<{ id: string }>('SELECT id::text FROM visit');
    const stored = new Set(visits.rows.map(({ id }) => id));
    const lost = answered.filter((visitId) => {
      const at = positionOf(visitId);
      const segment = at && idOf.get(segmentName(at.source, at.number));
      return segment === undefined || !stored.has(String(segment * 2n ** 26n + BigInt(at?.offset ?? 0)));
    });
    const limited = await client.query<{ target: number; threshold: number; remaining: number; visits: number }>(
      `SELECT target.id::int AS target, threshold, remaining, count(visit.id)::int AS visits FROM live_code_target AS target
        JOIN target_quota ON target_quota.target_id = target.id LEFT JOIN visit ON visit.target_id = target.id GROUP BY target.id, remaining`,
    );
    const isWrong = ({ threshold, remaining, visits: served }: (typeof limited.rows)[number]) =>
      served > threshold || remaining + served !== threshold || threshold !== thresholdOf(plan);
    const doubled = answered.length - new Set(answered).size;
    return {
      rows: visits.rows.length,
      lost,
      inconsistent: [...(await inconsistencies(client)), ...(doubled > 0 ? [`${doubled} answers with the id of another`] : [])],
      miscounted: limited.rows.filter(isWrong).map((row) => JSON.stringify(row)),
      limited_visits: limited.rows.reduce((sum, { visits: served }) => sum + served, 0),
    };
  });
}

import type pg from 'pg';
import pino from 'pino';
import { createApp } from '../src/server/app.ts';
import { newToken } from '../src/server/kit/calls/authentication.ts';

export type Ask = <T>(path: string, payload: object) => Promise<T>;
type App = Awaited<ReturnType<typeof createApp>>;

/** The real app over its own connections. Each request comes from another address: some calls may be asked only so often from one. */
export async function openApp(pool: pg.Pool, dataDir: string): Promise<App> {
  const app = await createApp({ pool, dataDir, trustedProxies: ['127.0.0.1'], logger: pino({ level: 'error' }) });
  await app.ready();
  return app;
}

export async function openSession(pool: pg.Pool, app: App, account: string): Promise<{ ask: Ask; token: string }> {
  const { token, hash } = newToken();
  await pool.query(
    `INSERT INTO session (token_hash, user_id, expires_at) SELECT $1, user_account.id, now() + interval '1 day' FROM user_account WHERE account = $2`,
    [hash, account],
  );
  let asked = 0;
  const ask = async <T>(path: string, payload: object): Promise<T> => {
    asked += 1;
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': `198.51.100.${asked % 250}` };
    const response = await app.inject({ method: 'POST', url: `/api/${path}`, headers, payload });
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${response.body.slice(0, 300)}`);
    return response.json() as T;
  };
  return { ask, token };
}

/** Uploads a table for an import. */
export async function sendTable(app: App, token: string, table: string): Promise<{ id: string; columns: (string | null)[] }> {
  const boundary = 'xxBoundaryxx';
  const payload = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="codes.csv"\r\n\r\n${table}\r\n--${boundary}--\r\n`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': `multipart/form-data; boundary=${boundary}` };
  const response = await app.inject({ method: 'POST', url: '/api/code_import/file', headers, payload });
  if (response.statusCode !== 200) throw new Error(response.body.slice(0, 300));
  return response.json();
}

/** Milliseconds of a call at the median and the 95th percentile, after one that isn't counted. */
export async function measure(run: () => Promise<unknown>, repeat: number): Promise<{ median: number; p95: number }> {
  await run();
  const times: number[] = [];
  for (let time = 0; time < repeat; time += 1) {
    const startedAt = performance.now();
    await run();
    times.push(performance.now() - startedAt);
  }
  times.sort((one, other) => one - other);
  return { median: times[Math.floor(repeat / 2)] ?? 0, p95: times[Math.ceil(repeat * 0.95) - 1] ?? 0 };
}

const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
const sorts = [
  'created_at',
  'updated_at',
  'name',
  'file_name',
  'view_number',
  'ip_view_number',
  'today_view_number',
  'today_ip_view_number',
];

/** The first page, pages further on, every sort, every filter and searches of each kind: of many codes, few, one and none. */
export const listInputs: object[] = [
  {},
  { sort: 'created_at', order: 'desc' },
  { sort: 'created_at', order: 'desc', page_size: 200 },
  { sort: 'created_at', order: 'desc', page: 50 },
  ...sorts.map((sort) => ({ sort, order: 'desc' })),
  { sort: 'created_at', order: 'asc' },
  { sort: 'name', order: 'asc' },
  { sort: 'view_number', order: 'asc' },
  { sort: 'today_view_number', order: 'desc', page: 20 },
  { open: false },
  { open_log: false },
  { rotation_mode: 2 },
  { access_mode: 2 },
  { restriction_visit: 2 },
  { exhausted: true },
  { exhausted: false },
  { created_from: day(30), created_to: day(20) },
  ...['code', 'code55', '海报', '门', '北京海报', 'batch 7', '传单 123', 'code777777', 'x', '龘', 'no such words', '活码'].map(
    (search) => ({
      search,
      sort: 'created_at',
      order: 'desc',
    }),
  ),
  { search: '海报', open: false, access_mode: 2 },
  { search: '上海门店', sort: 'today_view_number', order: 'desc' },
];

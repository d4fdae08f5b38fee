import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { isBucketAddress, parseBucketAddress } from './kit/bucket-address.ts';
import { clickhouseName, isClickhouseAddress } from './kit/clickhouse-address.ts';
import { canonicalCidr } from './kit/network/ip.ts';
import { StartError } from './kit/start-error.ts';

/** The parts of the process tree. The journal loader belongs to `redirect`, because journals are local files. */
export const roles = ['web', 'redirect', 'worker'] as const;
export type Role = (typeof roles)[number];

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What is wrong with a value, as the operator is told after its key. */
class Problem extends Error {}

type Parse<T> = (text: string) => T;

const whole =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(number >= min && number <= max)) throw new Problem(`must be a whole number from ${min} to ${max}`);
    return number;
  };

const oneOf =
  <const T extends string>(words: readonly T[], problem: string): Parse<T> =>
  (text) => {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new Problem(problem);
    return word;
  };

const fitting =
  (pattern: RegExp, problem: string): Parse<string> =>
  (text) => {
    if (!pattern.test(text)) throw new Problem(problem);
    return text;
  };

const listOf =
  <T>(parse: Parse<T>): Parse<T[]> =>
  (text) =>
    text.split(',').map((part) => parse(part.trim()));

const role = oneOf(roles, `must be "all" or a comma list of ${roles.join(', ')}`);

const networks = listOf((entry) => {
  if (canonicalCidr(entry) === null) throw new Problem('must be a comma list of IP addresses or networks such as 10.0.0.0/8');
  return entry;
});

const keyText = fitting(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/, 'must be 32 bytes, as 64 hexadecimal digits or in base64');
const masterKey: Parse<Buffer> = (text) => Buffer.from(keyText(text), text.length === 64 ? 'hex' : 'base64');

const folderOrBucket: Parse<string> = (text) => {
  if (!isBucketAddress(text)) return resolve(text);
  if (parseBucketAddress(text)) return text;
  throw new Problem('must be a folder or s3://bucket/folder?endpoint=https://…&region=…&path_style=1');
};

const clickhouseAddress: Parse<string> = (text) => {
  if (isClickhouseAddress(text)) return text;
  throw new Problem('must be http(s)://user:password@host:8123/database');
};

const flag = oneOf(['0', '1', 'false', 'true'], 'must be 1 or 0');

interface Setting<T> {
  key: string;
  help: string;
  /** What an unset key stands for, in words where it isn't a literal value. */
  fallback: string;
  parse: Parse<T>;
  unset: () => T;
}

function setting<T>(key: string, fallback: string, help: string, parse: Parse<T>): Setting<T | undefined>;
function setting<T>(key: string, fallback: string, help: string, parse: Parse<T>, unset: () => T): Setting<T>;
function setting<T>(key: string, fallback: string, help: string, parse: Parse<T>, unset: () => T | undefined = () => undefined) {
  return { key, fallback, help, parse, unset };
}

const settings = {
  port: setting('LIVECODE_PORT', '3000', 'Port of the back office and its API.', whole(1, 65535), () => 3000),
  visitPort: setting('LIVECODE_VISIT_PORT', '3001', 'Port of the public visit path.', whole(1, 65535), () => 3001),
  dataDir: setting(
    'LIVECODE_DATA_DIR',
    './data',
    'Folder of the embedded database, journals, uploads and keys.',
    (path) => resolve(path),
    () => resolve('./data'),
  ),
  roles: setting(
    'LIVECODE_ROLE',
    'all',
    `Parts that this machine runs: all, or a comma list of ${roles.join(', ')}.`,
    (text): Role[] => (text === 'all' ? [...roles] : listOf(role)(text)),
    () => [...roles],
  ),
  redirectProcesses: setting('LIVECODE_REDIRECT_PROCESSES', 'one per core', 'Number of processes that answer visits.', whole(1, 256), () =>
    availableParallelism(),
  ),
  niceness: setting(
    'LIVECODE_NICENESS',
    '5',
    'How far back office and worker stand back behind visits where the processor is short, 0 to 19.',
    whole(0, 19),
    () => 5,
  ),
  adminPassword: setting(
    'LIVECODE_ADMIN_PASSWORD',
    'generated',
    'Password of the first administrator, read at the first start only.',
    (text) => text,
  ),
  masterKey: setting(
    'LIVECODE_MASTER_KEY',
    'a key file in the data folder',
    '32 bytes (hexadecimal or base64) that encrypt stored secrets.',
    masterKey,
  ),
  backupPlace: setting(
    'LIVECODE_BACKUP_DIR',
    'none: no backups by themselves',
    'Where backups go by themselves: a folder outside of the data folder, or one of a bucket, s3://bucket/folder.',
    folderOrBucket,
  ),
  backupHours: setting(
    'LIVECODE_BACKUP_HOURS',
    '24',
    'Hours from one of them to the next, counted from 4 in the night of the site.',
    oneOf(['1', '2', '3', '4', '6', '8', '12', '24'], 'must be one of 1, 2, 3, 4, 6, 8, 12, 24'),
    () => '24' as const,
  ),
  backupsKept: setting('LIVECODE_BACKUPS_KEPT', '7', 'Number of the newest backups that are kept there.', whole(1, 1000), () => 7),
  backupWeeks: setting('LIVECODE_BACKUP_WEEKS', '4', 'Number of weeks of which the newest backup is kept besides.', whole(0, 520), () => 4),
  backupRecipients: setting(
    'LIVECODE_BACKUP_RECIPIENTS',
    'none: not encrypted, and without the master key',
    'Comma list of public keys of age (age1…) that backups are encrypted for; the private ones stay elsewhere.',
    listOf(fitting(/^age1[02-9ac-hj-np-z]{10,}$/, 'must be a comma list of public keys of age (age1…)')),
    () => [],
  ),
  drillPlace: setting(
    'LIVECODE_DRILL_DIR',
    'beside the data folder',
    'Folder in which the newest backup is restored once a week, to see that it can be; it is emptied afterwards.',
    (path) => resolve(path),
  ),
  trustedProxies: setting(
    'LIVECODE_TRUSTED_PROXIES',
    'none',
    'Comma list of proxy addresses or networks (CIDR) whose X-Forwarded-For is believed.',
    networks,
    () => [],
  ),
  allowedNetworks: setting(
    'LIVECODE_ALLOWED_NETWORKS',
    'none',
    'Comma list of private addresses or networks (CIDR) that addresses typed in may lead to: storages, platforms, webhooks, detectors, mail server, group robots, domains under check.',
    networks,
    () => [],
  ),
  serverNetworks: setting(
    'LIVECODE_SERVER_NETWORKS',
    'none',
    'Comma list of private addresses or networks (CIDR) that servers managed over SSH may stand in, besides those of LIVECODE_ALLOWED_NETWORKS.',
    networks,
    () => [],
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'the embedded PostgreSQL',
    'An outside PostgreSQL 15 or newer.',
    fitting(/^postgres(ql)?:\/\//, 'must begin with postgres://'),
  ),
  clickhouseUrl: setting(
    'CLICKHOUSE_URL',
    'none: PostgreSQL answers alone',
    'HTTP interface of a ClickHouse that keeps visits a second time, for web and worker: http://user:password@host:8123/database.',
    clickhouseAddress,
  ),
  clickhouseCluster: setting(
    'CLICKHOUSE_CLUSTER',
    'none: one server',
    'Name of the ClickHouse cluster whose servers share the visits.',
    fitting(clickhouseName, 'must be the name of a cluster, of letters, digits and _'),
  ),
  logLevel: setting(
    'LIVECODE_LOG_LEVEL',
    'info',
    `Least level that is logged: ${logLevels.join(', ')}.`,
    oneOf(logLevels, `must be one of ${logLevels.join(', ')}`),
    () => 'info',
  ),
  demo: setting(
    'LIVECODE_DEMO',
    '0',
    '1 fills an empty database with demo data at the first start.',
    (text) => flag(text) === '1' || flag(text) === 'true',
    () => false,
  ),
  metricsToken: setting(
    'LIVECODE_METRICS_TOKEN',
    'none: this machine only',
    'Bearer token that /metrics asks for, from any machine.',
    fitting(/^[\x21-\x7e]{16,256}$/, 'must have 16 to 256 signs without blanks'),
  ),
  tronPort: setting(
    'LIVECODE_TRON_PORT',
    '3020',
    'Port, on this machine only, of the embedded TRON test network that payments run on until a real one is configured; 0: none.',
    whole(0, 65535),
    () => 3020,
  ),
  tronUrl: setting(
    'TRON_URL',
    'the embedded test network',
    'A TronGrid-compatible API that payments run on, such as https://api.trongrid.io; read at the first start, later a setting.',
    fitting(/^https?:\/\/[^\s]+$/, 'must begin with http:// or https://'),
  ),
  tronContract: setting(
    'TRON_CONTRACT',
    'USDT of the main network',
    'The token that payments are made in, with TRON_URL.',
    fitting(/^T[1-9A-HJ-NP-Za-km-z]{33}$/, 'must be an address of TRON'),
  ),
  tronApiKey: setting('TRON_API_KEY', 'none', 'The key of the API at TRON_URL.', fitting(/^[\x21-\x7e]{1,200}$/, 'must be one word')),
  simulatorPort: setting(
    'LIVECODE_SIMULATOR_PORT',
    '3010',
    'First of seven ports for the simulators of WeChat, Telegram and mail that demo data comes with; 0: demo data without them.',
    whole(0, 65_529),
    () => 3010,
  ),
} as const;

export type Config = { [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['unset']> };

/** One row per environment key, for the README and for `--help`. */
export const configHelp: readonly { key: string; help: string; fallback: string }[] = Object.values(settings).map(
  ({ key, help, fallback }) => ({ key, help, fallback }),
);

/** Thrown with one line per wrong key, so that all of them can be corrected at once. */
export class ConfigError extends StartError {
  override name = 'ConfigError';
}

/**
 * Parses the environment, without a library of schemas: each of our processes begins here, and some need no other schema. An empty value counts as unset. Paths become absolute.
 * @throws {ConfigError} naming every key that is wrong
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([name, { key, parse, unset }]) => {
    const text = env[key]?.trim();
    try {
      return [name, text ? parse(text) : unset()];
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problems.push(`${key}: ${error.message}`);
      return [name, undefined];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  // Every entry went through its own parser above; only the mapped type is lost on the way through entries.
  return Object.fromEntries(entries) as Config;
}

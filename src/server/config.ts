import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { canonicalCidr } from './kit/network/ip.ts';
import { StartError } from './kit/start-error.ts';

/** The parts of the process tree. The journal loader belongs to `redirect`, because journals are local files. */
export const roles = ['web', 'redirect', 'worker'] as const;
export type Role = (typeof roles)[number];

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(min).max(max));

const roleList = z
  .string()
  .transform((text) => (text.trim() === 'all' ? [...roles] : text.split(',').map((part) => part.trim())))
  .pipe(z.array(z.enum(roles), `must be "all" or a comma list of ${roles.join(', ')}`).min(1));

const networks = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(
    z.array(
      z.string().refine((entry) => canonicalCidr(entry) !== null, 'must be a comma list of IP addresses or networks such as 10.0.0.0/8'),
    ),
  );

const masterKey = z
  .string()
  .regex(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$/, 'must be 32 bytes, as 64 hexadecimal digits or in base64')
  .transform((text) => Buffer.from(text, text.length === 64 ? 'hex' : 'base64'));

const flag = z.enum(['0', '1', 'false', 'true'], 'must be 1 or 0').transform((text) => text === '1' || text === 'true');

interface Setting<T extends z.ZodType> {
  key: string;
  help: string;
  /** What an unset key stands for, in words where it isn't a literal value. */
  fallback: string;
  schema: T;
}

const setting = <T extends z.ZodType>(key: string, fallback: string, help: string, schema: T): Setting<T> => ({
  key,
  help,
  fallback,
  schema,
});

const settings = {
  port: setting('LIVECODE_PORT', '3000', 'Port of the back office and its API.', whole(1, 65535).default(3000)),
  visitPort: setting('LIVECODE_VISIT_PORT', '3001', 'Port of the public visit path.', whole(1, 65535).default(3001)),
  dataDir: setting(
    'LIVECODE_DATA_DIR',
    './data',
    'Folder of the embedded database, journals, uploads and keys.',
    z
      .string()
      .default('./data')
      .transform((path) => resolve(path)),
  ),
  roles: setting(
    'LIVECODE_ROLE',
    'all',
    `Parts that this machine runs: all, or a comma list of ${roles.join(', ')}.`,
    roleList.default([...roles]),
  ),
  redirectProcesses: setting(
    'LIVECODE_REDIRECT_PROCESSES',
    'one per core',
    'Number of processes that answer visits.',
    whole(1, 256).default(() => availableParallelism()),
  ),
  adminPassword: setting(
    'LIVECODE_ADMIN_PASSWORD',
    'generated',
    'Password of the first administrator, read at the first start only.',
    z.string().optional(),
  ),
  masterKey: setting(
    'LIVECODE_MASTER_KEY',
    'a key file in the data folder',
    '32 bytes (hexadecimal or base64) that encrypt stored secrets.',
    masterKey.optional(),
  ),
  trustedProxies: setting(
    'LIVECODE_TRUSTED_PROXIES',
    'none',
    'Comma list of proxy addresses or networks (CIDR) whose X-Forwarded-For is believed.',
    networks.default([]),
  ),
  allowedNetworks: setting(
    'LIVECODE_ALLOWED_NETWORKS',
    'none',
    'Comma list of private addresses or networks (CIDR) that addresses typed in may lead to: storages, platforms, webhooks, domains under check.',
    networks.default([]),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    'the embedded PostgreSQL',
    'An outside PostgreSQL 15 or newer.',
    z
      .string()
      .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
      .optional(),
  ),
  logLevel: setting(
    'LIVECODE_LOG_LEVEL',
    'info',
    `Least level that is logged: ${logLevels.join(', ')}.`,
    z.enum(logLevels).default('info'),
  ),
  demo: setting('LIVECODE_DEMO', '0', '1 fills an empty database with demo data at the first start.', flag.default(false)),
} as const;

export type Config = { [Name in keyof typeof settings]: z.output<(typeof settings)[Name]['schema']> };

/** One row per environment key, for the README and for `--help`. */
export const configHelp: readonly { key: string; help: string; fallback: string }[] = Object.values(settings).map(
  ({ key, help, fallback }) => ({ key, help, fallback }),
);

/** Thrown with one line per wrong key, so that all of them can be corrected at once. */
export class ConfigError extends StartError {
  override name = 'ConfigError';
}

/**
 * Parses the environment. An empty value counts as unset. Paths become absolute.
 * @throws {ConfigError} naming every key that is wrong
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const entries = Object.entries(settings).map(([name, { key, schema }]) => {
    const parsed = schema.safeParse(env[key]?.trim() || undefined);
    if (!parsed.success) problems.push(`${key}: ${parsed.error.issues[0]?.message ?? 'is wrong'}`);
    return [name, parsed.data];
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  // Every entry went through its own schema above; only the mapped type is lost on the way through entries.
  return Object.fromEntries(entries) as Config;
}

import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configHelp, readConfig } from './config.ts';

describe('readConfig', () => {
  test('an empty environment gives the documented defaults', () => {
    expect(readConfig({})).toEqual({
      port: 3000,
      visitPort: 3001,
      dataDir: resolve('data'),
      roles: ['web', 'redirect', 'worker'],
      redirectProcesses: availableParallelism(),
      niceness: 5,
      adminPassword: undefined,
      masterKey: undefined,
      backupPlace: undefined,
      backupHours: '24',
      backupsKept: 7,
      backupWeeks: 4,
      backupRecipients: [],
      drillPlace: undefined,
      trustedProxies: [],
      allowedNetworks: [],
      serverNetworks: [],
      databaseUrl: undefined,
      logLevel: 'info',
      demo: false,
      simulatorPort: 3010,
      metricsToken: undefined,
      tronPort: 3020,
      tronUrl: undefined,
      tronContract: undefined,
      tronApiKey: undefined,
    });
  });

  test('an empty value counts as unset', () => {
    expect(readConfig({ LIVECODE_PORT: '', DATABASE_URL: '  ' })).toMatchObject({ port: 3000, databaseUrl: undefined });
  });

  test('lists are split and trimmed', () => {
    const config = readConfig({ LIVECODE_ROLE: 'redirect, worker', LIVECODE_TRUSTED_PROXIES: '10.0.0.0/8, fd00::/8,192.0.2.1' });
    expect(config.roles).toEqual(['redirect', 'worker']);
    expect(config.trustedProxies).toEqual(['10.0.0.0/8', 'fd00::/8', '192.0.2.1']);
  });

  test('the master key is read as hexadecimal or base64', () => {
    const key = Buffer.alloc(32, 7);
    expect(readConfig({ LIVECODE_MASTER_KEY: key.toString('hex') }).masterKey).toEqual(key);
    expect(readConfig({ LIVECODE_MASTER_KEY: key.toString('base64') }).masterKey).toEqual(key);
  });

  test.each([
    ['LIVECODE_PORT', '0'],
    ['LIVECODE_PORT', '65536'],
    ['LIVECODE_PORT', '0x50'],
    ['LIVECODE_PORT', '99999999999999999999'],
    ['LIVECODE_REDIRECT_PROCESSES', '-1'],
    ['LIVECODE_NICENESS', '20'],
    ['LIVECODE_ROLE', 'web,loader'],
    ['LIVECODE_ROLE', ','],
    ['LIVECODE_TRUSTED_PROXIES', '10.0.0.0/33'],
    ['LIVECODE_TRUSTED_PROXIES', 'proxy.example'],
    ['LIVECODE_MASTER_KEY', 'secret'],
    ['LIVECODE_LOG_LEVEL', 'loud'],
    ['LIVECODE_DEMO', 'yes'],
    ['DATABASE_URL', 'mysql://localhost/x'],
  ])('%s=%s is refused by name', (key, value) => {
    expect(() => readConfig({ [key]: value })).toThrow(key);
  });

  test.each(['127.1', '010.0.0.1', '10.0.0.0/08', '0x7f.0.0.1', '2130706433', '10.0.0.0/', '1.2.3.4,', '::1/129', '10.0.0.0/8/8'])(
    'a network %s is refused in one line, as its readers would refuse it',
    (entry) => {
      for (const key of ['LIVECODE_TRUSTED_PROXIES', 'LIVECODE_ALLOWED_NETWORKS'])
        expect(() => readConfig({ [key]: entry })).toThrow(new RegExp(`^${key}: must be a comma list of IP addresses or networks[^\\n]*$`));
    },
  );

  test('all wrong keys are named at once', () => {
    expect(() => readConfig({ LIVECODE_PORT: 'x', LIVECODE_DEMO: 'x' })).toThrow(/LIVECODE_PORT.*\n.*LIVECODE_DEMO/s);
  });

  test('every key has help and a fallback', () => {
    expect(configHelp).toHaveLength(28);
    for (const row of configHelp) expect(Object.values(row).every((text) => text.length > 0)).toBe(true);
  });
});

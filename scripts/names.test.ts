import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { groups } from '../src/contract/api.ts';
import { screens } from '../src/contract/permissions.ts';

/** The specification's names that a feature does not carry: its own misspelling, what only repeats a word, and groups that are one feature. */
const features: Readonly<Record<string, string>> = {
  batche_query: 'batch-query',
  group: 'code-group',
  internal_code_grouping: 'code-group',
  no_domain_name: 'codes-without-domain',
  nodomain: 'codes-without-domain',
  rotation_type: 'content-type',
  document_type: 'content-type',
  log_type: 'log-config',
  subscriber_config_default: 'configuration',
  qr_code_access: 'statistics',
  today_statistics: 'statistics',
  we_chat_blocking_detection_configuration: 'detectors',
  admin_domain_monitor: 'domain-monitor',
  user_order: 'order',
  order_customer: 'order',
  acting_withdrawal_list: 'withdrawal-list',
  agent_daily_statistics: 'agent-statistics',
  agent_historical_statistics: 'agent-statistics',
};
/** The page that shows a route of the specification, where several are one page. */
const pages: Readonly<Record<string, string>> = { today_statistics: 'home' };
const kebab = (name: string) => name.replaceAll('_', '-');
const pascal = (name: string) => name.replace(/(?:^|[-_])(\w)/g, (_, letter: string) => letter.toUpperCase());
const featureOf = (group: string) => features[group] ?? kebab(group);

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'], { encoding: 'utf8' })
  .trim()
  .split('\n');
const named = (folder: string, names: string[]) => files.filter((path) => path.startsWith(folder) && names.includes(basename(path)));
const paths = new Set<string>(screens.map(({ path }) => path));
/** Of a table whose readers stand below its feature. */
const tablesElsewhere: Readonly<Record<string, string>> = { domain_replacement: 'domains' };
/** The folder of a feature below `src/server/`, of each table by its name. */
const folderOf = (path: string) => path.split('/')[2];
const tables = new Map(
  files
    .filter((path) => path.endsWith('.table.ts'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/pgTable\(\s*'(\w+)'/g)].map(([, name = '']) => [name, path] as const)),
);

describe('a feature has one name', () => {
  test.each(Object.keys(groups))('%s: in its contract, service, screen and texts', (group) => {
    const feature = featureOf(group);
    const contract = named('src/contract/', [`${feature}.ts`]);
    expect(contract).toHaveLength(1);
    expect(readFileSync(contract[0] ?? '', 'utf8')).toContain(`'${group}'`);
    const services = named('src/server/', [`${feature}.service.ts`]);
    expect(services).toHaveLength(1);
    const table = tables.get(group) ?? tables.get(feature.replaceAll('-', '_'));
    if (table) expect(folderOf(table)).toBe(tablesElsewhere[group] ?? folderOf(services[0] ?? ''));
    expect(named('src/locales/zh-CN/', [`${group}.json`]).length).toBeLessThanOrEqual(1);
    if (!paths.has(group)) return;
    const page = pages[group] ?? group;
    expect(named('src/web/', [`${pascal(feature)}Page.tsx`, `${pascal(page)}Page.tsx`])).not.toEqual([]);
  });

  test('no file with texts is named by what is neither a group, a screen, nor a part of one', () => {
    const parts = [
      'access_log',
      'admin_register',
      'code_version',
      'common',
      'content',
      'developer',
      'document',
      'done',
      'errors',
      'login',
      'maintain',
      'menu',
    ];
    const further = ['print_sheet', 'proof', 'push_text', 'qr_code', 'rich_text', 'settings', 'share_access', 'socket'];
    const known = new Set([...Object.keys(groups), ...paths, ...parts, ...further].map((name) => `${name}.json`));
    expect(
      named(
        'src/locales/zh-CN',
        files.map((path) => basename(path)),
      )
        .map((path) => basename(path))
        .filter((name) => name.endsWith('.json') && !known.has(name)),
    ).toEqual([]);
  });
});

describe('folders', () => {
  test('show their design: none has more than about twenty files side by side', () => {
    const sizes = Map.groupBy(
      files.filter((path) => !path.startsWith('src/locales/')),
      (path) => dirname(path),
    );
    const large = [...sizes].filter(([, inside]) => inside.length > 25).map(([folder, inside]) => `${folder}: ${inside.length}`);
    expect(large).toEqual([]);
  });
});

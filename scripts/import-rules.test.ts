import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ICruiseResult } from 'dependency-cruiser';
import { cruise } from 'dependency-cruiser';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
// @ts-expect-error The configuration is plain JavaScript, because that is what the tool reads.
import rules from '../.dependency-cruiser.mjs';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'livecode-imports-')));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** Lays out the imports (file → what it imports) and answers the names of the rules they break. */
async function brokenBy(imports: Record<string, string[]>): Promise<string[]> {
  write('package.json', JSON.stringify({ dependencies: { zod: '4', fastify: '5' }, devDependencies: { antd: '6' } }));
  for (const name of ['zod', 'fastify', 'antd', 'undeclared']) {
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
    write(`node_modules/${name}/index.js`, '');
  }
  for (const [file, targets] of Object.entries(imports)) {
    for (const target of targets) {
      const path = join(dirname(file), target);
      if (target.startsWith('.') && !(path in imports) && !target.includes('missing')) write(path, 'export const it = 1;\n');
    }
    write(file, targets.map((target, index) => `import * as it${index} from '${target}';\nconsole.log(it${index});\n`).join(''));
  }
  const { enhancedResolveOptions, ...options } = rules.options;
  const { output } = await cruise(
    ['src'],
    { ...options, tsConfig: undefined, baseDir: root, validate: true, ruleSet: { forbidden: rules.forbidden } },
    enhancedResolveOptions,
  );
  return [...new Set((output as ICruiseResult).summary.violations.map(({ rule }) => rule.name))].sort();
}

const examples: [rule: string, imports: Record<string, string[]>][] = [
  ['no-cycles', { 'src/server/users/a.ts': ['./b.ts'], 'src/server/users/b.ts': ['./a.ts'] }],
  ['everything-exists', { 'src/server/users/a.ts': ['./missing.ts'] }],
  ['no-undeclared-packages', { 'src/server/users/a.ts': ['undeclared'] }],
  ['server-runs-without-dev-packages', { 'src/server/users/a.ts': ['antd'] }],
  ['contract-imports-zod-only', { 'src/contract/users.ts': ['fastify'] }],
  ['contract-imports-zod-only', { 'src/contract/users.ts': ['node:fs'] }],
  ['drawing-imports-the-encoder-only', { 'src/qr/svg.ts': ['../contract/enums.ts'] }],
  ['server-and-web-are-apart', { 'src/server/app.ts': ['../web/main.tsx'] }],
  ['server-and-web-are-apart', { 'src/web/main.tsx': ['../server/app.ts'] }],
  ['kit-knows-no-feature', { 'src/server/kit/list.ts': ['../users/users.table.ts'] }],
  ['kit-knows-no-feature', { 'src/web/kit/ListPage.tsx': ['../users/UsersPage.tsx'] }],
  ['redirect-sees-public-doors-only', { 'src/server/redirect/decide.ts': ['../users/users.table.ts'] }],
  ['server-features-meet-in-tables-and-public-doors', { 'src/server/users/users.service.ts': ['../roles/roles.service.ts'] }],
  ['server-features-meet-in-tables-and-public-doors', { 'src/server/users/users.service.ts': ['../app.ts'] }],
  ['web-features-meet-in-routes', { 'src/web/users/UsersPage.tsx': ['../roles/RolePage.tsx'] }],
  ['web-features-meet-in-routes', { 'src/web/users/UsersPage.tsx': ['../routes.tsx'] }],
  ['web-features-meet-in-routes', { 'src/web/qr/draw.ts': ['../users/UsersPage.tsx'] }],
  ['product-does-not-import-tests', { 'src/server/users/users.service.ts': ['../kit/testing/app.ts'] }],
];

describe('import rules', () => {
  test.each(examples)('%s is broken by %j', async (rule, imports) => {
    expect(await brokenBy(imports)).toEqual([rule]);
  });

  test('every rule has an example', () => {
    const named = new Set(examples.map(([rule]) => rule));
    expect(rules.forbidden.map(({ name }: { name: string }) => name).sort()).toEqual([...named].sort());
  });

  test('what the architecture allows breaks none', async () => {
    const allowed = {
      'src/contract/users.ts': ['zod', './kit/call.ts'],
      'src/server/app.ts': ['fastify', './users/users.service.ts', './roles/roles.service.ts'],
      'src/server/kit/mount.ts': ['fastify', 'node:fs', '../../contract/kit/call.ts', '../config.ts'],
      'src/server/users/users.service.ts': [
        '../kit/mount.ts',
        './users.rules.ts',
        '../roles/roles.table.ts',
        '../domains/domains.public.ts',
      ],
      'src/server/users/users.test.ts': ['../kit/testing/app.ts', '../roles/roles.service.ts', 'antd'],
      'src/server/redirect/main.ts': ['../kit/ip.ts', '../users/users.public.ts', './decide.ts', '../config.ts'],
      'src/web/routes.tsx': ['./users/UsersPage.tsx', './roles/RolePage.tsx'],
      'src/web/users/UsersPage.tsx': ['antd', '../kit/ListPage.tsx', '../qr/draw.ts', '../../contract/users.ts'],
    };
    expect(await brokenBy(allowed)).toEqual([]);
  });
});

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { redirectRuntime } from './runtime.ts';

/** Fails the import of the library of schemas. */
const without = `import { registerHooks } from 'node:module';
  registerHooks({ resolve(name, context, next) { if (/^zod\\b/.test(name)) throw new Error('zod is imported'); return next(name, context); } });`;

test.each([
  ['redirect', './main.ts'],
  ['loader', '../visits/loader/loader.main.ts'],
])('a %s process starts without the library of schemas, which would be a third of its memory', (_, program) => {
  const hook = `data:text/javascript,${encodeURIComponent(without)}`;
  const args = [...redirectRuntime.args, '--import', hook, fileURLToPath(new URL(program, import.meta.url))];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: { ...process.env, DATABASE_URL: '', NODE_OPTIONS: '' },
  });
  expect(stdout + stderr).not.toContain('zod is imported');
  // Everything is imported, and the first thing that it asks for is missed.
  expect(stdout + stderr).toMatch(/DATABASE_URL is (not )?set/);
});

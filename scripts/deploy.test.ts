import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { expect, test } from 'vitest';
import { configHelp } from '../src/server/config.ts';

const folder = join(import.meta.dirname, '../deploy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const start = ['program/node_modules/.bin/node', '--import=./program/scripts/lib/load-stripped.mjs', 'program/src/server/main.ts'];

test('the service and the image start what `npm start` starts', () => {
  const { scripts } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'));
  expect(scripts.start).toMatch(/exec node_modules\/\.bin\/node --import=\.\/scripts\/lib\/load-stripped\.mjs src\/server\/main\.ts$/);
  expect(read('livecode.service')).toContain(`ExecStart=/srv/livecode/${start.join(' ')}\n`);
  expect(read('Dockerfile')).toContain(`ENTRYPOINT ${JSON.stringify(start).replaceAll(',', ', ')}\n`);
});

test('the image is described without a fault', () => {
  expect(validate(read('Dockerfile')).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`)).toEqual([]);
  // It finds some.
  expect(validate('FROM debian\nCMD one\nCMD two\nRUM three\n')).not.toEqual([]);
});

test('what they set exists', () => {
  const known = new Set(configHelp.map(({ key }) => key));
  const named = ['livecode.service', 'Dockerfile'].flatMap((name) => read(name).match(/\bLIVECODE_[A-Z_]+|\bDATABASE_URL/g) ?? []);
  expect(named.filter((key) => !known.has(key))).toEqual([]);
});

test.skipIf(spawnSync('caddy', ['version']).status !== 0)('the Caddyfile is one for Caddy', () => {
  const { status, stderr } = spawnSync('caddy', ['validate', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
});

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';

let root: string;
beforeEach(() => {
  root = makeTestFolder();
  cpSync(join(import.meta.dirname, 'lib'), join(root, 'scripts/lib'), { recursive: true });
  mkdirSync(join(root, 'src/server'), { recursive: true });
  write("const said: string = 'as written'; console.log(said);");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const program = () => join(root, 'src/server/main.ts');
const folder = () => join(root, 'dist/stripped');
const write = (source: string) => writeFileSync(program(), source);
const node = (...args: string[]) => execFileSync(process.execPath, args, { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } });
const strip = () => node(join(root, 'scripts/lib/strip.main.mjs'));
const run = () => node('--import', join(root, 'scripts/lib/load-stripped.mjs'), program()).trim();

test('a program is read as it lies without types, and as it is written where it was changed since', () => {
  expect([existsSync(folder()), run()]).toEqual([false, 'as written']);
  strip();
  const [name = '', ...others] = readdirSync(folder());
  expect([others, readFileSync(join(folder(), name), 'utf8')]).toEqual([[], expect.not.stringContaining(': string')]);
  writeFileSync(join(folder(), name), "console.log('as laid down');");
  expect(run()).toBe('as laid down');

  write("const said: string = 'as changed'; console.log(said);");
  expect(run()).toBe('as changed');
  strip();
  expect(readdirSync(folder())).not.toContain(name);
  expect(run()).toBe('as changed');
});

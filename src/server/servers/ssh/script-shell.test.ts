import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { createFrameReader, type Ending } from './following.ts';
import { announcement, endingInput, followInput, readAnnouncement, scriptInput } from './script-shell.ts';

/** A shell as a host has it: it leads a group of its own. */
function openShell(env: NodeJS.ProcessEnv) {
  const shell = spawn('/bin/sh', ['-s'], { detached: true, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const chunks: Buffer[] = [];
  shell.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  return { shell, closed: once(shell, 'close'), printed: () => Buffer.concat(chunks) };
}

async function ask(env: NodeJS.ProcessEnv, input: string): Promise<Buffer> {
  const { shell, closed, printed } = openShell(env);
  shell.stdin.end(input);
  await closed;
  return printed();
}

test('what a script printed just before it was ended is told, however slowly it is taken in', async () => {
  const folder = makeTestFolder();
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Nothing is read from the script before it is ended.
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const begins = join(folder, 'ended');
  writeFileSync(join(bin, 'dd'), `#!/bin/sh\nwhile [ ! -e '${begins}' ]; do sleep 0.05; done\nPATH=\${PATH#*:} exec dd "$@"\n`, {
    mode: 0o755,
  });
  const env = { PATH: `${bin}:${process.env.PATH}`, TMPDIR: folder };
  const token = randomBytes(16).toString('hex');
  const { shell, closed, printed } = openShell(env);
  shell.stdin.write(announcement(token));
  const announced = () => readAnnouncement(printed().toString('latin1'), token);
  await expect.poll(announced).toBeDefined();
  shell.stdin.end(scriptInput({ body: 'echo printed\n: >"$TMPDIR/said"\nwhile :; do sleep 1; done', environment: {}, dry: false }));
  await closed;
  await expect.poll(() => existsSync(join(folder, 'said'))).toBe(true);

  const keeper = readFileSync(join(folder, `livecode-run-${token}`, 'pid'), 'utf8').trim();
  const followed = ask(env, followInput(token, 0));
  const left = ask(env, endingInput({ token, group: announced()?.group ?? null }));
  await expect.poll(() => existsSync(`/proc/${keeper}`)).toBe(false);
  writeFileSync(begins, '');
  expect(String(await left)).toBe('none\n');

  const told: string[] = [];
  const endings: Ending[] = [];
  createFrameReader(token, {
    onOutput: (bytes) => told.push(String(bytes)),
    onGap: () => {},
    onEnd: (ending) => endings.push(ending),
  })(await followed);
  expect([told.join(''), endings]).toEqual(['printed\n', [{ status: null }]]);
});

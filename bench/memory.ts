/**
 * What the whole product holds while nobody asks anything: `npm run bench:memory -- [--seconds 60] [--starts 1] [--demo] [--target 550]`. Starts it as
 * `npm start` does, waits until it has had nothing to do for so long, and adds up the proportional memory (PSS: what processes share
 * is divided among them) of every process, PostgreSQL's included. `--starts 2` measures the second start. Linux only; a machine on which others run the same Node or PostgreSQL
 * shows less, because they share the programs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { freePort } from '../src/server/kit/testing/ports.ts';
import { memoryOf } from './processes.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    target: { type: 'string', default: '550' },
    starts: { type: 'string', default: '1' },
    demo: { type: 'boolean', default: false },
  },
});

type Process = { pid: number; parent: number; name: string };

/** What a process is, in words: its program and what tells it from others that run the same. */
function nameOf(commandLine: string): string {
  const words = commandLine.split(/[\0 ]+/).filter(Boolean);
  if (words[0] === 'postgres:' || words.some((word) => word.endsWith('/postgres'))) return `postgres ${words.slice(1, 4).join(' ')}`;
  const program = words.findLast((word) => /\.(ts|mjs|js)$/.test(word));
  return program?.replace(/^.*\/(src\/server|scripts|npm)\//, '') ?? words.join(' ');
}

function processes(): Process[] {
  const found: Process[] = [];
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'latin1');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      found.push({ pid: Number(entry), parent, name: nameOf(readFileSync(`/proc/${entry}/cmdline`, 'latin1')) });
    } catch {
      // It ended meanwhile.
    }
  }
  return found;
}

function below(root: number): Process[] {
  const all = processes();
  const tree = all.filter(({ pid }) => pid === root);
  for (const one of tree) tree.push(...all.filter(({ parent }) => parent === one.pid));
  return tree;
}

const home = makeTestFolder();
const root = fileURLToPath(new URL('..', import.meta.url));
const env = {
  ...process.env,
  LIVECODE_DATA_DIR: join(home, 'data'),
  LIVECODE_PORT: String(await freePort()),
  LIVECODE_VISIT_PORT: String(await freePort()),
};

/** Runs the product until it is ready, then what is to be done, then stops it. */
async function withProduct(work: (pid: number) => Promise<void>): Promise<void> {
  const demo = values.demo ? ['--', '--demo'] : [];
  const product = spawn('npm', ['start', '--silent', ...demo], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(product, 'exit');
  let said = '';
  product.stdout.on('data', (chunk) => {
    said += chunk;
  });
  while (!said.includes('Livecode is running')) {
    if (product.exitCode !== null) throw new Error(`The product did not start:\n${said}`);
    await delay(200);
  }
  await work(product.pid ?? 0).finally(async () => {
    product.kill('SIGTERM');
    await ended;
  });
}

async function measure(root: number): Promise<void> {
  await delay(Number(values.seconds) * 1000);
  let total = 0;
  for (const { pid, name } of below(root)) {
    const { pss, own } = memoryOf(pid);
    if (pss === 0) continue;
    total += pss;
    console.log(`${pss.toFixed(1).padStart(7)} MB, ${own.toFixed(1).padStart(6)} its own  ${name}`);
  }
  const target = Number(values.target);
  console.log(`${total.toFixed(1).padStart(7)} MB together, wanted at most ${target}: ${total <= target ? 'ok' : 'MISSED'}`);
  process.exitCode = total <= target ? 0 : 1;
}

try {
  for (let start = 1; start < Number(values.starts); start += 1) await withProduct(async () => {});
  await withProduct(measure);
} finally {
  rmSync(home, { recursive: true, force: true });
}

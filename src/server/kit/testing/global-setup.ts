import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../postgres/postgres.ts';
import { clusterFolder } from '../postgres/postgres-cluster.ts';
import { clearPredecessor } from '../postgres/postgres-process.ts';
import { createDatabase } from './database.ts';
import { prepareTemplate } from './template.ts';

/** Nothing in a test's cluster has to survive a crash of the machine. */
const throwAwaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '256MB',
  shared_buffers: '128MB',
  max_connections: '300',
  logging_collector: 'off',
};

const folderPrefix = 'livecode-test-';

/** Memory spares the disk tens of megabytes a suite; containers often have only 64 MB of it, then it is the temporary folder. */
function throwAwayBase() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize > 4 * 1024 ** 3) return '/dev/shm';
  } catch {
    // Only Linux has it.
  }
  return tmpdir();
}

/** One server for the whole run: TEST_DATABASE_URL, else DATABASE_URL, else a throw-away cluster. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outside = process.env.TEST_DATABASE_URL || process.env.DATABASE_URL;
  const server = outside ? { url: outside, stop: async () => {} } : await startThrowAway();
  // The throw-away server's own has the extension that records statements, which only its superuser can make.
  const template = await createDatabase(server.url, outside ? 'template0' : 'livecode');
  // Suites without a database still run when a migration is broken; the others fail with its message.
  const problem = await prepareTemplate(template.url).then(
    () => undefined,
    (error) => String(error),
  );
  project.provide('postgres', { url: server.url, template: new URL(template.url).pathname.slice(1), problem });
  return async () => {
    await template.drop();
    await server.stop();
  };
}

async function startThrowAway() {
  const base = throwAwayBase();
  await removeLeftovers(base);
  const dataDir = join(base, `${folderPrefix}${process.pid}-${randomBytes(6).toString('hex')}`);
  const remove = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    const postgres = await startPostgres({ dataDir, settings: throwAwaySettings, initdbFlags: ['--no-sync'] });
    const stop = async () => {
      await postgres.stop();
      remove(dataDir);
    };
    return { url: postgres.url, stop };
  } catch (error) {
    remove(dataDir);
    throw error;
  }
}

/** A run that was killed leaves its server running; its folder names the process that should have stopped it. */
async function removeLeftovers(base: string) {
  for (const name of readdirSync(base).filter((entry) => entry.startsWith(folderPrefix))) {
    if (isRunning(Number(name.slice(folderPrefix.length).split('-')[0]))) continue;
    const folder = clusterFolder(join(base, name));
    if (existsSync(folder)) await clearPredecessor(folder, folder, () => {});
    rmSync(join(base, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

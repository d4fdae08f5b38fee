import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The engine of ClickHouse, where tests run on it. */
    clickhouse: string;
  }
}

/** Starts the engine that `scripts/lib/clickhouse.mjs` installed, with no data. Answers its address. */
export async function startEngine(): Promise<{ url: string; end: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'livecode-clickhouse-'));
  const engine = spawn(
    process.execPath,
    [fileURLToPath(new URL('./clickhouse.main.ts', import.meta.url)), process.env.LIVECODE_TEST_CLICKHOUSE ?? '', dataDir],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], env: { ...process.env, NODE_NO_WARNINGS: '1' } },
  );
  const [{ port }] = await Promise.race([
    once(engine, 'message'),
    once(engine, 'exit').then(() => {
      throw new Error('the engine of ClickHouse does not start');
    }),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    end: async () => {
      const gone = once(engine, 'exit');
      engine.kill('SIGKILL');
      await gone;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** The engine for a run of tests. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const { url, end } = await startEngine();
  provide('clickhouse', url);
  return end;
}

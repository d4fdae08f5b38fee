import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strippedSources } from '../../src/server/kit/stripped.ts';
import { freePort } from '../../src/server/kit/testing/ports.ts';

/** Where a running product is reached, and the administrator's password. */
export type Product = {
  backOffice: string;
  visits: string;
  visitPort: number;
  password: string;
  dataDir: string;
  /** The file of what it says: warnings and worse. */
  log: string;
  /** Of its own test network of TRON; 0 where it has none. */
  tronPort: number;
};
export type StartedProduct = Product & { stop: () => Promise<void> };

const program = fileURLToPath(new URL('../../src/server/main.ts', import.meta.url));
const readySeconds = 120;

/**
 * Starts the whole product as `npm start` does, on free ports and a folder of its own. It ends with the process that started it.
 * @param env further environment, such as LIVECODE_DEMO; LIVECODE_TRON_PORT: 'free' gives it a test network
 */
export async function startProduct(env: Record<string, string> = {}): Promise<StartedProduct> {
  const home = mkdtempSync(join(tmpdir(), 'livecode-e2e-'));
  const dataDir = env.LIVECODE_DATA_DIR ?? join(home, 'data');
  // One that is there already is as its journey made it.
  if (!existsSync(dataDir)) mkdirSync(dataDir, { mode: 0o700 });
  const [port, visitPort] = [await freePort(), await freePort()];
  const tronPort = env.LIVECODE_TRON_PORT === 'free' ? await freePort() : 0;
  const password = 'journey-password-1';
  const child = spawn(process.execPath, [...strippedSources, program], {
    env: {
      PATH: process.env.PATH,
      LIVECODE_DATA_DIR: dataDir,
      LIVECODE_PORT: String(port),
      LIVECODE_VISIT_PORT: String(visitPort),
      LIVECODE_ADMIN_PASSWORD: password,
      LIVECODE_REDIRECT_PROCESSES: '2',
      // Browser and test would starve what they wait for.
      LIVECODE_NICENESS: '0',
      LIVECODE_LOG_LEVEL: 'warn',
      LIVECODE_SIMULATOR_PORT: '0',
      // So that a journey can visit as phones in different places: the visits come from loopback.
      LIVECODE_TRUSTED_PROXIES: '127.0.0.0/8,::1',
      ...env,
      LIVECODE_TRON_PORT: String(tronPort),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const log = join(home, 'product.log');
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready in ${readySeconds} s:\n${output}`)), readySeconds * 1000);
    const hear = (chunk: Buffer): void => {
      output += chunk;
      appendFileSync(log, chunk);
      if (output.includes('Livecode is running')) resolve();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', () => reject(new Error(`ended before it was ready:\n${output}`)));
    child.once('exit', () => clearTimeout(timer));
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(home, { recursive: true, force: true });
  };
  return {
    backOffice: `http://localhost:${port}`,
    visits: `http://localhost:${visitPort}`,
    visitPort,
    password,
    dataDir,
    log,
    tronPort,
    stop,
  };
}

import { createServer } from 'node:net';
import { createInterface } from 'node:readline/promises';
import type { Config } from '../config.ts';

/** The block that a start ends with. */
export function readyBlock(config: Config, { password, watch }: { password: string | undefined; watch: boolean }): string {
  const rows: [string, string][] = [];
  if (config.roles.includes('web')) rows.push(['Back office', `http://localhost:${watch ? 5173 : config.port}`]);
  if (password) rows.push(['Account', 'admin'], ['Password', `${password}   (shown this once)`]);
  if (config.roles.includes('redirect')) rows.push(['Visits', `http://localhost:${config.visitPort}`]);
  rows.push(['Data folder', config.dataDir]);
  const lines = rows.map(([label, value]) => `  ${label.padEnd(13)}${value}`);
  return ['', '  Livecode is running. Ctrl-C stops it.', '', ...lines, ''].join('\n');
}

/** Asks in the terminal, at the first start only; without a terminal nobody could answer. */
export async function askForDemo(): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C at the question means the same as anywhere else.
  terminal.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const answer = await terminal.question('Fill the new database with demo data (3 users, 12 codes, 90 days of visits)? [y/N] ');
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

/** The port, when another program listens on it. */
export async function takenPort(ports: number[]): Promise<number | undefined> {
  for (const port of ports) {
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, () => resolve(true));
    });
    if (!isFree) return port;
    await new Promise((resolve) => server.close(resolve));
  }
  return undefined;
}

import pino from 'pino';
import type { Config } from '../config.ts';

/** The log of a part, on standard output: a line of JSON each for programs, words for who sits at a terminal. */
export async function openLog(name: string, { logLevel }: Pick<Config, 'logLevel'>): Promise<pino.Logger> {
  const options = { level: logLevel, name };
  if (!process.stdout.isTTY) return pino(options, pino.destination({ sync: true }));
  const { default: pretty } = await import('pino-pretty');
  // Synchronous: what a process says before it ends must not be lost. `name` stands before each line.
  return pino(options, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss', singleLine: true }));
}

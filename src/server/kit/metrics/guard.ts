import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Who may read metrics: this machine itself, unless a proxy asks for others; with a token set, whoever has it, and nobody else. */
export function mayReadMetrics({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>, token: string | undefined): boolean {
  if (token !== undefined) return timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));
  const remote = socket.remoteAddress ?? '';
  const isLoopback = remote === '::1' || remote.startsWith('127.') || remote.startsWith('::ffff:127.');
  return isLoopback && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;
}

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { codeOf, outside, watchedOutside } from '../testing/outside.ts';
import { guardedRequest } from './guarded-client.ts';
import { guardNetwork } from './guarded-network.ts';

const world = watchedOutside();

// In a process of its own, whose memory nobody else uses.
test('an answer that unpacks to far more than it is, is left at the bound', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 2 ** 20));
  world.answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  const before = process.memoryUsage().rss;
  const asked = guardedRequest(guardNetwork([`${outside}/32`]), { url: `http://${outside}:${world.port}/`, timeout_ms: 5_000 });
  expect(await codeOf(asked)).toBe('outgoing.too_large');
  expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
});

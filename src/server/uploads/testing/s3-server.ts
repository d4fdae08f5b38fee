import { rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { makeTestFolder } from '../../kit/testing/folder.ts';

/** The one account that the server knows. */
export const testKeys = { access_key_id: 'S3RVER', access_key_secret: 'S3RVER' };
export const loopback = ['127.0.0.0/8', '::1'];

/** A server that speaks S3 and checks signatures, with one bucket, `pictures`. */
export async function startS3(): Promise<{ endpoint: string; close: () => Promise<void> }> {
  const folder = makeTestFolder();
  const directory = join(folder, 'buckets');
  const options = { address: '127.0.0.1', port: 0, silent: true, directory, vhostBuckets: false, configureBuckets: [{ name: 'pictures' }] };
  const server = new S3rver(options);
  // It signs a bucket's own address without the slash that it was asked with, and so refuses every list: those are let in unsigned.
  server.middleware.unshift((context, next) => {
    if (/^\/[^/]+\/$/.test(context.path)) delete context.headers.authorization;
    return next();
  });
  const { port } = await server.run();
  return { endpoint: `http://127.0.0.1:${port}`, close: () => server.close().then(() => rm(folder, { recursive: true, force: true })) };
}

/** A server that answers as the test says, for what a proper one never does. */
export async function startRaw(answer: RequestListener): Promise<{ endpoint: string; server: Server; close: () => Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    server,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

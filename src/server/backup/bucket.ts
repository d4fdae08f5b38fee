import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DeleteObjectCommand, GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { parseBucketAddress } from '../kit/bucket-address.ts';
import { StartError } from '../kit/start-error.ts';
import type { ArchiveTarget } from './archive/target.ts';
import { refuseSmallDisk } from './room.ts';

/** A bucket takes at most 10,000 parts: backups of up to 160 GB. */
const partBytes = 16 * 2 ** 20;
const partsAtOnce = 2;
const connectionTimeout = 10_000;
const requestTimeout = 120_000;

export interface BackupBucket {
  /** Names in the folder. */
  list(): Promise<string[]>;
  openTarget(name: string): ArchiveTarget;
  /** Copies an object into a folder of this machine, and answers where it is. */
  fetch(name: string, folder: string, signal: AbortSignal): Promise<string>;
  remove(name: string): Promise<void>;
  close(): void;
}

/** Opens the folder of a bucket by its address (`parseBucketAddress`), with the keys of the environment. */
export function openBucket(address: string): BackupBucket {
  const place = parseBucketAddress(address);
  if (!place) throw new StartError(`${address} is no address of a bucket: s3://bucket/folder?endpoint=https://…&region=…&path_style=1`);
  const { bucket: Bucket, prefix, endpoint, region, isPathStyle } = place;
  const client = new S3Client({
    ...(endpoint ? { endpoint } : {}),
    ...(region ? { region } : endpoint ? { region: 'us-east-1' } : {}),
    forcePathStyle: isPathStyle,
    // Other servers than Amazon's don't all know its newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout, requestTimeout },
  });
  const keyOf = (name: string) => `${prefix}${name}`;
  const nameOf = (name: string) => `s3://${Bucket}/${prefix}${name}`;

  return {
    async list() {
      const names: string[] = [];
      for (let token: string | undefined; ; ) {
        const page = await client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix, Delimiter: '/', ContinuationToken: token }));
        names.push(...(page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key.slice(prefix.length)])));
        token = page.NextContinuationToken;
        if (!page.IsTruncated || !token) return names;
      }
    },
    openTarget: (name) => openUpload(client, { Bucket, Key: keyOf(name) }, nameOf(name)),
    async fetch(name, folder, signal) {
      const path = join(folder, name);
      const { Body, ContentLength } = await client.send(new GetObjectCommand({ Bucket, Key: keyOf(name) }), { abortSignal: signal });
      if (!Body) throw new StartError(`${nameOf(name)} was answered without a body.`);
      refuseSmallDisk(folder, ContentLength ?? 0);
      await pipeline(Body as Readable, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
      return path;
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }));
    },
    close: () => client.destroy(),
  };
}

/** An object that is there once all its parts are, as the bucket's server promises of an upload in parts. */
function openUpload(client: S3Client, key: { Bucket: string; Key: string }, name: string): ArchiveTarget {
  const body = new PassThrough({ highWaterMark: partBytes });
  const params = { ...key, Body: body, ContentType: 'application/octet-stream' };
  const upload = new Upload({ client, params, partSize: partBytes, queueSize: partsAtOnce });
  const done = upload.done();
  done.catch(() => {});
  return {
    name,
    async write(chunk) {
      if (body.write(chunk)) return;
      const drained = Promise.withResolvers<void>();
      body.once('drain', drained.resolve);
      await Promise.race([drained.promise, done]);
    },
    async finish(signal) {
      body.end();
      await done;
      signal.throwIfAborted();
    },
    async discard() {
      await upload.abort().catch(() => {});
      body.destroy();
    },
  };
}

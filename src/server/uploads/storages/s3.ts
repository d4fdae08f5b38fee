import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { pipeline, Readable, Transform } from 'node:stream';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Bucket, Storage } from './bucket.ts';

/** Far above any picture that was re-encoded, and above every answer that isn't one. */
const maximumAnswerBytes = 32 * 2 ** 20;
const connectionMilliseconds = 5_000;

type Options = {
  network: GuardedNetwork;
  agents: { http: HttpAgent; https: HttpsAgent };
  /** Everything of one call: connecting, sending, the answer, a second attempt. */
  deadlineMilliseconds?: number;
};

/** Where the calls of a bucket go. Aliyun's address for S3 calls: its documentation, "Accessing OSS with the AWS SDK". */
export function endpointOf({ upload_type, endpoint, region }: Pick<Bucket, 'upload_type' | 'endpoint' | 'region'>): string | undefined {
  if (endpoint !== '') return endpoint;
  return upload_type === 'oss' ? `https://s3.oss-${plainRegion(region)}.aliyuncs.com` : undefined;
}

/** People copy Aliyun's regions as `oss-cn-hangzhou`. */
const plainRegion = (region: string): string => region.replace(/^oss-/, '');

/** Ends an answer that is longer than any of ours, whatever its header says. */
function bounded(body: Readable): Readable {
  let received = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > maximumAnswerBytes) done(new Error('the storage answered with more than it may'));
      else done(null, chunk);
    },
  });
  return pipeline(body, limit, () => {});
}

/** A bucket over the S3 protocol (signature version 4). Redirects are not followed, private addresses are refused. */
export function openS3(bucket: Bucket, { network, agents, deadlineMilliseconds = 20_000 }: Options): Storage {
  const endpoint = endpointOf(bucket);
  if (endpoint) network.checkHost(endpoint);
  const client = new S3Client({
    ...(endpoint ? { endpoint } : {}),
    region: plainRegion(bucket.region) || 'us-east-1',
    credentials: { accessKeyId: bucket.access_key_id, secretAccessKey: bucket.access_key_secret },
    forcePathStyle: bucket.path_style,
    // Other servers than Amazon's don't all know its newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    followRegionRedirects: false,
    maxAttempts: 2,
    requestHandler: { httpAgent: agents.http, httpsAgent: agents.https, connectionTimeout: connectionMilliseconds },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const answer = result.response as { body?: unknown };
      if (answer.body instanceof Readable) answer.body = bounded(answer.body);
      return result;
    },
    // The lowest priority stands next to the network: what reads the answer comes after it.
    { step: 'deserialize', priority: 'low', name: 'boundedAnswer' },
  );
  const Bucket = bucket.bucket;

  /** The SDK's own timeouts end single steps; a server that sends a byte now and then would hold us for ever. */
  async function within<T>(work: (abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        const error = new Error(`the storage did not answer within ${deadlineMilliseconds / 1000} s`);
        reject(error);
        abort.abort(error);
      }, deadlineMilliseconds);
    });
    const working = work(abort.signal);
    working.catch(() => {});
    try {
      return await Promise.race([working, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    put: (Key, Body, ContentType) =>
      within(async (abortSignal) => {
        const CacheControl = 'public, max-age=31536000, immutable';
        await client.send(new PutObjectCommand({ Bucket, Key, Body, ContentType, CacheControl }), { abortSignal });
      }),
    get: (Key) =>
      within(async (abortSignal) => {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }), { abortSignal });
        if (!(Body instanceof Readable)) throw new Error('the storage answered without a body');
        const body: Readable = Body;
        abortSignal.addEventListener('abort', () => body.destroy(), { once: true });
        const chunks: Buffer[] = [];
        for await (const chunk of body) chunks.push(chunk as Buffer);
        return Buffer.concat(chunks);
      }),
    remove: (Key) =>
      within(async (abortSignal) => {
        try {
          await client.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal });
        } catch (error) {
          if (!(error instanceof S3ServiceException && error.name === 'NoSuchKey')) throw error;
        }
      }),
  };
}

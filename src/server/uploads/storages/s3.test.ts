import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardNetwork } from '../../kit/network/guarded-network.ts';
import { loopback, startRaw, startS3, testKeys } from '../testing/s3-server.ts';
import type { Bucket, Storage } from './bucket.ts';
import { endpointOf, openS3 } from './s3.ts';
import { storageFault } from './storage-fault.ts';

let endpoint: string;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ endpoint, close } = await startS3());
});
afterAll(() => close());

const allowing = (networks: readonly string[]) => {
  const network = guardNetwork(networks);
  return { network, agents: network.agents() };
};

function bucket(given: Partial<Bucket> = {}): Bucket {
  return { upload_type: 's3', endpoint, region: 'us-east-1', bucket: 'pictures', path_style: true, ...testKeys, ...given };
}
const open = (given: Partial<Bucket> = {}, deadlineMilliseconds = 5_000): Storage =>
  openS3(bucket(given), { ...allowing(loopback), deadlineMilliseconds });

const faultOf = (work: Promise<unknown>): Promise<string> => work.then(() => 'no fault', storageFault);

describe('a bucket', () => {
  test('keeps what is written, byte for byte, until it is removed', async () => {
    const storage = open();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    await storage.put('a/b/c.png', bytes, 'image/png');
    expect((await storage.get('a/b/c.png')).equals(bytes)).toBe(true);
    await storage.remove('a/b/c.png');
    expect(await faultOf(storage.get('a/b/c.png'))).toMatch(/^NoSuchKey \(404\)/);
    await storage.remove('a/b/c.png');
  });

  test('many objects at the same time stay apart', async () => {
    const storage = open();
    const numbers = Array.from({ length: 60 }, (_, index) => index);
    await Promise.all(numbers.map((number) => storage.put(`many/${number}`, Buffer.from(String(number)), 'text/plain')));
    const read = await Promise.all(numbers.map((number) => storage.get(`many/${number}`)));
    expect(read.map(String)).toEqual(numbers.map(String));
  });

  test("tells a wrong secret, an unknown key and a missing bucket in the server's words", async () => {
    const write = (given: Partial<Bucket>) => faultOf(open(given).put('x', Buffer.from('x'), 'text/plain'));
    expect(await write({ access_key_secret: 'wrong' })).toMatch(/^SignatureDoesNotMatch \(403\)/);
    expect(await write({ access_key_id: 'nobody' })).toMatch(/^InvalidAccessKeyId \(403\)/);
    expect(await write({ bucket: 'no-such-bucket' })).toMatch(/^NoSuchBucket \(404\)/);
  });
});

describe('a server that does not behave', () => {
  test('is given up at the deadline when it never answers', async () => {
    const raw = await startRaw(() => {});
    expect(await faultOf(open({ endpoint: raw.endpoint }, 700).get('x'))).toBe('the storage did not answer within 0.7 s');
    await raw.close();
  });

  test('is given up at the deadline when its answer trickles', async () => {
    const raw = await startRaw((_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' });
      const timer = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect(await faultOf(open({ endpoint: raw.endpoint }, 700).get('x'))).toMatch(/within 0.7 s/);
    await raw.close();
  });

  test('makes no picture when it dies in the middle', async () => {
    const raw = await startRaw((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('only the beginning', () => response.destroy());
    });
    expect(await faultOf(open({ endpoint: raw.endpoint }).get('x'))).toMatch(/aborted|ECONNRESET|premature/i);
    await raw.close();
  });

  test('is not read beyond the bound, whatever length it tells, in answers and in refusals', async () => {
    let sent = 0;
    const flood = (status: number) =>
      startRaw((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/xml' });
        const chunk = Buffer.alloc(1 << 20, 60);
        const pour = () => {
          while (!response.destroyed && sent < 400 * 2 ** 20) {
            sent += chunk.length;
            if (!response.write(chunk)) return void response.once('drain', pour);
          }
          response.end();
        };
        pour();
      });
    for (const status of [200, 403]) {
      sent = 0;
      const raw = await flood(status);
      expect(await faultOf(open({ endpoint: raw.endpoint }, 15_000).get('x'))).not.toBe('no fault');
      expect(sent).toBeLessThan(200 * 2 ** 20);
      await raw.close();
    }
  });

  test('cannot send us elsewhere', async () => {
    let asked = 0;
    const other = await startRaw((_request, response) => {
      asked += 1;
      response.end('secret of the inside');
    });
    const raw = await startRaw((_request, response) => response.writeHead(307, { location: `${other.endpoint}/pictures/x` }).end());
    expect(await faultOf(open({ endpoint: raw.endpoint }).get('x'))).not.toBe('no fault');
    expect(asked).toBe(0);
    await Promise.all([raw.close(), other.close()]);
  });
});

describe('private addresses', () => {
  const openPublic = (address: string) => openS3(bucket({ endpoint: address }), { ...allowing([]), deadlineMilliseconds: 5_000 });

  test.each([
    'http://127.0.0.1:9000',
    'http://[::1]:9000',
    'http://2130706433',
    'http://0x7f.1',
    'http://[::ffff:10.0.0.1]',
    'http://169.254.169.254',
    'http://100.100.100.200',
    'http://168.63.129.16',
    'http://[64:ff9b::7f00:1]',
  ])('%s is refused', (address) => {
    expect(() => openPublic(address)).toThrow(/is not allowed/);
  });

  test('a name that leads to one is refused when it is connected to', async () => {
    const address = endpoint.replace('127.0.0.1', 'localhost');
    expect(await faultOf(openPublic(address).get('x'))).toBe('this address is not allowed');
  });

  test('those of an allowed network are called', async () => {
    const { network } = allowing(['192.168.7.0/24']);
    expect(['192.168.7.9', '192.168.8.9', '1.1.1.1'].map(network.allows)).toEqual([true, false, true]);
  });
});

test("Aliyun's address is made of the region, however it is written", () => {
  const of = (region: string) => endpointOf({ upload_type: 'oss', endpoint: '', region });
  expect(of('cn-hangzhou')).toBe('https://s3.oss-cn-hangzhou.aliyuncs.com');
  expect(of('oss-cn-hangzhou')).toBe('https://s3.oss-cn-hangzhou.aliyuncs.com');
  expect(endpointOf({ upload_type: 's3', endpoint: '', region: 'us-east-1' })).toBeUndefined();
});

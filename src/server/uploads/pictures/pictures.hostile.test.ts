import { createCanvas } from '@napi-rs/canvas';
import { Transformer } from '@napi-rs/image';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hostilePicture } from '../../../../bench/abuse-files.ts';
import { createTestApp, type TestApp } from '../../kit/testing/app.ts';
import { expectWithin, timeOf } from '../../kit/testing/within.ts';
import { uploadPicture } from '../testing/upload.ts';
import { readPictureHeader } from './picture-header.ts';
import { workingBytes } from './pictures.ts';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await createTestApp();
});
afterAll(() => test_app.close());

test('a picture that is small to send and large to decode is refused by its header', async () => {
  const user = await test_app.makeUser('customer');
  const bytes = hostilePicture();
  expect(bytes.length).toBeLessThan(320_000);
  const { status, body } = await uploadPicture(test_app, user, bytes);
  expect([status, body.code]).toEqual([400, 'upload.too_many_pixels']);
});

test('a header that says less than the picture holds gains nothing', async () => {
  const user = await test_app.makeUser('customer');
  const bytes = hostilePicture({ width: 4000, height: 4000 });
  bytes.writeUInt32BE(10, 16);
  expect((await uploadPicture(test_app, user, bytes)).status).toBe(400);
});

test('of many pictures of one user those beyond the limit are refused at once, and another user is served', { tags: 'full' }, async () => {
  const [greedy, modest] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
  const bytes = hostilePicture({ width: 3000, height: 3000, bits: 8 });
  const many = Array.from({ length: 10 }, () => uploadPicture(test_app, greedy, bytes));
  const other = await uploadPicture(test_app, modest, createCanvas(20, 20).toBuffer('image/png'));
  expect(other.status).toBe(200);
  const answers = await Promise.all(many);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429, 429, 429, 429, 429, 429]);
  expect(answers.find(({ status }) => status === 429)?.body.code).toBe('busy');
});

describe('the header', () => {
  const drawn = createCanvas(301, 203);
  test.each([
    ['png', drawn.toBuffer('image/png'), 4],
    ['jpg', drawn.toBuffer('image/jpeg'), 3],
    ['webp', drawn.toBuffer('image/webp'), 4],
  ])('of a %s says its size without decoding', (kind, bytes, channels) => {
    expect(readPictureHeader(bytes)).toMatchObject({ kind, width: 301, height: 203, channels, sampleBytes: 1 });
  });

  test('of a lossless WebP and of a GIF, too', () => {
    const lossless = new Transformer(drawn.toBuffer('image/png')).webpLosslessSync();
    expect(readPictureHeader(lossless)).toMatchObject({ kind: 'webp', width: 301, height: 203 });
    // A frame larger than its screen.
    const gif = Buffer.from(
      '474946383961 0100 0100 00 00 00 21f904 00000000 00 2c 0000 0000 2d01 cb00 00 02 02 4c01 00 3b'.replaceAll(' ', ''),
      'hex',
    );
    expect(readPictureHeader(gif)).toMatchObject({ kind: 'gif', width: 301, height: 203 });
  });

  test('cut anywhere, or changed, is told or is none, at once and without a fault', async () => {
    const pictures = ['image/png', 'image/jpeg', 'image/webp'].map((type) => drawn.toBuffer(type as 'image/png'));
    await expectWithin(2000, () =>
      timeOf(() => {
        for (const bytes of pictures)
          for (let at = 0; at < Math.min(bytes.length, 400); at += 1) {
            readPictureHeader(bytes.subarray(0, at));
            const changed = Buffer.from(bytes);
            changed[at] = (changed[at] ?? 0) ^ 0xff;
            readPictureHeader(changed);
          }
      }),
    );
  });
});

test('what a camera makes is taken, and what only decoding makes large is not', () => {
  const camera = { kind: 'jpg', width: 7744, height: 5160, channels: 3, sampleBytes: 1, isProgressive: false } as const;
  expect(workingBytes(camera)).toBeLessThan(375_000_000);
  expect(workingBytes({ ...camera, channels: 4, sampleBytes: 2 })).toBeGreaterThan(375_000_000);
  expect(workingBytes({ ...camera, width: 40_000_000, height: 1 })).toBeGreaterThan(375_000_000);
});

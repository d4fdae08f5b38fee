import { type Canvas, createCanvas, loadImage } from '@napi-rs/canvas';
import { Transformer } from '@napi-rs/image';
import QRCode from 'qrcode';
import { describe, expect, test } from 'vitest';
import { createBoundedTasks } from '../../kit/bounded/tasks.ts';
import { findQr } from './qr-reader.ts';

const reader = { find: (bytes: Uint8Array) => findQr(bytes, 'user:1') };

const group = 'https://weixin.qq.com/g/AQYAAMtS83wONOk6OEVm7BUg4pq2KpDdmSStHRPhwg';
const person = 'https://u.wechat.com/kIH4NveDHohDupxa5Vl0B3M?s=2';

type Look = { width?: number; height?: number; size?: number; degrees?: number; noise?: boolean; paper?: string | null; alpha?: number };

/** A generator of numbers from 0 to 1 that gives the same ones at every run. */
function numbers(seed = 1): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** The picture that a phone or an app would make of a QR code: on a card, turned, small, on a busy ground. */
async function picture(
  texts: readonly string[],
  { width = 1080, height = 1400, size = 700, degrees = 0, noise = false, paper = '#f2f2f2', alpha = 1 }: Look = {},
): Promise<Canvas> {
  const canvas = createCanvas(width, height);
  const draw = canvas.getContext('2d');
  if (paper) {
    draw.fillStyle = paper;
    draw.fillRect(0, 0, width, height);
  }
  const next = numbers();
  for (let spot = 0; noise && spot < 4000; spot += 1) {
    draw.fillStyle = `rgb(${next() * 255} ${next() * 200} ${next() * 180})`;
    draw.fillRect(next() * width, next() * height, next() * 60, next() * 60);
  }
  for (const [index, text] of texts.entries()) {
    const code = await loadImage(await QRCode.toBuffer(text, { width: 600, margin: 4 }));
    draw.save();
    draw.translate(width / 2, (height * (index + 1)) / (texts.length + 1));
    draw.rotate((degrees * Math.PI) / 180);
    draw.globalAlpha = alpha;
    draw.drawImage(code, -size / 2, -size / 2, size, size);
    draw.restore();
  }
  return canvas;
}
const png = async (look: Look = {}) => (await picture([group], look)).toBuffer('image/png');

describe('a group code is read', () => {
  test.each<[string, () => Promise<Buffer>]>([
    ['as the app saves it', () => png()],
    ['turned by 15°', () => png({ degrees: 15 })],
    ['turned by 45°', () => png({ degrees: 45 })],
    ['upside down', () => png({ degrees: 180 })],
    ['80 pixels wide', () => png({ size: 80 })],
    ['in a picture no larger than itself', () => png({ width: 90, height: 90, size: 84 })],
    ['2,048 pixels wide', () => png({ width: 2048, height: 2048, size: 1900 })],
    ['blurred', async () => new Transformer(await png()).blur(4).png()],
    ['pale', () => png({ alpha: 0.35 })],
    ['on a transparent ground', () => png({ paper: null })],
    ['light on dark', async () => new Transformer(await png({ paper: '#ffffff' })).invert().png()],
    ['in grey', async () => new Transformer(await png()).grayscale().png()],
    [
      'small and turned in a busy photo, as a JPEG',
      async () => (await picture([group], { noise: true, size: 260, degrees: 20 })).toBuffer('image/jpeg', 60),
    ],
    ['as a WebP', async () => (await picture([group])).toBuffer('image/webp', 70)],
  ])('%s', async (_name, make) => {
    expect(await reader.find(await make())).toEqual({ qr_text: group, qr_kind: 'group' });
  });
});

test('of two codes the group counts, whichever is larger', async () => {
  expect(await reader.find((await picture([person, group], { size: 420 })).toBuffer('image/png'))).toEqual({
    qr_text: group,
    qr_kind: 'group',
  });
});

test.each([
  ['an address', 'https://example.com/spring', 'url'],
  ['a person', person, 'personal'],
  ['an enterprise contact', 'https://work.weixin.qq.com/u/vc7f073c9f993bc776', 'enterprise'],
  ['a text', '取件码：8-2-1024', 'text'],
])('%s is told as such', async (_name, text, qr_kind) => {
  expect(await reader.find((await picture([text])).toBuffer('image/png'))).toEqual({ qr_text: text, qr_kind });
});

test('a picture without a code, one that cannot be made out and one that is no picture hold none', async () => {
  const none = { qr_text: null, qr_kind: 'none' };
  expect(await reader.find((await picture([], { noise: true, width: 2048, height: 2048 })).toBuffer('image/png'))).toEqual(none);
  expect(await reader.find(await new Transformer(await png()).blur(14).png())).toEqual(none);
  expect(await reader.find(createCanvas(1, 1).toBuffer('image/png'))).toEqual(none);
  expect(await reader.find((await png()).subarray(0, 900))).toEqual(none);
  expect(await reader.find(Buffer.from('not a picture'))).toEqual(none);
  expect(await reader.find(Buffer.alloc(0))).toEqual(none);
});

test('many at once are each told right, and the event loop goes on meanwhile', { tags: 'full' }, async () => {
  const [one, other] = [(await picture([group])).toBuffer('image/png'), (await picture([person])).toBuffer('image/png')];
  let beats = 0;
  const beat = setInterval(() => {
    beats += 1;
  }, 2);
  const found = await Promise.all(Array.from({ length: 20 }, (_, index) => findQr(index % 2 === 0 ? one : other, `user:${index}`)));
  clearInterval(beat);
  expect(found.map(({ qr_kind }) => qr_kind)).toEqual(Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'group' : 'personal')));
  // Between pictures read on this thread there would be room for a few dozen.
  expect(beats).toBeGreaterThan(100);
});

test('pictures beyond those that may wait are not looked at, and one that takes too long holds none', async () => {
  const tasks = createBoundedTasks({ maxRunning: 1, maxWaiting: 4, maxWaitingOfKey: 4, waitFactor: 60_000 });
  const large = (await picture([], { noise: true, width: 2048, height: 2048 })).toBuffer('image/png');
  const found = await Promise.all(Array.from({ length: 12 }, () => findQr(large, 'user:1', { tasks, timeoutMilliseconds: 1 })));
  expect(found.filter(({ qr_kind }) => qr_kind === 'none').length).toBe(5);
  expect(found.filter(({ qr_kind }) => qr_kind === null).length).toBe(7);
});

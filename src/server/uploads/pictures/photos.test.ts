import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../kit/testing/app.ts';
import { photo } from '../testing/photos.ts';
import { uploadPicture } from '../testing/upload.ts';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await createTestApp();
});
afterAll(() => test_app.close());

/** What is stored of a photo: its size, and where its red quarter lies. */
async function stored(bytes: Buffer): Promise<{ size: number[]; red: string[] }> {
  const user = await test_app.makeUser('customer');
  const { status, body } = await uploadPicture(test_app, user, bytes);
  expect([status, body.code]).toEqual([200, undefined]);
  const answer = await test_app.app.inject({ url: String(body.url) });
  const image = await loadImage(answer.rawPayload);
  const { width, height } = image;
  expect([body.width, body.height]).toEqual([width, height]);
  const context = createCanvas(width, height).getContext('2d');
  context.drawImage(image, 0, 0);
  const isRed = (x: number, y: number) => (context.getImageData(Math.round(width * x), Math.round(height * y), 1, 1).data[1] ?? 255) < 100;
  const places = { 'top left': [0.25, 0.25], 'top right': [0.75, 0.25], 'bottom left': [0.25, 0.75], 'bottom right': [0.75, 0.75] };
  return { size: [width, height], red: Object.entries(places).flatMap(([name, [x = 0, y = 0]]) => (isRed(x, y) ? [name] : [])) };
}

const title = 'a photo of a phone held as in EXIF %i is stored whole, upright and not distorted';
async function expectUpright(orientation: number): Promise<void> {
  const size = orientation < 5 ? [2048, 1536] : [1536, 2048];
  expect(await stored(photo({ width: 2400, height: 1800, orientation }))).toEqual({ size, red: ['top left'] });
}
// As phones are held most often; the others turn and mirror in the same two steps.
test.each([1, 6])(title, expectUpright);
test.each([2, 3, 4, 5, 7, 8])(title, { tags: 'full' }, expectUpright);

const large = 'so is one of %i × %i pixels, held upright, beside others of the same user';
async function expectLargeUpright(width: number, height: number): Promise<void> {
  const bytes = photo({ width, height, orientation: 6 });
  for (let time = 0; time < 2; time += 1) expect(await stored(bytes)).toEqual({ size: [1536, 2048], red: ['top left'] });
}
test.each([
  [4032, 3024],
  [4624, 3468],
])(large, { tags: 'full' }, expectLargeUpright);

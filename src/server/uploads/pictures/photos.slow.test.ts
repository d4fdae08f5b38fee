import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../kit/testing/app.ts';
import { photo } from '../testing/photos.ts';
import { uploadPicture } from '../testing/upload.ts';

let test_app: TestApp;
beforeAll(async () => {
  test_app = await createTestApp();
});
afterAll(() => test_app.close());

/** 20 to 50 megapixels, as the phones of the last years make them. */
test.each([
  [5184, 3888],
  [6000, 4000],
  [6528, 4896],
  [7296, 5472],
  [8064, 6048],
  [8160, 6120],
])('photos of %i × %i pixels are taken one after the other, in whichever way the phone was held', async (width, height) => {
  const user = await test_app.makeUser('customer');
  const long = Math.max(width, height);
  const [wide, high] = [Math.round((width * 2048) / long), Math.round((height * 2048) / long)];
  for (const orientation of [1, 6, 3, 8]) {
    const { status, body } = await uploadPicture(test_app, user, photo({ width, height, orientation }));
    const size = orientation < 5 ? [wide, high] : [high, wide];
    expect([orientation, status, body.code, body.width, body.height]).toEqual([orientation, 200, undefined, ...size]);
  }
});

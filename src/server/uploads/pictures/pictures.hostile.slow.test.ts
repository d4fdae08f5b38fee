import { expect, onTestFinished, test } from 'vitest';
import { hostilePicture } from '../../../../bench/abuse-files.ts';
import { createTestApp } from '../../kit/testing/app.ts';
import { uploadPicture } from '../testing/upload.ts';

// In a process of its own, whose memory nobody else uses.
test('a picture that is small to send and large to decode is refused before it is decoded', async () => {
  const test_app = await createTestApp();
  onTestFinished(() => test_app.close());
  const user = await test_app.makeUser('customer');
  const bytes = hostilePicture();
  const before = process.memoryUsage.rss();
  const { status, body } = await uploadPicture(test_app, user, bytes);
  expect([status, body.code]).toEqual([400, 'upload.too_many_pixels']);
  expect(process.memoryUsage.rss() - before).toBeLessThan(100_000_000);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';

let test_app: TestApp;
let chief: TestUser;
beforeAll(async () => {
  test_app = await createTestApp({ heldMilliseconds: 1000 });
  chief = await test_app.makeUser('super');
});
afterAll(() => test_app.close());

const service = async () => (await test_app.call(undefined, 'website', 'info', {})).body.qr_image_url;

test('the QR-image service is told as an address with {key}, on an entry domain of the platform', async () => {
  const { rows } = await test_app.pool.query<{ host: string }>('SELECT host FROM domain WHERE type = 1 AND holder_id IS NULL');
  expect(await service()).toBe(rows[0] ? `http://${rows[0].host}/qr/{key}.png` : null);
  await test_app.pool.query('UPDATE domain SET enabled = false');
  await eventually(async () => expect(await service()).toBeNull());
  const added = await test_app.call(chief, 'domain_list', 'add', { host: 'images.example.com', type: 1, holder_id: null });
  expect(added.status).toBe(200);
  await eventually(async () => expect(await service()).toBe('http://images.example.com/qr/{key}.png'));
});

import { createCanvas } from '@napi-rs/canvas';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let user: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  user = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

function picture(type: 'image/png' | 'image/jpeg' | 'image/webp', width = 300, height = 200): Buffer {
  const canvas = createCanvas(width, height);
  const draw = canvas.getContext('2d');
  draw.fillStyle = '#1f6feb';
  draw.fillRect(10, 10, width / 2, height / 2);
  return type === 'image/png'
    ? canvas.toBuffer('image/png')
    : type === 'image/jpeg'
      ? canvas.toBuffer('image/jpeg')
      : canvas.toBuffer('image/webp');
}

async function upload(
  bytes: Buffer,
  { as = user, field = 'file', name = 'a.png' }: { as?: TestUser | undefined; field?: string; name?: string } = {},
) {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)]), name);
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '', authorization: `Bearer ${as.token}` };
  const response = await test_app.app.inject({
    method: 'POST',
    url: '/api/file/add',
    headers,
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  return { status: response.statusCode, body: response.json() };
}

test.each(['image/png', 'image/jpeg', 'image/webp'] as const)('a %s is kept, re-encoded, and served as what it is', async (type) => {
  const { status, body } = await upload(picture(type), { name: '../../../etc/passwd.exe' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ width: 300, height: 200 });
  expect(body.url).toMatch(/^\/file\/[0-9a-f]{32}\.(png|jpg|webp)$/);
  const served = await test_app.app.inject({ url: body.url });
  expect(served.statusCode).toBe(200);
  expect(served.headers['content-type']).toBe(type);
  expect(served.headers['x-content-type-options']).toBe('nosniff');
});

test('a huge picture is scaled down to 2048 pixels a side', { tags: 'full' }, async () => {
  const { body } = await upload(picture('image/jpeg', 4000, 1000));
  expect(body).toMatchObject({ width: 2048, height: 512 });
});

test('what is not a picture is refused, whatever it is called', async () => {
  for (const bytes of [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
    Buffer.from('<?php ?>'),
    Buffer.alloc(0),
    Buffer.concat([picture('image/png').subarray(0, 60)]),
  ]) {
    const { status, body } = await upload(bytes);
    expect([status, body.code]).toEqual([400, 'upload.not_a_picture']);
  }
});

test('too large a file, a wrong field and a missing login are refused in words', async () => {
  expect((await upload(Buffer.alloc(6_000_000, 1))).body.code).toBe('upload.limit_exceeded');
  expect((await upload(picture('image/png'), { field: 'other' })).body.fields).toEqual({ file: 'required' });
  expect((await upload(picture('image/png'), { as: { id: 0, account: '', token: 'x' } })).status).toBe(401);
});

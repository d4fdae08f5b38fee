import { createCanvas } from '@napi-rs/canvas';
import QRCode from 'qrcode';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UploadedFile } from '../../contract/content/file.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

const groupLink = 'https://weixin.qq.com/g/AQYAAMtS83wONOk6OEVm7BUg4pq2KpDdmSStHRPhwg';

let test_app: TestApp;
let owner: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  owner = await test_app.makeUser('customer');
});
afterAll(() => test_app.close());

async function upload(bytes: Buffer): Promise<UploadedFile> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), 'a.png');
  const encoded = new Response(form);
  const response = await test_app.app.inject({
    method: 'POST',
    url: '/api/file/add',
    headers: { 'content-type': encoded.headers.get('content-type') ?? '', authorization: `Bearer ${owner.token}` },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  return response.json();
}
const uploadCode = async (text: string) => upload(await QRCode.toBuffer(text, { width: 400 }));
const uploadPoster = () => upload(createCanvas(300, 200).toBuffer('image/png'));

const picture = (file: UploadedFile, more: object = {}) => ({ kind: 'picture' as const, content: String(file.id), ...more });
const add = (...targets: ReturnType<typeof picture>[]) => test_app.call(owner, 'qr_code_list', 'add', { name: 'group', targets });
const update = (id: number, targets: object[]) => test_app.call(owner, 'qr_code_list', 'update', { id, targets: targets as never });

test('the code in an uploaded picture is told, and its target shows it', async () => {
  const file = await uploadCode(groupLink);
  expect(file).toMatchObject({ qr_kind: 'group', qr_text: groupLink });
  const { status, body } = await add(picture(file));
  expect([status, body.targets[0]]).toMatchObject([200, { qr_kind: 'group', qr_text: groupLink, any_picture: false }]);
});

test('a picture in which no code can be read is refused beside its field, unless its target says that it holds none', async () => {
  const [code, poster] = [await uploadCode('https://example.com/'), await uploadPoster()];
  expect(poster).toMatchObject({ qr_kind: 'none', qr_text: null });
  expect((await add(picture(code), picture(poster))).body.fields).toEqual({ 'targets.1.content': 'no_qr_code' });

  const made = (await add(picture(code), picture(poster, { any_picture: true }))).body;
  expect(made.targets).toMatchObject([{ any_picture: false }, { any_picture: true, qr_kind: 'none' }]);
  const [first, second] = made.targets.map((target) => target.id);
  const kept = await update(made.id, [
    { id: first, ...picture(code) },
    { id: second, ...picture(poster) },
  ]);
  expect(kept.body.targets).toMatchObject([{}, { any_picture: true }]);
  const withdrawn = await update(made.id, [{ id: second, ...picture(poster, { any_picture: false }) }]);
  expect(withdrawn.body.fields).toEqual({ 'targets.0.content': 'no_qr_code' });
  const replaced = await update(made.id, [{ id: first, ...picture(poster) }]);
  expect(replaced.body.fields).toEqual({ 'targets.0.content': 'no_qr_code' });
  const changed = await test_app.call(owner, 'qr_code_list', 'update_url', {
    id: made.id,
    target_id: first ?? 0,
    content: String(poster.id),
  });
  expect(changed.body.fields).toEqual({ content: 'no_qr_code' });
});

test('a picture that nobody has looked at is taken, and a saved one that turns out to hold none blocks no form', async () => {
  const file = await uploadCode(groupLink);
  const made = (await add(picture(file))).body;
  await test_app.pool.query("UPDATE file SET qr_kind = 'none', qr_text = NULL WHERE id = $1", [file.id]);
  expect((await update(made.id, [{ id: made.targets[0]?.id, ...picture(file, { name: 'kept' }) }])).status).toBe(200);
  await test_app.pool.query('UPDATE file SET qr_kind = NULL WHERE id = $1', [file.id]);
  expect((await add(picture(file))).status).toBe(200);
});

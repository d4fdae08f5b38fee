import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultQrDesign, type QrDesign } from '../../../qr/design.ts';
import { renderSvg } from '../../../qr/svg.ts';
import { createTestDatabase, type TestDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { freePort } from '../../kit/testing/ports.ts';
import { signCode } from '../../kit/visits/visit-signature.ts';
import { textsIn } from '../../uploads/pictures/qr-reading.ts';
import { type AskOptions, ask, startProcess, type TestProcess } from '../testing/process.ts';
import { openRecords, type Records } from '../testing/records.ts';
import { readSigningKey } from '../testing/visit-records.ts';

let database: TestDatabase;
let records: Records;
let dataDir: string;
let port: number;
let redirect: TestProcess;
let entry_domain_id: number;

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
  dataDir = makeTestFolder();
  port = await freePort();
  entry_domain_id = await records.addDomain('entry.example');
  await records.client.query(
    `INSERT INTO setting (key, value) VALUES ('visit_scheme', '"https"') ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
  );
  await records.addCode('img-sized', { entry_domain_id });
  redirect = await startProcess({ databaseUrl: database.url, dataDir, port, trustedProxies: '127.0.0.1' });
});
afterAll(async () => {
  await redirect.stop();
  await records.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const image = (name: string, options: AskOptions = {}) => ask(port, `/qr/${name}`, options);
const save = (id: number, design: object | null) =>
  records.client.query('UPDATE live_code SET qr_design = $2 WHERE id = $1', [id, design && JSON.stringify(design)]);

const fancy: QrDesign = {
  ...defaultQrDesign,
  size: 600,
  dot_style: 'rounded',
  corner_style: 'circle',
  foreground: { kind: 'gradient', from: '#7f1d1d', to: '#1e3a8a', angle: 45 },
  error_level: 'H',
  frame: { kind: 'box', text: 'Scan me', text_color: '#ffffff', frame_color: '#7f1d1d' },
};

test('a PNG leads to the link of the code, in the size of its design and in the one that is asked for', async () => {
  const { id } = await records.addCode('img-plain', { entry_domain_id });
  const plain = await image('img-plain.png');
  expect(plain.status).toBe(200);
  expect(plain.headers).toMatchObject({ 'content-type': 'image/png', 'content-length': String(plain.bytes.length) });
  expect(plain.headers['cache-control']).toMatch(/^public, max-age=\d+$/);
  expect(await textsIn(plain.bytes)).toEqual(['https://entry.example/img-plain']);
  expect((await loadImage(plain.bytes)).width).toBe(1024);

  await save(id, fancy);
  await expect.poll(async () => (await loadImage((await image('img-plain.png')).bytes)).width).toBe(600);
  const small = await image('img-plain.png?size=256&margin=2');
  expect((await loadImage(small.bytes)).width).toBe(256);
  expect(await textsIn(small.bytes)).toEqual(['https://entry.example/img-plain']);
});

test('an SVG is what the browser draws of the saved design', async () => {
  const { id } = await records.addCode('img-drawn', { entry_domain_id });
  await save(id, fancy);
  const drawn = renderSvg('https://entry.example/img-drawn', fancy);
  const { body, headers } = await image('img-drawn.svg');
  expect(headers['content-type']).toContain('image/svg+xml');
  expect(body).toBe(drawn);
  expect((await image('img-drawn.svg?size=300&margin=6')).body).toBe(
    renderSvg('https://entry.example/img-drawn', { ...fancy, size: 300, margin: 6 }),
  );
});

test('the logo that was uploaded stands inside the image, and nothing is fetched from elsewhere', async () => {
  const canvas = createCanvas(40, 40);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ff0000';
  context.fillRect(0, 0, 40, 40);
  const name = `${'ab'.repeat(16)}.webp`;
  mkdirSync(join(dataDir, 'uploads'), { recursive: true });
  writeFileSync(join(dataDir, 'uploads', name), canvas.toBuffer('image/webp'));
  const withLogo = (src: string) => ({ ...defaultQrDesign, error_level: 'H', logo: { src, ratio: 0.2, padding: 1, rounded: false } });

  const { id } = await records.addCode('img-logo', { entry_domain_id });
  await save(id, withLogo(`/file/${name}`));
  const { body } = await image('img-logo.svg');
  expect(body).toContain('href="data:image/png;base64,');
  const png = await image('img-logo.png?size=512');
  const drawn = createCanvas(512, 512);
  drawn.getContext('2d').drawImage(await loadImage(png.bytes), 0, 0);
  expect([...drawn.getContext('2d').getImageData(256, 256, 1, 1).data].map((value) => value > 128)).toEqual([true, false, false, true]);
  expect(await textsIn(png.bytes)).toEqual(['https://entry.example/img-logo']);

  const { id: other } = await records.addCode('img-away', { entry_domain_id });
  for (const src of ['https://elsewhere.example/logo.png', '/etc/passwd', `/file/../${name}`]) {
    await save(other, withLogo(src));
    await expect.poll(async () => (await image('img-away.svg')).body).not.toContain('<image');
  }
});

test('of a code for scans alone, the image carries the signature that lets them pass', async () => {
  await records.addCode('img-scan', { entry_domain_id, access_mode: 2 });
  const signature = signCode(await readSigningKey(records.client), 'img-scan');
  const { bytes } = await image('img-scan.png');
  const [link] = await textsIn(bytes);
  expect(link).toBe(`https://entry.example/img-scan?s=${signature}`);
  expect((await ask(port, `/img-scan?s=${signature}`)).status).toBe(302);
});

test('who has an image asks by its tag, which changes with design and domain', async () => {
  const { id } = await records.addCode('img-tags', { entry_domain_id });
  const tagOf = async () => String((await image('img-tags.svg')).headers.etag);
  const first = await tagOf();
  const known = await image('img-tags.svg', { headers: { 'if-none-match': `"other", W/${first}` } });
  expect(known).toMatchObject({ status: 304, body: '' });
  expect(known.headers).toMatchObject({ etag: first, 'cache-control': expect.stringContaining('max-age') });
  expect((await image('img-tags.svg?size=200', { headers: { 'if-none-match': first } })).status).toBe(200);
  const head = await image('img-tags.svg', { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, body: '' });
  expect(head.headers.etag).toBe(first);

  await save(id, fancy);
  await expect.poll(tagOf).not.toBe(first);
  const second = await tagOf();
  expect((await image('img-tags.svg', { headers: { 'if-none-match': first } })).status).toBe(200);

  const moved = await records.addDomain('moved.example');
  await records.client.query('UPDATE live_code SET entry_domain_id = $2 WHERE id = $1', [id, moved]);
  await expect.poll(async () => (await image('img-tags.svg')).body).toBe(renderSvg('https://moved.example/img-tags', fancy));
  expect(await tagOf()).not.toBe(second);
});

describe('refused', () => {
  test('sizes and margins that no design has are, with what they may be', async () => {
    const sizes = ['0', '127', '2049', '99999999999', '-1', '1e3', 'NaN', '', '300&size=301', '300%00'].map((size) => `size=${size}`);
    for (const query of sizes) {
      expect(await image(`img-sized.png?${query}`), query).toMatchObject({
        status: 400,
        body: expect.stringContaining('from 128 to 2048'),
      });
    }
    for (const query of ['margin=1', 'margin=13', 'size=300&margin=4.5']) {
      expect(await image(`img-sized.svg?${query}`), query).toMatchObject({ status: 400, body: expect.stringContaining('from 2 to 12') });
    }
    expect((await image('img-sized.svg?v=2&margin[]=4')).status).toBe(200);
  });

  test('unknown, removed and frozen codes are refused as their visits are, and none of it is a visit', async () => {
    await records.addCode('img-gone', { entry_domain_id, removed: true });
    const { id } = await records.addCode('img-cold', { entry_domain_id });
    await records.client.query(`UPDATE live_code SET frozen_at = now(), frozen_reason = 'fraud' WHERE id = $1`, [id]);
    await records.addCode('img-shut', { entry_domain_id, open: false });
    const visitedAs = async (name: string, options?: AskOptions) => {
      const [shown, visited] = [await image(`${name}.png`, options), await ask(port, `/${name}`, options)];
      expect(shown.headers['x-visit-id']).toBe('none');
      expect([shown.status, shown.body, shown.headers['cache-control']]).toEqual([visited.status, visited.body, 'no-store']);
      return shown.status;
    };
    expect(await visitedAs('img-none')).toBe(404);
    expect(await visitedAs('img-gone')).toBe(404);
    expect(await visitedAs('img-cold')).toBe(403);
    expect(await visitedAs('img-plain', { host: 'stranger.example' })).toBe(404);
    expect((await image('img-shut.png')).status).toBe(200);
    expect((await image('%2e%2e%2fetc.png')).status).toBe(404);
    expect((await image('img-plain.gif')).headers['x-visit-id']).not.toBe('none');
  });

  test('a logo that would fill the memory ends its drawing and nothing else', async () => {
    const { id } = await records.addCode('img-bomb', { entry_domain_id, owner_id: await records.addUser('bomber') });
    const src = `data:image/svg+xml,${encodeURIComponent(bomb)}`;
    await save(id, { ...defaultQrDesign, logo: { src, ratio: 0.2, padding: 1, rounded: false } });
    const answers = await Promise.all(['png', 'svg'].map((ending) => image(`img-bomb.${ending}`)));
    // Refused as too much, or drawn without it.
    for (const { status } of answers) expect([200, 503]).toContain(status);
    expect((await image('img-sized.png?size=700')).status).toBe(200);
  });
});

/** Layers of patterns, each drawn ten times by the next. */
const bomb = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><g id="a0"><rect width="9" height="9"/></g>${Array.from(
  { length: 9 },
  (_, level) => `<g id="a${level + 1}">${`<use href="#a${level}"/>`.repeat(10)}</g>`,
).join('')}</svg>`;

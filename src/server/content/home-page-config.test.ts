import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HomeBlock, maxBlocks } from '../../contract/content/home-page-config.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';

let test_app: TestApp;
let administrator: TestUser;
let customer: TestUser;
let rotation_type_id: number;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('administrator');
  customer = await test_app.makeUser('customer');
  rotation_type_id = (await test_app.call(administrator, 'rotation_type', 'add', { name: 'home' })).body.id;
});
afterAll(() => test_app.close());

const read = async () => (await test_app.call(administrator, 'home_page_config', 'inquire', {})).body;
const save = async (blocks: HomeBlock[], version?: number) =>
  test_app.call(administrator, 'home_page_config', 'update', { version: version ?? (await read()).version, blocks });

const announcement = (body = '<p>公告</p>'): HomeBlock => ({ kind: 'announcement', title: '公告', enabled: true, body });
const banner = (): HomeBlock => ({ kind: 'banner', title: '', enabled: true, rotation_type_id });
const links: HomeBlock = {
  kind: 'links',
  title: '常用',
  enabled: true,
  links: [{ title: '教程', jump_type: 2, jump_address: 'https://example.com/' }],
};

test('a new site has no blocks of its operator yet', async () => {
  expect((await read()).blocks).toEqual([]);
});

test('blocks are kept in their order, with what belongs to each', async () => {
  const blocks = [banner(), announcement(), links, announcement('<p>二</p>')];
  const saved = await save(blocks);
  expect(saved.status).toBe(200);
  expect(saved.body.blocks).toEqual(blocks);
  expect((await save([...blocks].reverse())).body.blocks).toEqual([...blocks].reverse());
  expect((await save([])).body.blocks).toEqual([]);
});

test('customers neither see nor change the configuration', async () => {
  expect((await test_app.call(customer, 'home_page_config', 'inquire', {})).status).toBe(403);
  expect((await test_app.call(customer, 'home_page_config', 'update', { version: 1, blocks: [] })).status).toBe(403);
});

test('of those who edited the same state at the same moment one saves, the others are told', async () => {
  const { version } = await read();
  const answers = await Promise.all(Array.from({ length: 10 }, (_, index) => save([announcement(`<p>${index}</p>`)], version)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200))
    expect([status, body.code]).toEqual([409, 'conflict.changed']);
  expect((await read()).blocks).toHaveLength(1);
});

test('hostile announcements lose what makes them hostile', async () => {
  const saved = await save([announcement('<p onmouseover="alert(1)">公告<script>alert(1)</script></p>')]);
  expect(saved.body.blocks).toEqual([announcement('<p>公告</p>')]);
});

test('kinds and types must exist, links must lead where they may', async () => {
  expect((await save([{ ...links, kind: 'figures' } as unknown as HomeBlock])).status).toBe(400);
  const missing = { ...banner(), rotation_type_id: 987_654 } as HomeBlock;
  expect((await save([links, missing])).body.fields).toEqual({ 'blocks.1.rotation_type_id': 'unknown_type' });
  const hostile = { ...links, links: [{ title: 'x', jump_type: 3, jump_address: 'javascript:alert(1)' }] } as HomeBlock;
  expect((await save([hostile])).body.fields).toEqual({ 'blocks.0.links.0.jump_address': 'invalid_url' });
  const nowhere = { ...links, links: [{ title: 'x', jump_type: 1, jump_address: '' }] } as HomeBlock;
  expect((await save([nowhere])).body.fields).toEqual({ 'blocks.0.links.0.jump_address': 'required' });
  expect((await save(Array.from({ length: maxBlocks + 1 }, () => announcement()))).body.fields).toEqual({ blocks: 'too_many' });
  const foreign = { ...links, body: '<p>x</p>' } as HomeBlock;
  expect((await save([foreign])).body.fields).toEqual({ 'blocks.0.body': 'unknown' });
});

test('a refused change leaves the page as it was', async () => {
  const before = (await save([announcement('<p>kept</p>')])).body;
  await save([announcement(), { ...banner(), rotation_type_id: 987_654 } as HomeBlock]);
  expect(await read()).toEqual(before);
});

test('a type of pictures that a banner shows is not removed', async () => {
  await save([banner()]);
  const refused = await test_app.call(administrator, 'rotation_type', 'remove', { ids: [rotation_type_id] });
  expect([refused.status, refused.body.code]).toEqual([409, 'content_type.in_use']);
});

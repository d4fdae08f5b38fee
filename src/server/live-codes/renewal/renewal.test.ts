import { createCanvas } from '@napi-rs/canvas';
import { sql } from 'drizzle-orm';
import QRCode from 'qrcode';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Chat } from '../../../../simulators/telegram/world.ts';
import { bindChat, heard, here, network, prepareBots, settled, work } from '../../bots/testing/setup.ts';
import type { TestUser } from '../../kit/testing/app.ts';
import { openPictureTaker, type PictureTaker } from '../../uploads/storing.public.ts';
import { uploadPicture } from '../../uploads/testing/upload.ts';
import { startRenewal } from './renewal.public.ts';

prepareBots();

const day = 86_400_000;
const linkOf = (name: string) => `https://weixin.qq.com/g/AQYAAMtS83wONOk6OEVm7BUg4pq2KpDd${name}`;
/** What a messenger shows of a group. */
const pictureOf = (text: string) => QRCode.toBuffer(text, { width: 400 });

let taker: PictureTaker;
let chat: Chat;
let made = 0;

beforeAll(() => {
  const { test_app, vault } = here;
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  taker = openPictureTaker({ db: test_app.db, dataDir: test_app.dataDir, vault, network, log });
});
afterAll(() => taker.close());
beforeEach(async () => {
  work({ takePicture: startRenewal(taker) });
  chat = await bindChat();
});

/** A code of the owner's whose targets show groups that end in so many days. */
async function addCode(name: string, ends: readonly number[], as: TestUser = here.owner) {
  const targets = [];
  for (const days of ends) {
    made += 1;
    const { body: file } = await uploadPicture(here.test_app, as, await pictureOf(linkOf(`old${made}`)));
    targets.push({ kind: 'picture' as const, content: String(file.id), expires_at: new Date(Date.now() + days * day).toISOString() });
  }
  const { status, body } = await here.test_app.call(as, 'qr_code_list', 'add', { name, targets });
  expect(status).toBe(200);
  return body;
}

async function send(bytes: Uint8Array, options: Parameters<typeof here.telegram.sendPicture>[3] = {}) {
  const before = here.telegram.said(here.bot, chat).length;
  here.telegram.sendPicture(here.bot, chat, bytes, options);
  await heard(chat, before + 1);
  const said = here.telegram.said(here.bot, chat).at(-1);
  if (!said) throw new Error('nothing was said');
  return { ...said, choices: said.buttons.flat().map(({ text }) => text) };
}

async function press(message_id: number, label: RegExp) {
  const button = here.telegram
    .said(here.bot, chat)
    .find((one) => one.message_id === message_id)
    ?.buttons.flat()
    .find(({ text }) => label.test(text));
  const id = here.telegram.press(here.bot, chat, message_id, button?.callback_data ?? '');
  await settled();
  return {
    answer: here.telegram.world.presses.get(id)?.answer?.text,
    message: here.telegram.said(here.bot, chat).find((one) => one.message_id === message_id),
  };
}

const detailsOf = async (id: number, as = here.owner) => (await here.test_app.call(as, 'qr_code_list', 'details', { id })).body;

describe('a group’s picture that is sent to a bot', () => {
  test('is live after one tap, ends in a week, and can be taken back', async () => {
    const { id, targets } = await addCode('茶友群', [20, 1]);
    await addCode('远期群', [30]);
    await addCode('别人的群', [1], await here.test_app.makeUser('customer'));
    const before = targets[1];
    const { message_id, text, choices } = await send(await pictureOf(linkOf('new')));
    expect(text).toContain('收到新的二维码');
    expect(choices).toEqual([expect.stringMatching(/^茶友群 · 第 2 个 · .+ 到期$/), '都不是']);
    expect((await detailsOf(id)).targets[1]).toMatchObject({ content: before?.content });

    const pressed = await press(message_id, /茶友群/);
    expect(pressed.answer).toContain('已换上：“茶友群”第 2 个子码');
    const after = await detailsOf(id);
    expect(after.targets).toMatchObject([{ content: targets[0]?.content }, { qr_text: linkOf('new') }]);
    const ends = Date.parse(after.targets[1]?.expires_at ?? '') - Date.now();
    expect([ends > 6.9 * day, ends <= 7 * day]).toEqual([true, true]);
    expect(after.version).toBeGreaterThan(1);
    const { rows } = await here.test_app.db.execute(
      sql`SELECT user_id::float8, source FROM log WHERE type = 'qr_code_list/update_url' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ user_id: here.owner.id, source: 'telegram' }]);

    expect(pressed.message?.buttons.flat().map(({ text: label }) => label)).toEqual(['撤销']);
    expect((await press(message_id, /撤销/)).message).toMatchObject({ text: expect.stringContaining('恢复为原来的图片'), buttons: [] });
    expect((await detailsOf(id)).targets[1]).toMatchObject({ content: before?.content });
  });

  test('is chosen for by what is written below it, also when it was sent as a file', async () => {
    await addCode('茶友群', [1]);
    const { id } = await addCode('咖啡群', [2]);
    const named = await send(await pictureOf(linkOf('file')), { caption: '咖啡', asFile: true });
    expect(named.choices).toEqual([expect.stringContaining('咖啡群'), '都不是']);
    await press(named.message_id, /咖啡群/);
    expect((await detailsOf(id)).targets[0]).toMatchObject({ qr_text: linkOf('file') });
    expect((await send(await pictureOf(linkOf('other')), { caption: '没有' })).text).toContain('名称含“没有”');
  });

  test('that is in use, holds no code, is none, or that nothing waits for, changes nothing', async () => {
    expect((await send(await pictureOf(linkOf('early')))).text).toContain('没有即将到期');
    await addCode('茶友群', [1]);
    expect((await send(await pictureOf(linkOf(`old${made}`)))).text).toContain('已经在“茶友群”的第 1 个子码里');
    expect((await send(createCanvas(300, 200).toBuffer('image/png'))).text).toContain('没有找到二维码');
    expect((await send(Buffer.from('nonsense'))).text).toMatch(/图片/);
    const kept = await send(await pictureOf(linkOf('declined')));
    expect((await press(kept.message_id, /都不是/)).message?.buttons).toEqual([]);
  });

  test('reaches no target of others, and is not taken back where the target was changed since', async () => {
    const { id, targets } = await addCode('茶友群', [1]);
    const foreign = await addCode('别人的群', [1], await here.test_app.makeUser('customer'));
    const sent = await send(await pictureOf(linkOf('aimed')));
    const data = sent.buttons.flat()[0]?.callback_data ?? '';
    const press_id = here.telegram.press(here.bot, chat, sent.message_id, data.replace(/\d+$/, String(foreign.targets[0]?.id)));
    await settled();
    expect(here.telegram.world.presses.get(press_id)?.answer?.text).toContain('没有改动');

    await press(sent.message_id, /茶友群/);
    expect((await detailsOf(id)).targets[0]?.content).not.toBe(targets[0]?.content);
    const { body: file } = await uploadPicture(here.test_app, here.owner, await pictureOf(linkOf('byhand')));
    await here.test_app.call(here.owner, 'qr_code_list', 'update_url', { id, target_id: targets[0]?.id ?? 0, content: String(file.id) });
    expect((await press(sent.message_id, /撤销/)).answer).toContain('没有改动');
    expect((await detailsOf(id)).targets[0]).toMatchObject({ content: String(file.id) });
  });

  test('is refused to who may not change codes any more', async () => {
    const { id, targets } = await addCode('茶友群', [1]);
    const { message_id } = await send(await pictureOf(linkOf('late')));
    const { rows } = await here.test_app.db.execute<{ id: number }>(
      sql`INSERT INTO role (name, kind) VALUES ('只看', 'customer') RETURNING id`,
    );
    await here.test_app.db.execute(sql`UPDATE user_account SET role_id = ${rows[0]?.id} WHERE id = ${here.owner.id}`);
    expect((await press(message_id, /茶友群/)).answer).toContain('没有改动');
    expect((await send(await pictureOf(linkOf('later')))).text).toContain('没有修改活码的权限');
    const stored = await here.test_app.db.execute(sql`SELECT file_id::text AS content FROM live_code_target WHERE live_code_id = ${id}`);
    expect(stored.rows).toEqual([{ content: targets[0]?.content }]);
  });

  test('is nothing to a bot in a group, or in a chat that is not bound', async () => {
    await addCode('茶友群', [1]);
    const group = here.telegram.addChat({ type: 'group', title: '群' });
    here.telegram.sendPicture(here.bot, group, await pictureOf(linkOf('group')));
    await settled();
    expect(here.telegram.said(here.bot, group)).toEqual([]);
    const stranger = here.telegram.addChat();
    here.telegram.sendPicture(here.bot, stranger, await pictureOf(linkOf('stranger')));
    expect(await heard(stranger, 1)).toContain('尚未绑定');
  });
});

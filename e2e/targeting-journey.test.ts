import { createCanvas } from '@napi-rs/canvas';
import QRCode from 'qrcode';
import { openScreen } from './kit/menu.ts';
import { expect, type Page, test } from './kit/test.ts';
import { unique } from './kit/users.ts';

const groupLink = 'https://weixin.qq.com/g/AQYAAMtS83wONOk6OEVm7BUg4pq2KpDdmSStHRPhwg';
/** China Telecom in Hangzhou, and China Mobile in Shenzhen. */
const zhejiang = '115.192.1.1';
const guangdong = '120.196.165.24';

const phone = (address: string) => ({
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 MicroMessenger/8.0.50(0x18003233) Language/zh_CN',
  'x-forwarded-for': address,
});

/** Chooses one of a select's options by typing, as one does who knows what he looks for. */
async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(option);
  await page.locator('.ant-select-dropdown:visible .ant-select-item-option').filter({ hasText: option }).first().click();
}

test('a group picture is told, one without a code refused; a rule sends a province there, and the form says why before it is saved', async ({
  page,
  product,
}) => {
  const key = `targeted-${unique()}`;
  await openScreen(page, '活码列表');
  await page
    .getByRole('link', { name: '新建活码' })
    .or(page.getByRole('button', { name: '新建活码' }))
    .first()
    .click();
  await page.getByRole('button', { name: '更多设置' }).click();
  await page.getByRole('textbox', { name: '名称', exact: true }).fill('定向旅程');
  await page.getByRole('textbox', { name: '后缀' }).fill(key);
  await page.getByRole('textbox', { name: '* 链接' }).fill('https://example.com/everybody');

  // A poster is no target that could be scanned; the form says so at once, and the server where it is sent all the same.
  await page.getByRole('button', { name: '添加图片' }).click();
  const picture = page.locator('.lc-code-target').nth(1);
  const file = picture.locator('input[type=file]');
  await file.setInputFiles({ name: 'poster.png', mimeType: 'image/png', buffer: createCanvas(600, 400).toBuffer('image/png') });
  await expect(picture).toContainText(/没有识别到二维码，访客扫不了它/);
  await page.getByRole('button', { name: '新建活码' }).click();
  await expect(picture.locator('.ant-form-item-explain-error')).toContainText(/没有识别到二维码/);

  // The group's own picture is told, and so is how long it works.
  await file.setInputFiles({ name: 'group.png', mimeType: 'image/png', buffer: await QRCode.toBuffer(groupLink, { width: 600 }) });
  await expect(picture).toContainText(/识别到微信群二维码/);
  await expect(picture).toContainText(/7 天有效/);
  await picture.getByRole('button', { name: /到期$/ }).click();
  await expect(picture.getByText('7 天有效')).toHaveCount(0);
  await picture.getByRole('textbox', { name: '子码名称' }).fill('浙江一群');

  await picture.getByRole('button', { name: '为子码 2 添加定向' }).click();
  const dialog = page.getByRole('dialog', { name: '添加定向' });
  await dialog.getByRole('button', { name: '确定' }).click();
  await expect(dialog).toContainText(/请至少填写一个条件/);
  await choose(page, '省份', '浙江');
  await page.keyboard.press('Tab');
  await expect(dialog).toContainText(/接待：浙江/);
  await dialog.getByRole('button', { name: '确定' }).click();
  await expect(picture.locator('.lc-code-target-title')).toContainText(/仅 浙江/);

  // The test box, with nothing saved: of an unknown visitor, then of one from the province.
  await page.getByRole('button', { name: '测试访客去向' }).click();
  const aside = page.locator('.lc-code-aside');
  await expect(aside.locator('.lc-trial-goal')).toContainText(/子码 1/);
  await expect(aside).toContainText(/子码 2 · 浙江一群\s*不符合第 1 条的省份/);
  await choose(page, '地区', '浙江');
  await expect(aside.locator('.lc-trial-goal')).toContainText(/子码 2 · 浙江一群\s*符合它的第 1 条定向/);
  await expect(aside).toContainText(/子码 1[^\n]*\s*它接待所有人，但有更合适的定向子码/, { useInnerText: true });

  // The next thousand, half of them from there.
  await page.getByRole('button', { name: '模拟 1000 次访问' }).click();
  await expect(aside.locator('.lc-trial-bar')).toHaveCount(2);
  const figures = aside.locator('.lc-trial-bar-head .lc-num');
  await expect(figures).toHaveText([/^(3[5-9]|[45]\d|6[0-4])\d ·/, /^(3[5-9]|[45]\d|6[0-4])\d ·/]);
  await expect.poll(async () => (await figures.allInnerTexts()).reduce((sum, text) => sum + Number.parseInt(text, 10), 0)).toBe(1000);

  await page.getByRole('button', { name: '新建活码' }).click();
  await expect(page.getByText('已新建活码')).toBeVisible();

  // And so it is for phones.
  const visit = async (address: string) => (await fetch(`${product.visits}/${key}`, { headers: phone(address) })).text();
  expect(await visit(guangdong)).toContain('https://example.com/everybody');
  const there = await visit(zhejiang);
  expect(there).toContain('/~file/');
  expect(there).not.toContain('example.com/everybody');
});

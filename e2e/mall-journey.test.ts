import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import type { Product } from './kit/product.ts';

let product: Product;
let page: Page;

beforeJourneys(async (journey) => {
  ({ product } = journey);
  page = await openPageAs({ account: 'admin', password: product.password }, journey);
});

const dialog = () => page.getByRole('dialog');
const inTree = (title: string) => page.getByRole('treeitem').filter({ hasText: title });
/** Chooses as people do: by a part of the name, as long lists are drawn in part only. */
const chosen = async (label: string, title: string) => {
  const choice = dialog().getByRole('combobox', { name: label, exact: true });
  await choice.click();
  await choice.fill(title);
  await page.locator(`.ant-select-item-option[title="${title}"]`).last().click();
};

/** What a shop front calls. */
async function called(path: string, input: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
  const answer = await fetch(`${product.backOffice}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) });
  return {
    status: answer.status,
    body: (await answer.json()) as { content: { id: number; title?: string; superior_id?: number | null; name?: string }[] },
  };
}

async function addCategory(title: string): Promise<void> {
  await dialog().getByRole('textbox', { name: '标题' }).fill(title);
  await dialog().getByRole('button', { name: '新建分类' }).click();
  await inTree(title).waitFor();
}

test('a tree of categories is made and moved, and a product with variants is sold out of it', async () => {
  await page.goto(`${product.backOffice}/#/system/mall_category_list`);
  await page.getByRole('button', { name: '新建一级分类' }).first().click();
  await addCategory('旅程甲');
  await page.getByRole('button', { name: '新建一级分类' }).first().click();
  await addCategory('旅程乙');
  await inTree('旅程甲').getByRole('button', { name: '新建子分类' }).click();
  await addCategory('旅程丙');

  // Dropped on the middle of a row it goes into that one, wherever it was taken, and back by "undo".
  const tree = async () =>
    new Map((await called('mall_category_list/inquire', { show_status: 1 })).body.content.map((row) => [row.title, row]));
  const superiorOf = async (title: string) => (await tree()).get(title)?.superior_id ?? null;
  const idOf = async (title: string) => (await tree()).get(title)?.id;
  const rowOf = (title: string) => inTree(title).locator('.lc-mall-category');
  /** Takes one by its handle to a share of another one's height. */
  async function drag(title: string, target: string, share: number): Promise<void> {
    await inTree(title)
      .getByRole('button', { name: `移动“${title}”` })
      .hover();
    await page.mouse.down();
    const box = await rowOf(target).boundingBox();
    if (!box) throw new Error(`${target} is not in sight`);
    await page.mouse.move(box.x + 60, box.y + box.height * share, { steps: 4 });
  }
  await drag('旅程丙', '旅程乙', 0.5);
  await page.getByText('移入“旅程乙”').waitFor();
  await page.mouse.up();
  await page.getByText('已移动“旅程丙”').waitFor();
  await expect.poll(() => superiorOf('旅程丙')).toBe(await idOf('旅程乙'));
  await page.getByRole('button', { name: /^撤\s?销$/ }).click();
  await expect.poll(() => superiorOf('旅程丙')).toBe(await idOf('旅程甲'));

  // On an edge it comes to stand beside it; Escape lets it stay.
  await drag('旅程丙', '旅程甲', 0.1);
  await page.getByText('排在“旅程甲”之前').waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await drag('旅程丙', '旅程甲', 0.1);
  await page.mouse.up();
  await expect.poll(() => superiorOf('旅程丙')).toBe(null);
  await page.getByRole('button', { name: /^撤\s?销$/ }).click();
  await expect.poll(() => superiorOf('旅程丙')).toBe(await idOf('旅程甲'));

  // The same by fields, for who has no pointer.
  await inTree('旅程丙').getByRole('button', { name: '移动“旅程丙”' }).press('Enter');
  await chosen('上级分类', '旅程乙');
  await dialog()
    .getByRole('button', { name: /^移\s?动$/ })
    .click();
  await expect.poll(() => superiorOf('旅程丙')).toBe(await idOf('旅程乙'));

  // A product whose variants come of its attribute.
  await page.goto(`${product.backOffice}/#/system/mall_product_list`);
  await page.getByRole('button', { name: '新建商品' }).first().click();
  await dialog().getByRole('textbox', { name: '名称' }).first().fill('旅程马克杯');
  await chosen('分类', '旅程乙 / 旅程丙');
  await dialog().getByRole('textbox', { name: '价格（唯一型号）' }).fill('9.5');
  await dialog().getByRole('button', { name: '添加规格' }).click();
  await dialog().getByRole('group', { name: '规格' }).getByRole('textbox', { name: '名称' }).fill('容量');
  const values = dialog().getByRole('combobox', { name: '可选值' });
  for (const value of ['小', '大']) {
    await values.fill(value);
    await values.press('Enter');
  }
  expect(await dialog().getByRole('textbox', { name: '价格（大）' }).inputValue()).toBe('9.5');
  await dialog().getByRole('textbox', { name: '价格（大）' }).fill('12');
  await dialog().getByRole('spinbutton', { name: '库存（大）' }).fill('2');
  await dialog().getByRole('button', { name: '新建商品' }).click();
  const row = page.getByRole('row').filter({ hasText: '旅程马克杯' });
  await row.filter({ hasText: '9.50' }).waitFor();

  // A shop front reads it under a token, and sells what there is.
  const login = await fetch(`${product.backOffice}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'admin', password: product.password }),
  });
  const { token } = (await login.json()) as { token: string };
  const category_id = await idOf('旅程乙');
  const listed = await called('mall/catalogue', { category_id }, token);
  expect(listed.body.content.map(({ name }) => name)).toEqual(['旅程马克杯']);
  const whole = await called('mall/product', { id: listed.body.content[0]?.id }, token);
  const { variants } = whole.body as unknown as { variants: { id: number; options: string[]; stock: number }[] };
  const large = variants.find(({ options }) => options[0] === '大');
  const buy = (quantity: number) => called('mall/purchase', { variant_id: large?.id, quantity, request_id: crypto.randomUUID() }, token);
  expect([(await buy(2)).status, (await buy(1)).status]).toEqual([200, 409]);
  await page.reload();
  await row.getByText('0', { exact: true }).waitFor();
});

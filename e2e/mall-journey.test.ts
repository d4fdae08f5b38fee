import { go } from './kit/menu.ts';
import { expect, test } from './kit/test.ts';
import { unique } from './kit/users.ts';

test.use({ as: 'admin' });

test('a tree of categories is made and moved, and a product with variants is sold out of it', async ({ page, product, admin }) => {
  const run = unique();
  const [first, second, third, mug] = [`旅程甲${run}`, `旅程乙${run}`, `旅程丙${run}`, `旅程马克杯${run}`];
  const sizes = ['小', '中', '大', '特大', '巨大', '家庭装'];
  const dialog = page.getByRole('dialog');
  const inTree = (title: string) => page.getByRole('treeitem').filter({ hasText: title });
  /** Chooses as people do: by a part of the name, as long lists are drawn in part only. */
  async function choose(label: string, title: string): Promise<void> {
    const choice = dialog.getByRole('combobox', { name: label, exact: true });
    await choice.click();
    await choice.fill(title);
    await page.locator(`.ant-select-item-option[title="${title}"]`).last().click();
  }
  async function addCategory(title: string): Promise<void> {
    await dialog.getByRole('textbox', { name: '标题' }).fill(title);
    await dialog.getByRole('button', { name: '新建分类' }).click();
    await expect(inTree(title)).toBeVisible();
  }

  await go(page, 'system/mall_category_list');
  for (const title of [first, second]) {
    await page.getByRole('button', { name: '新建一级分类' }).first().click();
    await addCategory(title);
  }
  await inTree(first).getByRole('button', { name: '新建子分类' }).click();
  await addCategory(third);

  // Dropped on the middle of a row it goes into that one, wherever it was taken, and back by "undo".
  type Category = { id: number; title: string; superior_id: number | null };
  async function stored(title: string): Promise<Category | undefined> {
    const { content } = await admin.call<{ content: Category[] }>('mall_category_list/inquire_all');
    return content.find((row) => row.title === title);
  }
  const superiorOf = async (title: string) => (await stored(title))?.superior_id ?? null;
  const idOf = async (title: string) => (await stored(title))?.id;
  const rowOf = (title: string) => inTree(title).locator('.lc-mall-category');
  /** Takes one by its handle to a share of another one's height. */
  async function drag(title: string, target: string, share: number): Promise<void> {
    await rowOf(target).scrollIntoViewIfNeeded();
    await inTree(title)
      .getByRole('button', { name: `移动“${title}”` })
      .hover();
    await page.mouse.down();
    const box = await rowOf(target).boundingBox();
    if (!box) throw new Error(`${target} is not in sight`);
    await page.mouse.move(box.x + 60, box.y + box.height * share, { steps: 4 });
  }
  async function undo(): Promise<void> {
    await page.getByRole('button', { name: /^撤\s?销$/ }).click();
    await expect.poll(() => superiorOf(third)).toBe(await idOf(first));
    await expect(inTree(third).locator('.ant-tree-indent-unit')).toHaveCount(1);
  }
  await drag(third, second, 0.5);
  await expect(page.getByText(`移入“${second}”`)).toBeVisible();
  await page.mouse.up();
  await expect(page.getByText(`已移动“${third}”`)).toBeVisible();
  await expect.poll(() => superiorOf(third)).toBe(await idOf(second));
  await undo();

  // On an edge it comes to stand beside it; Escape lets it stay.
  await drag(third, first, 0.1);
  await expect(page.getByText(`排在“${first}”之前`)).toBeVisible();
  await page.keyboard.press('Escape');
  await page.mouse.up();
  await drag(third, first, 0.1);
  await page.mouse.up();
  await expect.poll(() => superiorOf(third)).toBe(null);
  await undo();

  // The same by fields, for who has no pointer.
  await inTree(third)
    .getByRole('button', { name: `移动“${third}”` })
    .press('Enter');
  await choose('上级分类', second);
  await dialog.getByRole('button', { name: /^移\s?动$/ }).click();
  await expect.poll(() => superiorOf(third)).toBe(await idOf(second));

  // A product whose variants come of its attribute.
  await go(page, 'system/mall_product_list');
  await page.getByRole('button', { name: '新建商品' }).first().click();
  await dialog.getByRole('textbox', { name: '名称' }).first().fill(mug);
  await choose('分类', `${second} / ${third}`);
  await dialog.getByRole('textbox', { name: '价格（唯一型号）' }).fill('9.5');
  await dialog.getByRole('button', { name: '添加规格' }).click();
  await dialog.getByRole('group', { name: '规格' }).getByRole('textbox', { name: '名称' }).fill('容量');
  const values = dialog.getByRole('combobox', { name: '可选值' });
  for (const value of sizes) {
    await values.fill(value);
    await values.press('Enter');
  }
  await expect(dialog.getByRole('textbox', { name: '价格（大）' })).toHaveValue('9.5');
  await dialog.getByRole('textbox', { name: '价格（大）' }).fill('12');
  await dialog.getByRole('spinbutton', { name: '库存（大）' }).fill('2');
  await dialog.getByRole('button', { name: '新建商品' }).click();
  const row = page.getByRole('row').filter({ hasText: mug });
  await expect(row).toContainText('9.50');

  // A shop front reads it under a token, and sells what there is.
  type Products = { content: { id: number; name: string }[] };
  const { content } = await admin.call<Products>('mall/catalogue', { category_id: await idOf(second) });
  expect(content.map(({ name }) => name)).toEqual([mug]);
  type Variants = { variants: { id: number; options: string[] }[] };
  const { variants } = await admin.call<Variants>('mall/product', { id: content[0]?.id });
  expect(variants.map(({ options }) => options[0])).toEqual(sizes);
  const large = variants.find(({ options }) => options[0] === '大');
  const buy = async (quantity: number): Promise<number> => {
    const body = JSON.stringify({ variant_id: large?.id, quantity, request_id: crypto.randomUUID() });
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${admin.token}` };
    return (await fetch(`${product.backOffice}/api/mall/purchase`, { method: 'POST', headers, body })).status;
  };
  expect([await buy(2), await buy(1)]).toEqual([200, 409]);
  await page.reload();
  await expect(row.getByText('0', { exact: true })).toBeVisible();
});

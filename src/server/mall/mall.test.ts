import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { mallProductList } from '../../contract/content/mall-product-list.ts';
import type { InputOf } from '../../contract/kit/call.ts';
import { createTestApp, type TestApp, type TestUser } from '../kit/testing/app.ts';
import { eventually } from '../kit/testing/eventually.ts';

let test_app: TestApp;
let administrator: TestUser;
let seller: TestUser;
beforeAll(async () => {
  test_app = await createTestApp();
  administrator = await test_app.makeUser('super');
  seller = await test_app.makeUser('administrator');
});
afterAll(() => test_app.close());

type Input = InputOf<(typeof mallProductList)['calls']['add']>;
let made = 0;
const add = async (input: Partial<Input> = {}, stock = 5) => {
  const variants = input.variants ?? [{ options: [], price: '10', stock }];
  const { body } = await test_app.call(administrator, 'mall_product_list', 'add', { name: `product ${++made}`, ...input, variants });
  return { ...body, variant_id: body.variants[0]?.id ?? 0 };
};
const purchase = (variant_id: number, quantity = 1, as = seller) => test_app.call(as, 'mall', 'purchase', { variant_id, quantity });
const giveBack = (id: number, quantity?: number, as = seller) =>
  test_app.call(as, 'mall', 'give_back', quantity === undefined ? { id } : { id, quantity });
const details = async (id: number) => (await test_app.call(administrator, 'mall_product_list', 'details', { id })).body;
/** A call of somebody who is not logged in. */
async function anybody(path: string, payload: object = {}) {
  const answer = await test_app.app.inject({ method: 'POST', url: `/api/mall/${path}`, payload });
  return { status: answer.statusCode, body: answer.json() };
}
const open = (mall_open: boolean) => test_app.call(administrator, 'configuration', 'update', { values: { mall_open } });

describe('purchases are listed', () => {
  const purchases = async (input: object, as = administrator) => {
    const { status, body } = await test_app.call(as, 'mall_product_list', 'purchases', input);
    expect(status).toBe(200);
    return body;
  };

  test('with variant, pieces, price, caller, and what was given back of them', async () => {
    const product = await add({
      name: 'Lamp',
      attributes: [{ name: 'Size', values: ['S'] }],
      variants: [{ options: ['S'], sku: 'LAMP-S', price: '2.5', stock: 20 }],
    });
    const kept = (await purchase(product.variant_id, 1)).body;
    const partly = (await purchase(product.variant_id, 3)).body;
    const returned = (await purchase(product.variant_id, 2, administrator)).body;
    await giveBack(partly.id, 1);
    await giveBack(returned.id, undefined, administrator);
    const { content, total } = await purchases({ product_id: product.id, sort: 'id', order: 'asc' });
    expect(total).toBe(3);
    const shared = { name: 'Lamp', options: ['S'], sku: 'LAMP-S', price: '2.500000', product_id: product.id };
    expect(content).toMatchObject([
      { ...shared, id: kept.id, quantity: 1, given_back: 0, amount: '2.500000', state: 'sold', account: seller.account },
      { ...shared, id: partly.id, quantity: 3, given_back: 1, amount: '5.000000', state: 'partly_back' },
      { ...shared, id: returned.id, given_back: 2, amount: '0.000000', state: 'back', account: administrator.account },
    ]);
    const idsOf = async (input: object) => (await purchases({ product_id: product.id, ...input })).content.map(({ id }) => id);
    expect(await idsOf({ state: 'partly_back' })).toEqual([partly.id]);
    expect(await idsOf({ user_id: administrator.id })).toEqual([returned.id]);
    expect(await idsOf({ search: 'lamp-s' })).toHaveLength(3);
    expect(await idsOf({ created_to: '2020-01-01' })).toEqual([]);
    // What was bought stays known after its product is gone.
    await test_app.call(administrator, 'mall_product_list', 'remove', { ids: [product.id] });
    expect((await purchases({ search: 'Lamp' })).content).toMatchObject([{ product_id: null, sku: '' }, {}, {}]);
  });

  test('to administrators with the list of products alone', async () => {
    const customer = await test_app.makeUser('customer');
    expect((await test_app.call(customer, 'mall_product_list', 'purchases', {})).status).toBe(403);
    expect((await test_app.call(customer, 'mall_product_list', 'export_purchases', { format: 'csv' })).status).toBe(403);
  });
});

describe('pieces are bought', () => {
  test('of 200 purchases at once of the last 50 pieces 50 succeed', async () => {
    const product = await add({}, 50);
    // As a shop front does: what a busy server could not answer is sent again, as the same request.
    const buy = async () => {
      const input = { variant_id: product.variant_id, request_id: crypto.randomUUID() };
      for (;;) {
        const answer = await test_app.send(seller, 'mall/purchase', input);
        if (answer.status !== 503) return answer;
      }
    };
    const answers = await Promise.all(Array.from({ length: 200 }, buy));
    const statuses = answers.map(({ status }) => status);
    expect([statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 409).length]).toEqual([50, 150]);
    expect(new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.left)).size).toBe(50);
    expect(await details(product.id)).toMatchObject({ stock: 0, purchases: 50 });
  });

  test('purchases and gifts back of many pieces at once leave what the sums say', async () => {
    const product = await add({}, 40);
    const bought = await Promise.all(Array.from({ length: 30 }, (_, at) => purchase(product.variant_id, 1 + (at % 4))));
    const held = bought.filter(({ status }) => status === 200).map(({ body }) => body);
    const back = await Promise.all(held.flatMap(({ id }) => [giveBack(id), giveBack(id)]));
    expect(back.filter(({ status }) => status === 200)).toHaveLength(held.length);
    expect(await details(product.id)).toMatchObject({ stock: 40, purchases: 0 });
  });

  test('once, however often the same request is sent', async () => {
    const product = await add();
    const input = { variant_id: product.variant_id, quantity: 2, request_id: crypto.randomUUID() };
    const answers = await Promise.all(Array.from({ length: 5 }, () => test_app.send(seller, 'mall/purchase', input)));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(await details(product.id)).toMatchObject({ stock: 3, purchases: 2 });
  });

  test('as they are at that moment; more than are left are refused with how many there are', async () => {
    const product = await add({
      name: 'Mug',
      attributes: [{ name: 'Size', values: ['L'] }],
      variants: [{ options: ['L'], price: '2.5', stock: 3 }],
    });
    const { body } = await purchase(product.variant_id, 2);
    expect(body).toMatchObject({
      name: 'Mug',
      options: ['L'],
      price: '2.500000',
      quantity: 2,
      given_back: 0,
      left: 1,
      product_id: product.id,
    });
    const refused = await test_app.send(seller, 'mall/purchase', { variant_id: product.variant_id, quantity: 2 });
    expect([refused.status, refused.body.code]).toEqual([409, 'mall.sold_out']);
    expect(refused.body.message).toContain('1');
  });

  test('not of what is hidden, nor of what there is not', async () => {
    const hidden = await add({ enabled: false });
    expect((await purchase(hidden.variant_id)).status).toBe(404);
    expect((await purchase(987_654)).status).toBe(404);
  });

  test('and given back in parts, never more than were bought', async () => {
    const product = await add();
    const { body: bought } = await purchase(product.variant_id, 4);
    expect((await giveBack(bought.id, 3)).body).toMatchObject({ given_back: 3, left: 4 });
    expect((await giveBack(bought.id, 2)).body).toMatchObject({ code: 'mall.given_back' });
    expect((await giveBack(bought.id)).body).toMatchObject({ given_back: 4, left: 5 });
    expect((await giveBack(bought.id)).status).toBe(409);
    expect(await details(product.id)).toMatchObject({ stock: 5, purchases: 0 });
  });

  test('a purchase outlives its product', async () => {
    const product = await add();
    const { body: bought } = await purchase(product.variant_id, 2);
    expect((await test_app.call(administrator, 'mall_product_list', 'remove', { ids: [product.id] })).status).toBe(200);
    expect((await giveBack(bought.id)).body).toMatchObject({
      product_id: null,
      variant_id: null,
      given_back: 2,
      left: null,
      name: product.name,
    });
  });

  test('the database itself refuses a negative stock', async () => {
    const { variant_id } = await add();
    await expect(test_app.db.execute(sql`UPDATE mall_variant SET stock = -1 WHERE id = ${variant_id}`)).rejects.toThrow();
  });
});

describe('a shop front', () => {
  const reads = [
    ['catalogue', {}],
    ['search', { search: 'product' }],
  ] as const;

  test('reads only with the list of products in its rights, until the mall is opened', async () => {
    const product = await add();
    const customer = await test_app.makeUser('customer');
    for (const [path, input] of [...reads, ['product', { id: product.id }] as const]) {
      expect((await anybody(path, input)).status).toBe(401);
      expect((await test_app.send(customer, `mall/${path}`, input)).status).toBe(403);
      expect((await test_app.send(seller, `mall/${path}`, input)).status).toBe(200);
    }
    await open(true);
    for (const [path, input] of reads) expect((await anybody(path, input)).body).toMatchObject({ currency: 'USDT', page: 1 });
    await open(false);
    expect((await anybody('catalogue')).status).toBe(401);
  });

  test('has an API token for it that reads, and one that sells as well', async () => {
    const product = await add();
    const tokenFor = async (nodes: ('mall_product_list' | 'mall_product_list.sell')[]) => {
      const made_ = await test_app.call(seller, 'api_token', 'add', { name: 'shop front', nodes });
      return async (path: string, payload: object) => {
        const headers = { authorization: `Bearer ${made_.body.token}` };
        return (await test_app.app.inject({ method: 'POST', url: `/api/${path}`, headers, payload })).statusCode;
      };
    };
    const [reader, selling] = [await tokenFor(['mall_product_list']), await tokenFor(['mall_product_list', 'mall_product_list.sell'])];
    expect(await reader('mall/product', { id: product.id })).toBe(200);
    expect(await reader('mall/purchase', { variant_id: product.variant_id })).toBe(403);
    expect(await selling('mall/purchase', { variant_id: product.variant_id })).toBe(200);
    expect(await reader('mall_product_list/remove', { ids: [product.id] })).toBe(403);
  });

  test('finds what is shown, by category with all below it, by words, cheapest first', async () => {
    await open(true);
    const category = async (title: string, superior_id: number | null, show_status: 1 | 2 = 1) =>
      (
        await test_app.call(administrator, 'mall_category_list', 'add', {
          superior_id,
          show_status,
          titles: [{ language: 'zh-CN', title }],
        })
      ).body.id;
    const top = await category('上', null);
    const [inner, hidden] = [await category('下', top), await category('隐', top, 2)];
    const price = (amount: string) => ({ variants: [{ options: [], price: amount, stock: 1 }] });
    await add({ name: 'Dear kettle', category_id: inner, ...price('9'), ranking_recommend: true });
    await add({ name: 'Cheap kettle', category_id: top, ...price('3') });
    await add({ name: 'Hidden kettle', category_id: top, enabled: false });
    const underHidden = await add({ name: 'Kettle below', category_id: hidden });
    const names = async (path: string, input: object) =>
      (await anybody(path, input)).body.content.map(({ name }: { name: string }) => name);
    expect(await names('catalogue', { category_id: top })).toEqual(['Dear kettle', 'Cheap kettle']);
    expect(await names('catalogue', { category_id: top, sort: 'lowest_price', order: 'asc' })).toEqual(['Cheap kettle', 'Dear kettle']);
    expect(await names('catalogue', { category_id: top, ranking_recommend: true })).toEqual(['Dear kettle']);
    expect(await names('search', { search: 'KETTLE' })).toEqual(['Dear kettle', 'Cheap kettle']);
    expect((await anybody('product', { id: underHidden.id })).status).toBe(404);
    expect((await purchase(underHidden.variant_id)).status).toBe(404);
  });

  test('is answered out of memory, and learns of a change at once', async () => {
    const held = await createTestApp({ heldMilliseconds: 60_000 });
    try {
      const user = await held.makeUser('super');
      const made_ = await held.call(user, 'mall_product_list', 'add', {
        name: 'Before',
        variants: [{ options: [], price: '1', stock: 9 }],
      });
      const { id } = made_.body;
      const read = async () => (await held.call(user, 'mall', 'product', { id })).body;
      let unheard = 0;
      // What was told of its making may still come, and has it read once more.
      await eventually(async () => {
        const { name } = await read();
        unheard += 1;
        await held.db.execute(sql`UPDATE mall_product SET name = ${`unheard of ${unheard}`} WHERE id = ${id}`);
        expect((await read()).name).toBe(name);
      });
      await held.call(user, 'mall_product_list', 'update', { id, name: 'After' });
      await eventually(async () => expect((await read()).name).toBe('After'));
    } finally {
      await held.close();
    }
  });
});

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from './kit/product.ts';
import { test as base, expect } from './kit/test.ts';

const copy = { backed_up_at: '2026-11-20T03:00:00.000Z', restored_at: '2026-11-21T08:00:00.000Z' };

/** A product on a data folder as a restore leaves it. */
const test = base.extend({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for it where a fixture needs no other.
    async ({}, use) => {
      const home = mkdtempSync(join(tmpdir(), 'livecode-copy-'));
      const dataDir = join(home, 'data');
      mkdirSync(dataDir, { mode: 0o700 });
      writeFileSync(join(dataDir, 'restored.json'), JSON.stringify(copy), { mode: 0o600 });
      const product = await startProduct({ LIVECODE_DATA_DIR: dataDir });
      await use(product);
      await product.stop();
      rmSync(home, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});
test.use({ as: 'admin' });

test('a restored copy says that it sends nothing, until its administrator says by his password that it is the site', async ({
  page,
  product,
}) => {
  const need = page.getByText('这是一份恢复的副本：不对外发送');
  await expect(need).toBeVisible();
  await page.getByRole('button', { name: '这就是正式站点' }).click();
  const question = page.getByRole('dialog', { name: '这就是正式站点？' });
  await expect(question.getByText(/备份时间：2026-11-20/)).toBeVisible();
  await expect(question.getByText(/^确认后立即发送：/)).toBeVisible();
  await question.getByLabel('密码').fill('not the password');
  await question.getByRole('button', { name: '确认为正式站点' }).click();
  await expect(question.getByText('密码不正确')).toBeVisible();
  await question.getByLabel('密码').fill(product.password);
  await question.getByRole('button', { name: '确认为正式站点' }).click();
  await expect(page.getByText('已确认为正式站点，开始对外发送')).toBeVisible();
  await expect(need).toHaveCount(0);
});

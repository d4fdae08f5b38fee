import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { beforeJourneys, openPageAs } from './kit/journey.ts';
import { addCustomer } from './kit/seed.ts';

const [long, short] = ['华东区连锁门店二零二六年秋季新品海报', '门店'];
let page: Page;

beforeJourneys(async (journey) => {
  page = await openPageAs(await addCustomer(journey.product, 'cut-texts'), journey);
});

test('a text that ends in dots is read whole by pointing at it; one that has room says nothing more', async () => {
  // The class of the kit, in a place of its own: screens may give their texts titles.
  await page.evaluate(
    (words) => {
      for (const text of words) {
        const line = Object.assign(document.createElement('p'), { className: 'lc-cut', textContent: text });
        line.style.cssText = 'position: fixed; z-index: 9; width: 120px; background: white';
        line.style.top = `${words.indexOf(text) * 40 + 300}px`;
        document.getElementById('main')?.append(line);
      }
    },
    [long, short],
  );
  const titleOf = (text: string) => page.locator('p.lc-cut', { hasText: text }).getAttribute('title');
  await page.getByText(long).hover();
  await expect.poll(() => titleOf(long)).toBe(long);
  await page.locator('p.lc-cut', { hasText: new RegExp(`^${short}$`) }).hover();
  expect(await page.locator('p.lc-cut[title]').count()).toBe(1);
});

import { expect, test } from './kit/test.ts';

const [long, short] = ['华东区连锁门店二零二六年秋季新品海报', '门店'];

test('a text that ends in dots is read whole by pointing at it; one that has room says nothing more', async ({ page }) => {
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
  const line = (text: string) => page.locator('p.lc-cut').filter({ hasText: new RegExp(`^${text}$`) });
  await line(long).hover();
  await expect(line(long)).toHaveAttribute('title', long);
  await line(short).hover();
  await expect(page.locator('p.lc-cut[title]')).toHaveCount(1);
});

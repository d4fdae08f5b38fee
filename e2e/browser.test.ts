import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { type BrowserProgram, bundledBrowser, launchBrowser, systemBrowser } from './kit/browser.ts';

const page = `<!doctype html><meta charset="utf-8"><title>活码</title><style>main { display: grid; width: 50% }</style>
<main><h1>Live code</h1></main><script>document.querySelector('h1').textContent += ' ' + [1, 2, 3].at(-1);</script>`;

const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
test.beforeAll(() => new Promise<void>((resolve) => server.listen(0, () => resolve())));
test.afterAll(() => new Promise((resolve) => server.close(resolve)));

async function renders(program: BrowserProgram | undefined) {
  const browser = await launchBrowser(program);
  try {
    const tab = await browser.newPage({ viewport: { width: 800, height: 600 } });
    await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    await expect(tab).toHaveTitle('活码');
    await expect(tab.getByRole('heading')).toHaveText('Live code 3');
    await expect.poll(async () => (await tab.locator('main').boundingBox())?.width).toBe(392);
    expect((await tab.screenshot()).length).toBeGreaterThan(1000);
  } finally {
    await browser.close();
  }
}

test.describe('launchBrowser', () => {
  test("the machine's Chromium renders a page", () => {
    const program = systemBrowser();
    test.skip(!program);
    return renders(program);
  });

  test('the Chromium that npm brings renders a page', async () => {
    test.skip(process.platform !== 'linux');
    await renders(await bundledBrowser());
  });

  test('without a choice one of them is started', () => renders(undefined));
});

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrowserProgram } from './kit/browser.ts';
import { bundledBrowser, launchBrowser, systemBrowser } from './kit/browser.ts';

const page = `<!doctype html><meta charset="utf-8"><title>活码</title><style>main { display: grid; width: 50% }</style>
<main><h1>Live code</h1></main><script>document.querySelector('h1').textContent += ' ' + [1, 2, 3].at(-1);</script>`;

const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page));
beforeAll(() => new Promise<void>((resolve) => server.listen(0, () => resolve())));
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function renders(program: BrowserProgram | undefined) {
  const browser = await launchBrowser(program);
  try {
    const tab = await browser.newPage({ viewport: { width: 800, height: 600 } });
    await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    expect(await tab.title()).toBe('活码');
    expect(await tab.getByRole('heading').textContent()).toBe('Live code 3');
    expect((await tab.locator('main').boundingBox())?.width).toBe(392);
    expect((await tab.screenshot()).length).toBeGreaterThan(1000);
  } finally {
    await browser.close();
  }
}

describe('launchBrowser', () => {
  test.runIf(systemBrowser())("the machine's Chromium renders a page", () => renders(systemBrowser()));

  test.runIf(process.platform === 'linux')('the Chromium that npm brings renders a page', async () => renders(await bundledBrowser()));

  test('without a choice one of them is started', () => renders(undefined));
});

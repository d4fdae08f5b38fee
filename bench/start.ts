/**
 * What a cold start costs: `npm run bench:start -- [--rounds 5]`. Opens the login, and the list of live codes of a user who is logged in, in a
 * Chromium that knows nothing of the site, against the running product with its demo data: bytes over the wire, requests, the time until
 * the page can be used, the longest task of its main thread, and calls that were made twice. Fails beyond the budgets.
 */
import { parseArgs } from 'node:util';
import type { Browser, Page } from '@playwright/test';
import { launchBrowser } from '../e2e/kit/browser.ts';
import { startProduct } from '../e2e/kit/product.ts';
import { userOf } from '../e2e/kit/users.ts';
import { type Task, tracedTasks } from './trace.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
/** What still comes after the first row (the socket, the first poll) is waited for, and counted. */
const restMilliseconds = 2000;
const maxTaskMilliseconds = 200;

type Cold = { name: string; hash: string; token?: string; usable: (page: Page) => Promise<unknown>; maxBytes: number; maxRequests: number };
type Found = { bytes: number; requests: number; firstMilliseconds: number; longest: Task; twice: string[] };

const median = (numbers: readonly number[]) => [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

async function openCold(browser: Browser, backOffice: string, { hash, token, usable }: Cold): Promise<Found> {
  const context = await browser.newContext({ locale: 'zh-CN', viewport: { width: 1440, height: 900 } });
  if (token) await context.addInitScript((own) => localStorage.setItem('livecode.token', own), token);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  const asked: string[] = [];
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  page.on('request', (request) => asked.push(request.url().slice(backOffice.length)));
  let firstMilliseconds = 0;
  const tasks = await tracedTasks(browser, page, async () => {
    const startedAt = performance.now();
    await page.goto(`${backOffice}/#${hash}`, { waitUntil: 'commit' });
    await usable(page);
    firstMilliseconds = performance.now() - startedAt;
    await page.waitForTimeout(restMilliseconds);
  });
  await context.close();
  const longest = tasks.reduce((one, other) => (other.processor > one.processor ? other : one));
  const calls = asked.filter((url) => url.startsWith('/api/'));
  return { bytes, requests: asked.length, firstMilliseconds, longest, twice: calls.filter((url, at) => calls.indexOf(url) !== at) };
}

const product = await startProduct({ LIVECODE_DEMO: '1' });
const browser = await launchBrowser();
let isMet = true;
try {
  const { token } = await userOf(product, 'admin', product.password);
  const starts: Cold[] = [
    { name: 'login', hash: '/admin_login', usable: (page) => page.getByLabel('账号').waitFor(), maxBytes: 250_000, maxRequests: 15 },
    {
      name: 'live codes',
      hash: '/customer/qr_code_list_admin',
      token,
      usable: (page) => page.locator('tbody tr[data-row-key]').first().waitFor(),
      maxBytes: 550_000,
      maxRequests: 30,
    },
  ];
  for (const start of starts) {
    const found: Found[] = [];
    for (let round = 0; round < rounds; round += 1) found.push(await openCold(browser, product.backOffice, start));
    const most = (of: (one: Found) => number) => Math.max(...found.map(of));
    const [bytes, requests, longest] = [
      most((one) => one.bytes),
      most((one) => one.requests),
      median(found.map((one) => one.longest.processor)),
    ];
    const twice = [...new Set(found.flatMap((one) => one.twice))];
    if (bytes > start.maxBytes || requests > start.maxRequests || longest > maxTaskMilliseconds || twice.length > 0) isMet = false;
    const first = found.map((one) => one.firstMilliseconds);
    console.log(`\n${start.name}, cold, ${rounds} times`);
    console.log(`  over the wire          ${(bytes / 1000).toFixed(0)} kB (wanted ≤ ${start.maxBytes / 1000})`);
    console.log(`  requests               ${requests} (wanted ≤ ${start.maxRequests})`);
    console.log(`  until it can be used   ${median(first).toFixed(0)} ms (${first.map((one) => one.toFixed(0)).join(', ')})`);
    const tasks = found.map((one) => `${one.longest.processor.toFixed(0)} of ${one.longest.wall.toFixed(0)}`).join(', ');
    console.log(
      `  longest task           ${longest.toFixed(0)} ms of the processor (${tasks} by the clock; wanted ≤ ${maxTaskMilliseconds})`,
    );
    console.log(`  asked twice            ${twice.join(', ') || 'nothing'}`);
  }
} finally {
  await browser.close();
  await product.stop();
}
if (!isMet) process.exitCode = 1;

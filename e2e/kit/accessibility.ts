import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const grave = ['serious', 'critical'];

/** Waits until nothing moves, fades or loads any more: a text that is half faded in has half its contrast. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const isRunning = (animation: Animation) =>
      animation.playState === 'running' && animation.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
    const loading = '[aria-busy="true"], .ant-skeleton, .lc-skeleton, .ant-spin-spinning';
    const isBusy = () => document.querySelector(loading) !== null || document.getAnimations().some(isRunning);
    // One end of a motion may begin the next: the page is at rest when five pictures in a row find it so.
    for (let rest = 0; rest < 5; rest = isBusy() ? 0 : rest + 1) await new Promise(requestAnimationFrame);
  });
}

async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction((name) => document.documentElement.dataset.theme === name, theme);
}

/**
 * What axe holds against the page, each fault with the element it was found at; only grave ones.
 * @param within the part to look at, by its selector
 * @param rules only these rules
 */
async function faults(page: Page, within?: string, rules?: string[]): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: { type: 'rule', values: rules } }) };
  const { violations } = await page.evaluate(
    ([selector, settings]) => {
      const { axe } = window as unknown as { axe: { run: (context: unknown, options: unknown) => Promise<AxeResults> } };
      return axe.run(selector ?? document, settings);
    },
    [within, options] as const,
  );
  return violations
    .filter(({ impact }) => impact && grave.includes(impact))
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)} (${node.failureSummary?.replace(/\s+/g, ' ')})`));
}

/** The grave faults in both themes, beginning with the one that shows: the other is the same page in other colours, which alone are judged again. */
export async function faultsInBothThemes(page: Page, within?: string): Promise<string[]> {
  const first = await page.evaluate(() => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'));
  const second = first === 'dark' ? 'light' : 'dark';
  const found = (await faults(page, within)).map((fault) => `${first} ${fault}`);
  await showTheme(page, second);
  return [...found, ...(await faults(page, within, ['color-contrast', 'link-in-text-block'])).map((fault) => `${second} ${fault}`)];
}

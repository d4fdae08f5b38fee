import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const grave = ['serious', 'critical'];

/** The rules' impacts are told by no function of axe. */
type Axe = {
  run: (context: unknown, options: RunOptions) => Promise<AxeResults>;
  _audit: { rules: { id: string; impact: string | null }[] };
};

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

/**
 * What axe holds against the page, each fault with the element it was found at; only grave ones.
 * @param within the part to look at, by its selector
 */
export async function faultsOf(page: Page, within = 'html'): Promise<string[]> {
  await settle(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source);
  const theme = await page.evaluate(() => document.documentElement.dataset.theme);
  const { violations } = await page.evaluate(
    ([selector, impacts]) => {
      const { axe } = window as unknown as { axe: Axe };
      // What is found by lesser rules would be left out below: they take a third of the time.
      const lesser = axe._audit.rules.filter(({ impact }) => impact && !impacts.includes(impact));
      const rules = Object.fromEntries(lesser.map(({ id }) => [id, { enabled: false }]));
      return axe.run(selector, { resultTypes: ['violations'], rules });
    },
    [within, grave] as const,
  );
  return violations
    .filter(({ impact }) => impact && grave.includes(impact))
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${theme} ${id}: ${node.html.slice(0, 200)} (${node.failureSummary?.replace(/\s+/g, ' ')})`),
    );
}

import { availableParallelism } from 'node:os';
import { defineConfig } from '@playwright/test';
import { browserFlags, browserProgram } from './kit/browser.ts';
import type { Options } from './kit/test.ts';

const { executable, env } = await browserProgram();
/** Where `npm run test:steady` keeps what each failure looked like. */
const traces = process.env.LIVECODE_TEST_TRACES;

export default defineConfig<Options>({
  testDir: '.',
  testMatch: '*.test.ts',
  outputDir: traces ?? '../node_modules/.cache/e2e',
  globalSetup: './kit/shared-product.ts',
  // A browser and a product are busy enough.
  workers: availableParallelism(),
  // What passed only on the second try is printed as flaky, with a trace of it.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [
    ['list'],
    ...(process.env.LIVECODE_TEST_REPORT ? ([['json', { outputFile: process.env.LIVECODE_TEST_REPORT }]] as const) : []),
  ],
  use: {
    locale: 'zh-CN',
    viewport: { width: 1440, height: 900 },
    // Drawing each picture of a motion takes a third of a journey's time; what is about motion asks for it.
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    trace: traces ? 'retain-on-failure' : 'on-first-retry',
    launchOptions: { executablePath: executable, args: browserFlags, env },
  },
});

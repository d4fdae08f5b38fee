import { defineConfig } from 'vitest/config';

const folders = ['src', 'scripts', 'simulators', 'bench'];
const slow = folders.map((folder) => `${folder}/**/*.slow.test.ts`);

export default defineConfig({
  test: {
    // One PostgreSQL for the whole run.
    globalSetup: ['src/server/kit/testing/global-setup.ts'],
    // One of two cores would stand idle by default.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'fast',
          include: folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`),
          exclude: slow,
          environment: 'node',
          // Files share a process and its modules: importing the app takes as long as many a file's tests.
          isolate: false,
          testTimeout: 20_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        // What kills processes, starts many of them, or is about great numbers.
        test: {
          name: 'slow',
          include: slow,
          environment: 'node',
          testTimeout: 20_000,
          hookTimeout: 30_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // Journeys in a real browser.
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['e2e/kit/shared-product.ts'],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          expect: { poll: { timeout: 15_000 } },
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});

import { defineConfig } from 'vitest/config';

const testsIn = (...folders: string[]) => folders.map((folder) => `${folder}/**/*.test.{ts,tsx}`);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: testsIn('src', 'scripts', 'simulators', 'bench'),
          environment: 'node',
          globalSetup: ['src/server/kit/testing/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
          // One of two cores would stand idle by default.
          maxWorkers: '100%',
          sequence: { groupOrder: 0 },
        },
      },
      {
        // Journeys in a real browser run last and one at a time: they start the whole product.
        test: {
          name: 'e2e',
          include: testsIn('e2e'),
          environment: 'node',
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

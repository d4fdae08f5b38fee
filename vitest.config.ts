import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src', 'scripts', 'simulators', 'bench'].map((folder) => `${folder}/**/*.test.{ts,tsx}`),
          environment: 'node',
          globalSetup: ['src/server/kit/testing/global-setup.ts'],
          testTimeout: 20_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
});

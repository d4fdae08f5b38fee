import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { runHosts } from './testing/hosts.ts';

test('hosts on one database are killed and restarted one after another, and no visit is refused or lost', {
  timeout: 400_000,
}, async () => {
  const folder = makeTestFolder();
  try {
    const report = await runHosts({ folder, redirects: 2, webs: 2, workers: 1, rate: 50, codes: 50 });
    expect(report).toMatchObject({
      kills: 3,
      restarts: 5,
      refused: 0,
      lost: 0,
      inconsistent: [],
      together: { session: 200, picture: 200, export: 200 },
    });
    expect(report.answered).toBe(report.asked);
    // Otherwise nothing was tried.
    expect(report.retried).toBeGreaterThan(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

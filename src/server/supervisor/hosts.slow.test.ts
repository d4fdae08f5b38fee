import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { runHosts } from './testing/hosts.ts';

test('hosts on one database are killed and restarted one after another, no visit is refused or lost, and a page’s socket comes back', {
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
      socket: { heard: true },
    });
    expect(report.answered).toBe(report.asked);
    // Otherwise nothing was tried.
    expect(report.retried).toBeGreaterThan(0);
    // Its host was killed, and whichever it came back to was restarted.
    expect(report.socket.lost).toBeGreaterThanOrEqual(2);
    expect(report.socket.back).toBe(report.socket.lost);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

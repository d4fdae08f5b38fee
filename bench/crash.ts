/**
 * Kills redirect processes, the loader and PostgreSQL in turn under load, again and again, and compares what visitors were answered with
 * what the database holds: `npm run bench:crash -- [--seconds 120] [--connections 32] [--codes 1000] [--pause 1500]`.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { crashUnderLoad } from '../src/server/visits/testing/crash.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    connections: { type: 'string', default: '32' },
    codes: { type: 'string', default: '1000' },
    pause: { type: 'string', default: '1500' },
  },
});
const dataDir = makeTestFolder();
try {
  const { lost, inconsistent, miscounted, ...figures } = await crashUnderLoad({
    dataDir,
    seconds: Number(values.seconds),
    connections: Number(values.connections),
    codes: Number(values.codes),
    pauseBetweenKills: Number(values.pause),
    log: console.log,
  });
  console.log(figures);
  console.log(`answered visits without a row: ${lost.length}`, lost.slice(0, 5));
  console.log(`rollups that differ from rows, doubled visits: ${inconsistent.length}`, inconsistent);
  console.log(`targets whose threshold does not add up: ${miscounted.length}`, miscounted);
  process.exitCode = lost.length + inconsistent.length + miscounted.length > 0 ? 1 : 0;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}

/**
 * Many machines, as processes: `npm run bench:hosts -- [--rate 2000] [--redirects 4] [--webs 2] [--workers 2] [--codes 1000] [--caddy]`. Each has a
 * supervisor and a data folder of its own, all of them one PostgreSQL. One of each kind is killed with SIGKILL, then all are restarted one
 * after another, under visits that go round the redirect hosts as a load balancer sends them; with `--caddy` through a real one. Fails where a visit was refused or lost,
 * or a page that was open throughout has no socket at its end.
 */
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeTestFolder } from '../src/server/kit/testing/folder.ts';
import { runHosts } from '../src/server/supervisor/testing/hosts.ts';

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '2000' },
    redirects: { type: 'string', default: '4' },
    webs: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
    codes: { type: 'string', default: '1000' },
    caddy: { type: 'boolean' },
  },
});
const folder = makeTestFolder();
try {
  const report = await runHosts({
    folder,
    redirects: Number(values.redirects),
    webs: Number(values.webs),
    workers: Number(values.workers),
    rate: Number(values.rate),
    codes: Number(values.codes),
    isThroughCaddy: values.caddy ?? false,
    log: console.log,
  });
  console.log(report);
  const isPageBack = report.socket.heard && report.socket.back === report.socket.lost;
  process.exitCode = report.refused + report.lost + report.inconsistent.length > 0 || !isPageBack ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

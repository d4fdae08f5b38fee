import { expect } from 'vitest';
import { startBalancedLoad } from '../../supervisor/testing/balanced-load.ts';
import { compare } from '../../visits/testing/crash.ts';
import { run } from './releases.ts';
import { startInstallation } from './site.ts';

/** What codes are prepared with, and visits compared by. */
export const measured = { seconds: 600, codes: 20 };

/** What a comparison says of a site that lost nothing. */
export const nothingLost = { lost: [], inconsistent: [], miscounted: [] };

interface Options {
  home: string;
  /** Of the domain of the codes, wherever the site listens. */
  domainPort: number;
  names: readonly string[];
  /** Works on the site's database, also while the site is stopped. */
  onDatabase: <T>(work: (url: string) => Promise<T>) => Promise<T>;
  env?: NodeJS.ProcessEnv;
}

const rate = 200;

/** Starts an installation, and visitors who come all the time. */
export async function startVisitedSite({ home, domainPort, names, onDatabase, env = {} }: Options) {
  const site = await startInstallation(home, { LIVECODE_REDIRECT_PROCESSES: '2', LIVECODE_TRUSTED_PROXIES: '127.0.0.1,::1', ...env });
  const load = startBalancedLoad({ ports: [site.visits], host: `localhost:${domainPort}`, names, rate });
  await expect.poll(() => load.answered.length, { timeout: 15_000 }).toBeGreaterThan(rate);
  const program = `${home}/program/src/server/upgrade/upgrade.main.ts`;
  return {
    ...site,
    load,
    upgrade: (archive: string, killAt?: RegExp) => run(home, [program, archive], killAt, 0, site.env),
    /** Ends it once the visits that were answered are loaded; what the database holds of them then. */
    async compare(visits: string[] = load.answered) {
      const lost = () => onDatabase(async (url) => (await compare(url, visits, measured)).lost.length);
      await expect.poll(lost, { timeout: 60_000, interval: 500 }).toBe(0);
      expect(await site.stop()).toBe(0);
      return onDatabase((url) => compare(url, visits, measured));
    },
    async end() {
      await load.stop();
      await site.stop();
    },
  };
}

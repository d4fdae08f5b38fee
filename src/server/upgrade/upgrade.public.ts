import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isHeld } from '../kit/data-folder-lock.ts';
import { installationOf } from './installation.ts';
import { refuseUnfinishedReturn } from './record.ts';

/** Called before anything is made. In a checkout two folders up there is no such record. */
export const refuseHalfReturned = (root: string): void => refuseUnfinishedReturn(dirname(dirname(root)));

/** What starts once an upgrade has exchanged the release that runs; undefined in a checkout, which is upgraded by its own tools. */
export function successorIn(root: string, dataDir: string) {
  const installation = installationOf(root);
  if (!installation) return undefined;
  const { home, releases } = installation;
  return {
    // An upgrade holds the folder of the releases from its start to its end; what it started may outlive it, on the data folder.
    isAwaited: () => isHeld(releases) || isHeld(dataDir),
    program: () => {
      const loader = join(home, 'program/scripts/lib/load-stripped.mjs');
      const args = existsSync(loader) ? ['--import', pathToFileURL(loader).href] : [];
      return { command: join(home, 'program/node_modules/.bin/node'), args: [...args, 'program/src/server/main.ts'], cwd: home };
    },
  };
}

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export interface FirstStart {
  /** When a visit could be answered, and when the back office's page was; undefined where it never was. */
  visitMilliseconds?: number;
  officeMilliseconds?: number;
  /** Statuses of the back office's `/readyz` and of a visit to a code that is not there. */
  pages: { office: number; visit: number };
  /** What the start printed. */
  said: string;
  /** What kept it from the network. */
  isolation: 'a network of its own' | 'a registry and a proxy that refuse';
}

const probe = fileURLToPath(new URL('./probe.mjs', import.meta.url));
const refusing = 'http://127.0.0.1:9';
/** Where other networks cannot be made, all that could fetch something is sent to where nothing answers. */
const unreachable = { npm_config_offline: 'true', npm_config_registry: refusing, HTTP_PROXY: refusing, HTTPS_PROXY: refusing };

/**
 * Runs `npm start` in the folder of an unpacked release, with the Node of the path and no network but this machine's own, until all of it
 * answers, and stops it.
 */
export async function startWithoutNetwork(home: string, env: NodeJS.ProcessEnv): Promise<FirstStart> {
  const isAlone = spawnSync('unshare', ['-n', 'ip', 'link', 'set', 'lo', 'up']).status === 0;
  const command = isAlone ? ['unshare', '-n', 'sh', '-c', 'ip link set lo up && exec node "$0"', probe] : ['node', probe];
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    cwd: home,
    // Nothing of ours but what names its place: no settings of npm, no runtime of a checkout on the path.
    env: { HOME: home, PATH: pathWithoutOurs(), ...(isAlone ? {} : unreachable), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (!output) throw new Error('The probe of the first start said nothing.');
  return { ...JSON.parse(output), isolation: isAlone ? 'a network of its own' : 'a registry and a proxy that refuse' };
}

/** Node and npm as the machine has them: npm puts the runtime of the checkout in front. */
function pathWithoutOurs(): string {
  const own = dirname(process.execPath);
  return (process.env.PATH ?? '')
    .split(':')
    .filter((folder) => folder !== own && !folder.includes('node_modules'))
    .join(':');
}

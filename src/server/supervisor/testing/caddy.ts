import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Runs a real Caddy before the hosts, set as `deploy/Caddyfile` is. */
export async function startCaddy(folder: string, port: number, hosts: readonly number[]) {
  const file = join(folder, 'Caddyfile');
  writeFileSync(
    file,
    `{
      admin off
    }
    http://:${port} {
      reverse_proxy ${hosts.map((host) => `127.0.0.1:${host}`).join(' ')} {
        lb_policy round_robin
        lb_try_duration 5s
        lb_try_interval 50ms
        fail_duration 2s
      }
    }`,
  );
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const answers = () =>
    new Promise<boolean>((resolve) => {
      get({ port, path: '/healthz' }, (response) => resolve(response.resume().statusCode === 200)).once('error', () => resolve(false));
    });
  for (let tried = 0; !(await answers()); tried += 1) {
    if (tried > 100) throw new Error('Caddy did not start.');
    await delay(100);
  }
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}

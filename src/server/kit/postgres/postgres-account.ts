import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { StartError } from '../start-error.ts';

/** The system account that PostgreSQL runs as. */
export interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root: then it runs as `postgres`, else as `nobody`.
 * Undefined means our own account, which is not root.
 */
export function postgresAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name = '', , uid, gid]) => [name, { name, uid: Number(uid), gid: Number(gid) }] as const),
  );
  const account = accounts.get('postgres') ?? accounts.get('nobody');
  if (!account) throw new StartError('PostgreSQL does not run as root, and neither "postgres" nor "nobody" is in /etc/passwd.');
  return account;
}

/** True when the account can run the program, and the program says that all is well. */
export function runsAs(account: Account | undefined, program: string, args: string[]): boolean {
  return spawnSync(program, args, { ...identity(account), cwd: '/', stdio: 'ignore' }).status === 0;
}

/** The part of spawn's options that changes to the account (and leaves our supplementary groups). */
export function identity(account: Account | undefined): { uid?: number; gid?: number } {
  return account ? { uid: account.uid, gid: account.gid } : {};
}

import { sql } from 'drizzle-orm';
import type { Settings } from '../../../contract/settings.ts';
import type { Bucket } from '../../kit/calls/attempts.ts';
import type { PublicContext } from '../../kit/calls/context.ts';
import { networkOf } from '../../kit/network/ip.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { type AccountOfDevice, knownDevice } from './known-devices.ts';

/** Networks that must fail to lock an account for strangers, and accounts that one network may fail at. */
const spread = 4;

export type LoginAccount = AccountOfDevice & { disabled: number; login_ip: string | null };

export type LoginLimits = {
  /** What every guess of a stranger is counted in: his network, whichever accounts he tries. */
  network: Bucket;
  /** What this guess is counted in. */
  buckets: Bucket[];
  /** The bucket whose failures a login makes forgotten; the others are shared with strangers. */
  own: Bucket;
  /** The known device that asks, if one does. */
  device_id: string | undefined;
};

const accountKey = (account: string): string => `login:account:${account.toLowerCase()}`;

/** Lets strangers in again: an administrator gave the user a new password, which nobody has guessed at. */
export async function forgetFailures(db: Database, account: string): Promise<void> {
  const key = accountKey(account);
  await db.execute(sql`DELETE FROM attempt WHERE key = ${key} OR starts_with(key, ${`${key}:`})`);
}

type Asked = { account: string; device_token?: string | undefined };

/**
 * Which failures stop a login. A device that logged in before has a bucket of its own, so that nobody else can fill it. Of strangers each
 * network has its own for the account, too, and no network alone fills the account's; the one of the last login is not counted there.
 */
export async function loginLimits(
  context: PublicContext,
  { account, device_token }: Asked,
  found: LoginAccount | undefined,
): Promise<LoginLimits> {
  const { login_failure_limit: max, login_failure_minutes }: Settings = await context.settings();
  const seconds = login_failure_minutes * 60;
  const network = networkOf(context.ip);
  const ofAccount = accountKey(account);
  const ofNetwork = { key: `login:ip:${network}`, max: max * spread, seconds };
  const device_id = found && knownDevice(context, found, device_token);
  if (found && device_id !== undefined) {
    const own = { key: `login:device:${found.id}:${device_id}`, max, seconds };
    return { network: ofNetwork, buckets: [own], own, device_id };
  }
  const own = { key: `${ofAccount}:${network}`, max, seconds };
  const isUsualNetwork = found?.login_ip != null && networkOf(found.login_ip) === network;
  const shared = isUsualNetwork ? [] : [{ key: ofAccount, max: max * spread, seconds }];
  return { network: ofNetwork, buckets: [ofNetwork, own, ...shared], own, device_id };
}

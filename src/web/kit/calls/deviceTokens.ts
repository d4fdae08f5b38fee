import { normalAccount } from '../../../contract/people/registration.ts';
import { readLocal, writeLocal } from '../local.ts';

/** Accounts that this browser is known to; the one that logged in longest ago gives way. */
const maximumAccounts = 20;
const key = 'devices';

/** By account, the last one that logged in at the end. What cannot be read counts as nothing. */
function readTokens(): [string, string][] {
  try {
    const kept: unknown = JSON.parse(readLocal(key) ?? '[]');
    if (!Array.isArray(kept)) return [];
    return kept.filter(
      (entry): entry is [string, string] => Array.isArray(entry) && entry.length === 2 && entry.every((text) => typeof text === 'string'),
    );
  } catch {
    return [];
  }
}

const nameOf = (account: string): string => normalAccount(account).toLowerCase();

/** What tells the server at the next login to this account that the browser is no stranger. Logging out leaves it. */
export function deviceTokenOf(account: string): string | undefined {
  return readTokens().find(([name]) => name === nameOf(account))?.[1];
}

export function keepDeviceToken(account: string, token: string): void {
  const others = readTokens().filter(([name]) => name !== nameOf(account));
  writeLocal(key, JSON.stringify([...others, [nameOf(account), token]].slice(-maximumAccounts)));
}

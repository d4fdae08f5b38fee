import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import type { Database } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import type { Site } from '../pushes.gathering.ts';

/** What a sender works with. */
export type Means = { db: Database; network: GuardedNetwork; vault: Vault; now: () => Date; site: () => Promise<Site> };

/** A push as it is written to its receiver. `link` is empty where the site does not know its own address. */
export type Written = { title: string; content: string; link: string; linkText: string; seenText: string };

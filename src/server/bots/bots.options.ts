import type { Log } from '../kit/calls/context.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import type { Vault } from '../kit/vault.ts';
import type { CheckUrl } from './bots.check.ts';
import type { TakePicture } from './bots.pictures.ts';

/** What the work of bots is done with. */
export type BotsOptions = {
  bus: Bus;
  network: GuardedNetwork;
  vault: Vault;
  log: Log;
  /** Undefined: there is no `/check`, and nobody is told of one. */
  checkUrl?: CheckUrl | undefined;
  /** Undefined: pictures are for nothing, and nobody is told to send one. */
  takePicture?: TakePicture | undefined;
};

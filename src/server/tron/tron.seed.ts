import { eq } from 'drizzle-orm';
import type { Config } from '../config.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { readPayConfig, sealApiKey } from './tron.means.ts';
import { mainContract, testContract } from './tron.networks.ts';
import { pay_config, tron_position } from './tron.table.ts';

type Settings = Pick<Config, 'tronPort' | 'tronUrl' | 'tronContract' | 'tronApiKey'>;

/**
 * What the environment says of the network at each start: where the embedded one is, and, until anything was read from a network, which
 * one it is. Afterwards the network is changed on its screen only: there, money of the other one is looked for.
 */
export async function configurePayments(
  db: Database,
  vault: Vault,
  { tronPort, tronUrl, tronContract, tronApiKey }: Settings,
): Promise<void> {
  const { network } = await readPayConfig(db);
  const own = eq(pay_config.id, 1);
  const isFresh = network === 'test' && (await db.$count(tron_position)) === 0;
  if (tronUrl && isFresh) {
    const api_key = tronApiKey ? sealApiKey(vault, tronApiKey) : null;
    await db
      .update(pay_config)
      .set({ network: 'tron', url: tronUrl, contract: tronContract ?? mainContract, api_key })
      .where(own);
  } else if (network === 'test')
    await db
      .update(pay_config)
      .set({ url: tronPort > 0 ? `http://127.0.0.1:${tronPort}` : '', contract: testContract })
      .where(own);
}

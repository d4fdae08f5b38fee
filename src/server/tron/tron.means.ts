import { type GuardedNetwork, guardNetwork } from '../kit/network/guarded-network.ts';
import type { Database } from '../kit/postgres/database.ts';
import type { Vault } from '../kit/vault.ts';
import { createNode, type Endpoint, type TronNode } from './node/node.ts';
import { pay_config } from './tron.table.ts';

export type PayConfigRow = typeof pay_config.$inferSelect;
/** What speaks to the network: `network` keeps requests away from addresses inside. */
export type Means = { db: Database; vault: Vault; network: GuardedNetwork };

export const apiKeyLabel = 'tron api key';
export const sealApiKey = (vault: Vault, key: string): Buffer => vault.seal(Buffer.from(key), apiKeyLabel);
export const openApiKey = (vault: Vault, sealed: Buffer | null): string => (sealed ? vault.open(sealed, apiKeyLabel).toString() : '');

export async function readPayConfig(db: Database): Promise<PayConfigRow> {
  const [row] = await db.select().from(pay_config);
  if (!row) throw new Error('the row of pay_config is made with its table');
  return row;
}

/** The embedded network runs on this machine, which nothing else may be asked on. */
const ownMachine = guardNetwork(['127.0.0.1/32']);

type Where = Pick<PayConfigRow, 'network' | 'url' | 'second_url'>;

/** The nodes that are asked: one, or two that must say the same. */
export function nodesOf(
  { network: kind, url, second_url }: Where,
  api_key: string,
  network: GuardedNetwork,
  signal?: AbortSignal,
): TronNode[] {
  const guarded = kind === 'test' ? ownMachine : network;
  const endpoints: Endpoint[] = [{ url, api_key }, ...(second_url && kind === 'tron' ? [{ url: second_url, api_key }] : [])];
  return endpoints.map((endpoint) => createNode({ network: guarded, endpoint, ...(signal ? { signal } : {}) }));
}

/** The configuration of this moment and its nodes. */
export async function openNodes({ db, vault, network }: Means, signal?: AbortSignal) {
  const config = await readPayConfig(db);
  const [node, second] = nodesOf(config, openApiKey(vault, config.api_key), network, signal);
  if (!node) throw new Error('there is one node at least');
  return { config, node, second };
}

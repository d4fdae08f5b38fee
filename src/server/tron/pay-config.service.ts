import { eq, inArray, sql } from 'drizzle-orm';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import { confirmations, type PaySettings, type payConfig } from '../../contract/money/pay-config.ts';
import { recordAct } from '../kit/calls/audit.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import { translate } from '../kit/messages/messages.ts';
import { guardedUrl } from '../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import { type Database, transact } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { proveIdentity } from '../users/identity.public.ts';
import { isAddress, toHex } from './protocol/address.ts';
import { nodesOf, openApiKey, type PayConfigRow, readPayConfig, sealApiKey } from './tron.means.ts';
import { mainContract, testContract } from './tron.networks.ts';
import { pay_config, tron_position, tron_send, tron_wallet } from './tron.table.ts';

type Given = {
  network?: PayConfigRow['network'] | undefined;
  url?: string | undefined;
  second_url?: string | undefined;
  contract?: string | undefined;
  api_key?: string | null | undefined;
};

/** What the log holds: nothing that opens anything. */
const logged = ({ api_key, minimum_deposit, collect_threshold, fee_limit, ...row }: PayConfigRow) => ({
  ...row,
  api_key: api_key ? '***' : null,
  minimum_deposit: amountOf(minimum_deposit),
  collect_threshold: amountOf(collect_threshold),
  fee_limit: amountOf(fee_limit),
});

async function settingsOf(row: PayConfigRow, { db, language }: Context): Promise<PaySettings> {
  const [position] = await db.select().from(tron_position).where(eq(tron_position.contract, row.contract));
  const { last_error = null, last_error_params } = position ?? {};
  return {
    url: row.network === 'test' ? '' : row.url,
    second_url: row.second_url,
    has_api_key: row.api_key !== null,
    collecting_address: row.collecting_address,
    payout_addresses: row.payout_addresses,
    collect_threshold: amountOf(row.collect_threshold),
    fee_limit: amountOf(row.fee_limit),
    block: position?.block ?? null,
    solid_head: position?.solid_head ?? null,
    block_at: position?.block_at ?? null,
    last_error: last_error && translate(language, `errors.${last_error}`, last_error_params ?? {}),
    last_error_at: position?.last_error_at ?? null,
  };
}

/** The nodes and the contract as they would be. The embedded network is where the start put it. */
function wantedNodes(before: PayConfigRow, given: Given, vault: Context['vault']) {
  const network = given.network ?? before.network;
  const isMoved = network !== before.network;
  const api_key = given.api_key === undefined ? openApiKey(vault, before.api_key) : (given.api_key ?? '');
  if (network === 'test') {
    if (isMoved) throw invalidField('network', 'test_network_is_over');
    return { network, url: before.url, second_url: '', contract: testContract, api_key };
  }
  const url = given.url ?? (isMoved ? '' : before.url);
  const contract = given.contract || (isMoved ? mainContract : before.contract);
  const second_url = given.second_url ?? before.second_url;
  if (url === '') throw invalidField('url', 'required');
  if (!isAddress(contract)) throw invalidField('contract', 'tron_address');
  if (second_url === url) throw invalidField('second_url', 'same_node');
  for (const one of [url, second_url]) if (one !== '') guardedUrl(one);
  return { network, url, second_url, contract, api_key };
}

/** The collecting address is somebody's own: neither one that payments come to, nor the token. */
async function checkCollecting(db: Database, address: string, contract: string): Promise<void> {
  if (address === '') return;
  if (!isAddress(address)) throw invalidField('collecting_address', 'tron_address');
  const isOurs = (await db.$count(tron_wallet, eq(tron_wallet.address, address))) > 0;
  if (isOurs || address === contract) throw invalidField('collecting_address', 'own_address');
}

/** Wallets outside: what leaves the site's own is booked otherwise. */
async function checkPayouts(db: Database, addresses: readonly string[], contract: string): Promise<void> {
  for (const address of addresses) {
    if (!isAddress(address)) throw invalidField('payout_addresses', 'tron_address');
    if (address === contract || (await db.$count(tron_wallet, eq(tron_wallet.address, address))) > 0)
      throw invalidField('payout_addresses', 'own_address');
  }
}

/** What was begun on a network is ended there. */
async function refuseUnderWay(db: Database): Promise<void> {
  const underWay = await db.$count(tron_send, inArray(tron_send.state, ['queued', 'signed', 'broadcast', 'held']));
  if (underWay > 0) throw new AppError(409, 'pay_config.sends_left', { params: { number: underWay } });
}

/** Money of the network before would be worth what that of the new one is: whoever has some, or waits to be paid, must not over the change. */
async function refuseOldMoney(db: Database): Promise<void> {
  const { rows } = await db.execute<{ sum: string }>(
    sql`SELECT coalesce(sum(balance), 0)::text AS sum FROM ledger_account
      WHERE (owner_id IS NOT NULL OR kind = 'payout_clearing') AND asset = 'USDT' AND balance > 0`,
  );
  const sum = BigInt(rows[0]?.sum ?? '0');
  if (sum > 0n) throw new AppError(409, 'pay_config.money_left', { params: { amount: amountOf(sum) } });
}

/** @param guarded keeps requests away from addresses inside */
export const createPayConfigService = (guarded: GuardedNetwork): Service<typeof payConfig> => ({
  async inquire(_input, context) {
    const row = await readPayConfig(context.db);
    const { id, network, contract, order_minutes, qr_code_switch } = row;
    const maySee = context.actor.nodes.has('pay_config');
    return {
      ...{ id, network, contract, order_minutes, qr_code_switch, confirmations },
      minimum_deposit: amountOf(row.minimum_deposit),
      settings: maySee ? await settingsOf(row, context) : null,
    };
  },

  async update({ password, totp, encrypted, minimum_deposit, collect_threshold, fee_limit, ...input }, context) {
    const { db, vault } = context;
    const before = await readPayConfig(db);
    const { api_key, ...nodes } = wantedNodes(before, input, vault);
    const collecting_address = input.collecting_address ?? before.collecting_address;
    await checkCollecting(db, collecting_address, nodes.contract);
    const payout_addresses = [...new Set(input.payout_addresses ?? before.payout_addresses)];
    await checkPayouts(db, payout_addresses, nodes.contract);
    const isMoved = before.contract !== nodes.contract || before.network !== nodes.network;
    const isTrusted =
      isMoved ||
      nodes.url !== before.url ||
      nodes.second_url !== before.second_url ||
      collecting_address !== before.collecting_address ||
      payout_addresses.join() !== before.payout_addresses.join();
    if (isTrusted) await proveIdentity(context, { password, totp, encrypted }, 'pay_config/update');
    return transact(db, async (tx) => {
      const [locked] = await tx.select().from(pay_config).for('update');
      if (!locked || locked.updated_at !== before.updated_at) throw new AppError(409, 'conflict.changed');
      if (isMoved) {
        await refuseUnderWay(tx);
        await refuseOldMoney(tx);
      }
      const amounts = Object.entries({ minimum_deposit, collect_threshold, fee_limit }).flatMap(([key, text]) =>
        text === undefined ? [] : [[key, millionthsOf(text)] as const],
      );
      for (const [key, value] of amounts) if (value === 0n && key !== 'minimum_deposit') throw invalidField(key, 'not_positive');
      const sealed = input.api_key === undefined ? {} : { api_key: api_key ? sealApiKey(vault, api_key) : null };
      const { order_minutes = before.order_minutes, qr_code_switch = before.qr_code_switch } = input;
      const [after] = await tx
        .update(pay_config)
        .set({
          ...nodes,
          ...sealed,
          collecting_address,
          payout_addresses,
          order_minutes,
          qr_code_switch,
          ...Object.fromEntries(amounts),
          updated_at: sql`now()`,
        })
        .returning();
      const changes = after && changesBetween(logged(before), logged(after));
      await recordAct(tx, context, { type: 'pay_config/update', content: {}, changes });
      return { affected: 1 };
    });
  },

  async test(input, { db, vault }) {
    const wanted = wantedNodes(await readPayConfig(db), input, vault);
    const nodes = nodesOf(wanted, wanted.api_key, guarded);
    const found = [];
    for (const [index, node] of nodes.entries()) {
      const startedAt = performance.now();
      const [head, solid] = await Promise.all([node.head(), node.solidHead()]);
      const contract = toHex(wanted.contract);
      await node.tokens(contract, contract);
      const url = index === 0 ? wanted.url : wanted.second_url;
      found.push({ url, block: head.number, solid_block: solid.number, duration_ms: Math.round(performance.now() - startedAt) });
    }
    return { nodes: found, contract: wanted.contract };
  },
});

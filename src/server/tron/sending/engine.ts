import { eq, sql } from 'drizzle-orm';
import { type Database, transact } from '../../kit/postgres/database.ts';
import type { Vault } from '../../kit/vault.ts';
import { isLedgerSound } from '../../ledger/ledger.public.ts';
import { transfersIn } from '../deposits/transfers.ts';
import type { NodeBlock, TransactionInfo } from '../node/answers.ts';
import type { TronNode } from '../node/node.ts';
import { toHex } from '../protocol/address.ts';
import { type Act, type SignedTransaction, signTransaction, tokenTransfer } from '../protocol/transaction.ts';
import type { PayConfigRow } from '../tron.means.ts';
import { tron_position, tron_send, tron_send_attempt, tron_wallet, usdt_transaction } from '../tron.table.ts';
import { privateKeyOf } from '../wallets/wallets.ts';
import { costOf } from './costs.ts';
import { expireSend, finishSend, type Hooks, moveSend, type SendRow } from './sends.ts';

/** Where tests let a sender die. Each comes right after what it is named for. */
export type SendPoint = 'chosen' | 'signed' | 'sent' | 'broadcast' | 'found' | 'finished';
export type Sender = {
  db: Database;
  vault: Vault;
  config: PayConfigRow;
  node: TronNode;
  second: TronNode | undefined;
  hooks: Hooks;
  reached?: (point: SendPoint, send: SendRow) => void | Promise<void>;
};

/** What the network gives a transaction, by its own clock. */
export const lifeMilliseconds = 60_000;
/** So much later than its end solid blocks must be: nodes behind one address may differ by some blocks. */
export const certaintyMilliseconds = 30_000;
const maxAttempts = 5;
/** What arrived there would be lost to its receiver. */
export const blacklisted = 'tron_send.blacklisted';
/** A wallet that USDT's owner has frozen: what collects it fails, and TRX sent to it for that is spent for nothing. */
const frozenWallet = 'tron_send.wallet_blacklisted';
/** A node may have forgotten what it took; the same bytes are sent again. */
const rebroadcastMilliseconds = 15_000;

const lookSeconds = 3;
/** After something that has to change first: money on a wallet, prices. */
const waitSeconds = 30;

const actOf = ({ asset, receiver, amount, contract }: SendRow, owner: string): Act =>
  asset === 'TRX' ? { kind: 'trx', owner, to: toHex(receiver), amount } : tokenTransfer(owner, toHex(contract), toHex(receiver), amount);

/** The earlier one of the nodes' last solid blocks. */
async function solidHead({ node, second }: Sender): Promise<NodeBlock> {
  const heads = await Promise.all([node.solidHead(), ...(second ? [second.solidHead()] : [])]);
  return heads.reduce((least, head) => (head.number < least.number ? head : least));
}

/** Why it is not signed now: what would fail on the chain would cost its fee all the same. */
async function obstacle({ node, config }: Sender, send: SendRow, address: string): Promise<string | undefined> {
  const owner = toHex(address);
  const cost = await costOf(node, config, { from: owner, to: toHex(send.receiver), asset: send.asset, amount: send.amount });
  if (send.asset === 'USDT' && cost.energyFee > send.fee_limit) return 'tron_send.over_limit';
  const held = await node.trx(owner);
  const needed = cost.total + (send.asset === 'TRX' ? send.amount : 0n);
  return held < needed ? 'tron_send.short_trx' : undefined;
}

/** Whether USDT's contract has listed whom a payment is for, or whose money is collected. */
async function listedIn({ node, config }: Sender, { purpose, receiver }: SendRow, address: string): Promise<string | undefined> {
  const whose = purpose === 'sweep' ? address : receiver;
  if (!(await node.isBlackListed(toHex(config.contract), toHex(whose)))) return undefined;
  return purpose === 'payout' ? blacklisted : frozenWallet;
}

const postpone = (db: Database, { id }: SendRow, error: string | null, seconds: number) =>
  db
    .update(tron_send)
    .set({ last_error: error, due_at: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(tron_send.id, id));

/** Builds and signs a transaction, and writes it down before anybody else sees it. */
async function sign(sender: Sender, send: SendRow): Promise<SendRow | undefined> {
  const { db, vault, config, hooks } = sender;
  if (send.attempts >= maxAttempts) return moveSend(db, send, 'give_up');
  if (send.contract !== config.contract) return moveSend(db, send, 'hold', { last_error: 'tron_send.other_network' });
  const [wallet] = await db.select().from(tron_wallet).where(eq(tron_wallet.id, send.wallet_id));
  if (!wallet) throw new Error(`the wallet of send ${send.id} is missing`);
  const listed = await listedIn(sender, send, wallet.address);
  if (listed) return moveSend(db, send, 'hold', { last_error: listed });
  if (send.asset === 'USDT') {
    const held = await sender.node.tokens(toHex(config.contract), toHex(wallet.address));
    if (held < send.amount) return void (await postpone(db, send, 'tron_send.short_usdt', waitSeconds));
  }
  const reason = await obstacle(sender, send, wallet.address);
  if (reason) return void (await postpone(db, send, reason, waitSeconds));
  // A solid block is on every branch there may still be.
  const reference = await solidHead(sender);
  const { timestamp } = await sender.node.head();
  const key = privateKeyOf(vault, wallet);
  const intent = {
    act: actOf(send, toHex(wallet.address)),
    reference,
    // Two sends of the same amount to the same address differ by it.
    timestamp: timestamp + (send.id % lifeMilliseconds),
    expiration: timestamp + lifeMilliseconds,
    fee_limit: send.asset === 'TRX' ? 0n : send.fee_limit,
  };
  const signed = signTransaction(intent, key);
  key.fill(0);
  await sender.reached?.('chosen', send);
  return transact(db, async (tx) => {
    const moved = await moveSend(tx, send, 'sign', {
      transaction_hash: signed.id,
      raw: Buffer.from(signed.raw, 'hex'),
      signature: Buffer.from(signed.signature, 'hex'),
      expiration: signed.expiration,
      attempts: send.attempts + 1,
      last_error: null,
      due_at: sql`now()`,
    });
    if (!moved) return undefined;
    await tx.insert(tron_send_attempt).values({ send_id: send.id, transaction_hash: signed.id, expiration: signed.expiration });
    await hooks[moved.purpose].signed?.(tx, moved);
    return moved;
  });
}

function signedOf({ transaction_hash, raw, signature, expiration }: SendRow): SignedTransaction {
  if (!transaction_hash || !raw || !signature || expiration === null) throw new Error('a signed send has its bytes');
  return { id: transaction_hash, raw: Buffer.from(raw).toString('hex'), signature: Buffer.from(signature).toString('hex'), expiration };
}

async function broadcast(sender: Sender, send: SendRow): Promise<SendRow | undefined> {
  const { outcome, code } = await sender.node.broadcast(signedOf(send));
  await sender.reached?.('sent', send);
  const event = outcome === 'known' ? 'pooled' : outcome;
  // What one node refuses another one may have: nothing is signed anew before the time of these bytes is over.
  return moveSend(sender.db, send, event, {
    last_error: event === 'pooled' ? null : `tron_send.${outcome}:${code}`,
    broadcast_at: sql`now()`,
    due_at: sql`now() + make_interval(secs => ${lookSeconds})`,
  });
}

/** Whether a transaction of ours did what it was signed for: of a call the log says it, whatever the call answered. */
function succeeded({ asset, contract, receiver, amount }: SendRow, info: TransactionInfo): boolean {
  if (asset === 'TRX') return info.result === '' || info.result === 'SUCCESS';
  return transfersIn([info], contract).some((transfer) => transfer.receiver === receiver && transfer.amount === amount);
}

/** That no block has the transaction and none can have it any more, by every way there is to know. */
async function isOver(sender: Sender, send: SendRow, head: NodeBlock): Promise<boolean> {
  const { db, node, second, config } = sender;
  const hash = send.transaction_hash ?? '';
  if (head.timestamp <= (send.expiration ?? 0) + certaintyMilliseconds) return false;
  for (const one of [node, ...(second ? [second] : [])])
    for (const solid of [true, false]) if (await one.info(hash, { solid })) return false;
  if (send.asset === 'TRX') return true;
  // Our own reading of the blocks knows better than an answer that says nothing.
  const [position] = await db.select().from(tron_position).where(eq(tron_position.contract, config.contract));
  if (!position || Date.parse(position.block_at) <= (send.expiration ?? 0)) return false;
  return (await db.$count(usdt_transaction, eq(usdt_transaction.transaction_hash, hash))) === 0;
}

/** Looks for a signed transaction on the chain, and sends it again while it can still count. */
async function follow(sender: Sender, send: SendRow): Promise<SendRow | undefined> {
  const { db, config, node, second, hooks } = sender;
  const hash = send.transaction_hash ?? '';
  if (send.contract !== config.contract) return void (await postpone(db, send, 'tron_send.other_network', waitSeconds));
  // Before the question for the transaction: what is found afterwards is of this moment or later.
  const head = await solidHead(sender);
  const info = await node.info(hash, { solid: true });
  if (info) {
    const theirs = second ? await second.info(hash, { solid: true }) : info;
    const ok = succeeded(send, info);
    if (!theirs || succeeded(send, theirs) !== ok) return void (await postpone(db, send, 'tron_send.disagree', lookSeconds));
    await sender.reached?.('found', send);
    return finishSend(db, hooks, send, { ok, block: info.block, fee: info.fee, error: ok ? null : `tron_send.failed:${info.result}` });
  }
  if (await node.info(hash, { solid: false })) {
    if (send.state === 'signed') return moveSend(db, send, 'pooled', { last_error: null });
    return void (await postpone(db, send, null, lookSeconds));
  }
  if (await isOver(sender, send, head)) return expireSend(db, send);
  const isLate = head.timestamp > (send.expiration ?? 0);
  const wasSentAt = send.broadcast_at === null ? 0 : Date.parse(send.broadcast_at);
  if (!isLate && (send.state === 'signed' || Date.now() - wasSentAt > rebroadcastMilliseconds)) return broadcast(sender, send);
  return void (await postpone(db, send, send.last_error, lookSeconds));
}

/** One step of one send. Undefined where nothing could be done now, or somebody else did it. */
export async function advanceSend(sender: Sender, send: SendRow): Promise<SendRow | undefined> {
  if (send.state === 'queued') {
    // What is signed may be on its way; nothing else leaves the site while the ledger does not add up.
    if (!(await isLedgerSound(sender.db))) return undefined;
    const signed = await sign(sender, send);
    if (signed?.state !== 'signed') return signed;
    await sender.reached?.('signed', signed);
    const sent = await broadcast(sender, signed);
    if (sent) await sender.reached?.('broadcast', sent);
    return sent;
  }
  if (send.state !== 'signed' && send.state !== 'broadcast') return undefined;
  const moved = await follow(sender, send);
  if (moved?.state === 'solid_ok' || moved?.state === 'solid_failed') await sender.reached?.('finished', moved);
  return moved;
}

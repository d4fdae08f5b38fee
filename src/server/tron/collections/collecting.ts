import { amountOf } from '../../../contract/money/amounts.ts';
import type { CollectionPlan } from '../../../contract/money/tron.ts';
import { maxPlanned } from '../../../contract/money/tron.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { publish } from '../../kit/postgres/bus.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { isLedgerSound } from '../../ledger/ledger.public.ts';
import { toHex } from '../protocol/address.ts';
import { type Means, openNodes, readPayConfig } from '../tron.means.ts';
import { siteWallet, type WalletRow } from '../wallets/wallets.ts';
import { type Candidate, candidates, countUnderWay } from './candidates.ts';
import { beginCollection } from './collections.ts';
import { compareEnergy } from './energy.ts';
import { type Planned, planOne, withinFees } from './plan.ts';

const requestsAtOnce = 8;

type Tools = Awaited<ReturnType<typeof openNodes>>;
type Progress = (done: number, total?: number) => void;

/** 409 where nobody said where to. */
async function requireCollectingAddress(db: Database): Promise<void> {
  const { collecting_address } = await readPayConfig(db);
  if (collecting_address === '') throw new AppError(409, 'tron.no_collecting_address');
}

/** 409, too, while the ledger does not add up. */
export async function requireCollection(db: Database): Promise<void> {
  await requireCollectingAddress(db);
  if (!(await isLedgerSound(db))) throw new AppError(409, 'tron.frozen');
}

async function open(means: Means, signal?: AbortSignal): Promise<{ tools: Tools; fees: WalletRow; feeBalance: bigint }> {
  await requireCollectingAddress(means.db);
  const tools = await openNodes(means, signal);
  const fees = await siteWallet(means.db, means.vault, 'fee');
  return { tools, fees, feeBalance: await tools.node.trx(toHex(fees.address)) };
}

async function planAll(wanted: readonly Candidate[], tools: Tools, fees: WalletRow, onPlanned: Progress = () => {}): Promise<Planned[]> {
  const planned: Planned[] = [];
  for (let at = 0; at < wanted.length; at += requestsAtOnce) {
    const some = wanted.slice(at, at + requestsAtOnce);
    planned.push(...(await Promise.all(some.map((one) => planOne(tools, one, fees.address)))));
    onPlanned(planned.length, wanted.length);
  }
  return planned;
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** What collecting would do and cost now; nothing is changed. Beyond what is shown a wallet is taken to cost what the shown ones do on average. */
export async function previewCollection(means: Means, ids: readonly number[] | undefined): Promise<CollectionPlan> {
  const { tools, fees, feeBalance } = await open(means);
  const { contract, collect_threshold, collecting_address } = tools.config;
  const wanted = await candidates(means.db, { contract, ids, threshold: collect_threshold });
  const shown = withinFees(await planAll(wanted.slice(0, maxPlanned), tools, fees), feeBalance);
  const taken = shown.filter(({ skip }) => skip === null);
  const rest = wanted.slice(maxPlanned);
  const average = taken.length === 0 ? 0n : sum(taken.map(({ cost }) => cost)) / BigInt(taken.length);
  const { energy } = await tools.node.prices();
  return {
    collecting_address,
    wallets: shown.map(({ id, address, account, amount, fund_amount, cost, skip }) => ({
      ...{ id, address, account, skip },
      ...{ amount: amountOf(amount), fund_amount: amountOf(fund_amount), cost: amountOf(cost) },
    })),
    number: taken.length + rest.length,
    amount: amountOf(sum([...taken, ...rest].map(({ amount }) => amount))),
    cost: amountOf(sum(taken.map(({ cost }) => cost)) + average * BigInt(rest.length)),
    energy_price: Number(energy),
    energy: await compareEnergy(tools.node, fees.address, shown),
    fee_address: fees.address,
    fee_balance: amountOf(feeBalance),
    under_way: await countUnderWay(means.db),
  };
}

/**
 * Plans and begins collections, the fullest wallets first; the signer does the rest. Begun again after a crash it goes on with the wallets
 * that none is under way for.
 */
export async function collect(
  means: Means,
  { ids, actor_id, signal, progress }: { ids: readonly number[] | undefined; actor_id: number; signal: AbortSignal; progress: Progress },
): Promise<{ begun: number; skipped: number; amount: bigint }> {
  await requireCollection(means.db);
  const { tools, fees, feeBalance } = await open(means, signal);
  const { contract, collect_threshold } = tools.config;
  const wanted = await candidates(means.db, { contract, ids, threshold: collect_threshold });
  progress(0, wanted.length);
  const planned = withinFees(await planAll(wanted, tools, fees), feeBalance);
  const begun: Planned[] = [];
  for (const [index, one] of planned.entries()) {
    signal.throwIfAborted();
    const options = { feeWallet: fees.id, actor_id };
    if (one.skip === null && (await beginCollection(means.db, one, tools.config, options))) begun.push(one);
    progress(index + 1, planned.length);
  }
  await publish(means.db, 'tron_send', null);
  return { begun: begun.length, skipped: planned.length - begun.length, amount: sum(begun.map(({ amount }) => amount)) };
}

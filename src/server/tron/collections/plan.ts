import type { SkipReason } from '../../../contract/money/tron.ts';
import { AppError } from '../../kit/calls/errors.ts';
import type { TronNode } from '../node/node.ts';
import { toHex } from '../protocol/address.ts';
import { costOf } from '../sending/costs.ts';
import type { PayConfigRow } from '../tron.means.ts';
import type { Candidate } from './candidates.ts';

/** What collecting one wallet takes, in sun; `delegated` is its cost if somebody delegated the energy, without what that costs him. */
export type Planned = Candidate & { fund_amount: bigint; cost: bigint; energy: bigint; delegated: bigint; skip: SkipReason | null };

type Tools = { node: TronNode; config: PayConfigRow };

/**
 * What one wallet would cost now. It pays its fee in TRX of its own as far as it has some; what is missing is sent to it before, which costs
 * a transfer, and the account itself where the network has never heard of the address.
 */
export async function planOne({ node, config }: Tools, candidate: Candidate, feeAddress: string): Promise<Planned> {
  const from = toHex(candidate.address);
  const none = { fund_amount: 0n, cost: 0n, energy: 0n, delegated: 0n };
  // Its transfer would fail, and the TRX sent for it would be spent for nothing.
  if (await node.isBlackListed(toHex(config.contract), from)) return { ...candidate, ...none, skip: 'blacklisted' };
  try {
    const sweep = await costOf(node, config, { from, to: toHex(config.collecting_address), asset: 'USDT', amount: candidate.amount });
    const held = await node.trx(from);
    const fund_amount = held >= sweep.total ? 0n : sweep.total - held;
    const funding =
      fund_amount === 0n
        ? 0n
        : (await costOf(node, config, { from: toHex(feeAddress), to: from, asset: 'TRX', amount: fund_amount })).total;
    const skip = sweep.energyFee > config.fee_limit ? 'over_limit' : null;
    const bytes = sweep.total - sweep.energyFee;
    const delegated = bytes + (held >= bytes ? 0n : funding);
    return { ...candidate, fund_amount, cost: sweep.total + funding, energy: sweep.energy, delegated, skip };
  } catch (error) {
    if (error instanceof AppError && error.code === 'tron.reverted') return { ...candidate, ...none, skip: 'reverted' };
    throw error;
  }
}

/** What TRX for fees there is goes to the wallets in their order, the fullest first; for the others it does not suffice. */
export function withinFees(planned: readonly Planned[], feeBalance: bigint): Planned[] {
  let left = feeBalance;
  return planned.map((one) => {
    if (one.skip || one.fund_amount === 0n) return one;
    if (one.cost > left) return { ...one, skip: 'fees_missing' };
    left -= one.cost;
    return one;
  });
}

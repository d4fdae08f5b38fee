import { amountOf } from '../../../contract/money/amounts.ts';
import type { CollectionPlan } from '../../../contract/money/tron.ts';
import { AppError } from '../../kit/calls/errors.ts';
import type { TronNode } from '../node/node.ts';
import { toHex } from '../protocol/address.ts';
import { delegationFee } from '../sending/costs.ts';
import type { Planned } from './plan.ts';

const meanOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n) / BigInt(values.length);

/**
 * What a wallet costs on average if its energy is burnt as TRX, and if the fee wallet delegates energy of its own stake for it and takes that
 * back. Null where there is nothing to compare: no such energy, or a gateway that does not tell.
 */
export async function compareEnergy(node: TronNode, feeAddress: string, planned: readonly Planned[]): Promise<CollectionPlan['energy']> {
  const taken = planned.filter(({ skip, energy }) => (skip === null || skip === 'fees_missing') && energy > 0n);
  if (taken.length === 0) return null;
  const available = await delegable(node, toHex(feeAddress));
  if (available === 0n) return null;
  const burnt = meanOf(taken.map(({ cost }) => cost));
  const delegated = meanOf(taken.map((one) => one.delegated)) + delegationFee(await node.prices());
  return {
    available: Number(available),
    wallets: Number(available / meanOf(taken.map(({ energy }) => energy))),
    burnt: amountOf(burnt),
    delegated: amountOf(delegated),
    cheaper: delegated < burnt ? 'delegate' : 'burn',
  };
}

async function delegable(node: TronNode, address: string): Promise<bigint> {
  try {
    return await node.delegableEnergy(address);
  } catch (error) {
    // The plan is right without it: nothing is delegated by itself.
    if (error instanceof AppError && error.code === 'tron.failed') return 0n;
    throw error;
  }
}

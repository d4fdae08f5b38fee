import type { TronNode } from '../node/node.ts';
import { toHex } from '../protocol/address.ts';
import type { PayConfigRow } from '../tron.means.ts';

/** Bytes of a transfer with its signature and the frame of its result, a little more than any of ours has. */
const transferBytes = { TRX: 300n, USDT: 350n } as const;
/** What prices and the energy of a contract may rise by between the estimate and the block: in hundredths. */
const reserve = 110n;

/** A delegation of energy, or its end, a little more than any has. */
const delegationBytes = 300n;

/** What delegating energy to an address and taking it back costs, in sun: their bytes. */
export const delegationFee = ({ byte }: { byte: bigint }): bigint => 2n * delegationBytes * byte;

/** With the reserve. */
export type Cost = { energy: bigint; energyFee: bigint; total: bigint };

/**
 * What a transfer costs now, in sun, with a reserve. Bytes are counted as paid for: whether an address has free ones left today changes
 * before the block. Addresses are hexadecimal digits.
 * @throws where the contract would refuse the transfer
 */
export async function costOf(
  node: TronNode,
  { contract }: Pick<PayConfigRow, 'contract'>,
  { from, to, asset, amount }: { from: string; to: string; asset: 'USDT' | 'TRX'; amount: bigint },
): Promise<Cost> {
  const prices = await node.prices();
  const bytes = transferBytes[asset] * prices.byte;
  if (asset === 'TRX') {
    // A new account costs its first sender the account and what bandwidth is burnt for it.
    const account = (await node.isKnown(to)) ? 0n : prices.account + 100n * prices.byte;
    return { energy: 0n, energyFee: 0n, total: bytes + account };
  }
  const energy = ((await node.transferEnergy(toHex(contract), from, to, amount)) * reserve + 99n) / 100n;
  const energyFee = energy * prices.energy;
  return { energy, energyFee, total: energyFee + bytes };
}

import type { TransactionInfo } from '../node/answers.ts';
import { addressOfWord, isAddressWord, transferTopic } from '../protocol/abi.ts';
import { toBase58, toHex } from '../protocol/address.ts';

/** A transfer of the configured token that a block holds. Addresses as people read them. */
export type Transfer = {
  fingerprint: string;
  transaction_hash: string;
  block: number;
  at: string;
  sender: string;
  receiver: string;
  amount: bigint;
};

/** A billion USDT: no more is believed, and the database's integers hold it. */
export const maxAmount = 10n ** 15n;

/**
 * The transfers in what became of a block's transactions. Only logs count: what a transaction was called with says nothing of what it did.
 * They count when the transaction succeeded, the configured contract wrote them, and they have the form of a transfer to the byte.
 */
export function transfersIn(infos: readonly TransactionInfo[], contract: string): Transfer[] {
  const emitter = toHex(contract).slice(2);
  return infos.flatMap((info) => {
    if (info.result !== 'SUCCESS' || info.id === '') return [];
    return info.logs.flatMap(({ address, topics, data }, index): Transfer[] => {
      const [topic, from = '', to = ''] = topics;
      // Some nodes write the first byte of addresses in logs, too.
      if (address !== emitter && address !== `41${emitter}`) return [];
      if (topics.length !== 3 || topic !== transferTopic || !isAddressWord(from) || !isAddressWord(to)) return [];
      if (!/^[0-9a-f]{64}$/.test(data)) return [];
      const amount = BigInt(`0x${data}`);
      if (amount === 0n || amount > maxAmount) return [];
      const parties = { sender: toBase58(addressOfWord(from)), receiver: toBase58(addressOfWord(to)) };
      const place = { transaction_hash: info.id, block: info.block, at: new Date(info.timestamp).toISOString() };
      return [{ fingerprint: `${info.id}:${index}`, ...place, ...parties, amount }];
    });
  });
}

/** What two nodes say must be the same, to the log. */
export const sameTransfers = (one: readonly Transfer[], other: readonly Transfer[]): boolean => {
  const text = (transfers: readonly Transfer[]) => transfers.map((transfer) => Object.values(transfer).join(' ')).join('\n');
  return text(one) === text(other);
};

import { createHash, randomBytes } from 'node:crypto';
import { addressOfPrivateKey, toHex } from '../../src/server/tron/protocol/address.ts';
import {
  type Act,
  decodeRaw,
  signerOf,
  signTransaction,
  tokenTransfer,
  transactionId,
} from '../../src/server/tron/protocol/transaction.ts';
import { testContract } from '../../src/server/tron/tron.networks.ts';
import { type Chain, createChain } from './chain.ts';
import { check, type Executed, type Internal, type Pending, Refused } from './execute.ts';
import { listedOf, stakeOf } from './state.ts';
import { type Log, type Token, transferLog } from './tokens.ts';

const maxExpirationMilliseconds = 86_400_000;
/** So many blocks back a transaction may refer to one. */
const referableBlocks = 65_536;

const keyOf = (word: string) => new Uint8Array(createHash('sha256').update(`livecode test network ${word}`).digest());
const treasuryKey = keyOf('treasury');
/** Who owns everything at first, and whom the page sends from. */
export const treasury = addressOfPrivateKey(treasuryKey);
export const usdt = toHex(testContract);
const otherContract = (word: string) => addressOfPrivateKey(keyOf(word));
/** Tokens that only look like the right one: the same name and decimals, another contract. */
export const lookAlikes = [otherContract('look-alike 1'), otherContract('look-alike 2')] as const;

const tokens: Token[] = [
  { address: usdt, symbol: 'USDT', decimals: 6 },
  { address: lookAlikes[0], symbol: 'USDT', decimals: 6 },
  { address: lookAlikes[1], symbol: 'USDT', decimals: 6, lies: true },
];

export type Submitted = { raw: string; signature: string };
/** What is put into a block without having been executed: whatever a chain may hold. */
export type Placed = { id?: string; result?: string; logs?: Log[]; internal?: Internal[]; act?: Act };
export type Network = ReturnType<typeof createNetwork>;

const billion = 10n ** 15n;

/** @param at the moment of the first block */
export function createNetwork(at: number) {
  const chain: Chain = createChain({
    at,
    tokens,
    trx: { [treasury]: billion },
    held: tokens.map(({ address }) => ({ token: address, address: treasury, amount: billion })),
  });
  let pool = new Map<string, Pending>();
  const listeners = { made: (_: number) => {}, takenBack: (_: number) => {} };
  let nonce = 0;

  function refersToOurs({ ref_block_bytes, ref_block_hash }: { ref_block_bytes: string; ref_block_hash: string }): boolean {
    const low = Number.parseInt(ref_block_bytes || '-1', 16);
    const number = chain.head() - ((((chain.head() - low) % referableBlocks) + referableBlocks) % referableBlocks);
    return number >= 0 && chain.idOf(number).slice(16, 32) === ref_block_hash;
  }

  /** Checks and pools a transaction, as a node does that it is sent to. */
  function submit({ raw, signature }: Submitted): string {
    const bytes = Buffer.from(raw, 'hex');
    const id = transactionId(bytes);
    const read = readable(bytes);
    if (signerOf(bytes, Buffer.from(signature, 'hex')) !== read.act.owner) throw new Refused('SIGERROR', 'Validate signature error');
    if (pool.has(id) || chain.placeOf(id) !== undefined) throw new Refused('DUP_TRANSACTION_ERROR', 'Dup transaction.');
    if (!refersToOurs(read)) throw new Refused('TAPOS_ERROR', 'Tapos check error.');
    const now = chain.timestampOf(chain.head());
    if (read.expiration <= now || read.expiration > now + maxExpirationMilliseconds)
      throw new Refused('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired');
    const pending = { id, act: read.act, raw, signature, expiration: read.expiration, fee_limit: read.fee_limit };
    check(chain.state, pending, now);
    pool.set(id, pending);
    return id;
  }

  /** One block more, with what waits; what expired is forgotten. */
  function makeBlock(placed: readonly Executed[] = []): number {
    const now = chain.timestampOf(chain.head());
    const due = [...pool.values()].filter(({ expiration }) => expiration > now);
    pool = new Map();
    chain.append(due, placed);
    listeners.made(chain.head());
    return chain.head();
  }

  function send(key: Uint8Array, act: Act, fee_limit = 100_000_000n): string {
    const number = chain.head();
    const timestamp = chain.timestampOf(number);
    nonce += 1;
    // Two that are sent in one block differ by their moment.
    const signed = signTransaction(
      { act, reference: { number, id: chain.idOf(number) }, timestamp: timestamp + nonce, expiration: timestamp + 600_000, fee_limit },
      key,
    );
    return submit(signed);
  }

  return {
    chain,
    pool: () => [...pool.values()],
    submit,
    makeBlock,
    makeBlocks(count: number): void {
      for (let made = 0; made < count && (made === 0 || pool.size > 0); made += 1) makeBlock();
      const left = count - 1;
      if (left > 0 && pool.size === 0) chain.skip(left);
    },
    /** Time passes until all there is is solid. */
    makeSolid(): void {
      makeBlock();
      chain.skip(20);
    },
    on(event: Partial<typeof listeners>): void {
      Object.assign(listeners, event);
    },
    /** From the treasury; `amount` in millionths. */
    sendTokens: (to: string, amount: bigint, contract = usdt): string =>
      send(treasuryKey, tokenTransfer(treasury, contract, toHex(to), amount)),
    /** Puts an address on the list of USDT's owner, or takes it off; forgotten when the simulator ends. */
    blacklist: (address: string, listed = true): void => chain.state.write(listedOf(usdt, toHex(address)), listed ? 1n : 0n),
    /** Gives an account energy: of a stake of its own, or lent by others; forgotten when the simulator ends. */
    giveEnergy(address: string, parts: { staked?: bigint; lent?: bigint; used?: bigint }): void {
      for (const part of ['staked', 'lent', 'used'] as const) chain.state.write(stakeOf(toHex(address), part), parts[part] ?? 0n);
    },
    sendTrx: (to: string, amount: bigint): string => send(treasuryKey, { kind: 'trx', owner: treasury, to: toHex(to), amount }, 0n),
    sendAs: send,
    /** A transaction as the chain never executed it: failed ones with logs, logs of any form, internal transfers. */
    place({ id = randomBytes(32).toString('hex'), result = 'SUCCESS', logs = [], internal = [], act }: Placed): Executed {
      return {
        ...{ id, act: act ?? null, raw: '', signature: '', expiration: 0 },
        ...{ fee: 0n, energy: 0n, energyFee: 0n, byteFee: 0n, result, logs, internal },
      };
    },
    transferLog,
    /** The last blocks are taken back; with `again` what was in them waits for a place anew. */
    reorganise(depth: number, again = true): void {
      listeners.takenBack(depth);
      for (const { id, act, raw, signature, expiration } of chain.reorganise(depth))
        if (again && act && raw !== '') pool.set(id, { id, act, raw, signature, expiration, fee_limit: 100_000_000n });
    },
  };
}

function readable(bytes: Buffer) {
  try {
    return decodeRaw(bytes);
  } catch (error) {
    throw new Refused('CONTRACT_VALIDATE_ERROR', String(error));
  }
}

import type { Act } from '../../src/server/tron/protocol/transaction.ts';
import { bandwidthOf, type State, trxOf } from './state.ts';
import { type Called, callToken, type Log, type Token } from './tokens.ts';

/** Prices of the network: sun of a unit of energy, of a byte, of a new account, and bytes of a day that cost nothing. */
export const prices = { energy: 100n, byte: 1_000n, account: 1_100_000n, freeBytes: 600n } as const;
/** What a signature and the frame of a result add to the bytes that are paid for. */
const frameBytes = 134n;
const dayMilliseconds = 86_400_000;

export type Internal = { from: string; to: string; contract: string; amount: bigint };
/** A transaction in a block, with what became of it. */
export type Executed = {
  id: string;
  act: Act | null;
  raw: string;
  signature: string;
  expiration: number;
  fee: bigint;
  energy: bigint;
  energyFee: bigint;
  byteFee: bigint;
  /** Of a contract: `SUCCESS`, `REVERT`, `OUT_OF_ENERGY` …; empty for a transfer of TRX. */
  result: string;
  logs: Log[];
  internal: Internal[];
};
export type Pending = { id: string; act: Act; raw: string; signature: string; expiration: number; fee_limit: bigint };

export class Refused extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const bytesOf = ({ raw }: Pending): bigint => BigInt(raw.length / 2) + frameBytes;

/** What the bytes of a transaction cost after those of the day that are free. */
export function byteFee(state: State, pending: Pending, at: number): { fee: bigint; free: boolean } {
  const used = state.read(bandwidthOf(pending.act.owner, Math.floor(at / dayMilliseconds)));
  const free = used + bytesOf(pending) <= prices.freeBytes;
  return { fee: free ? 0n : bytesOf(pending) * prices.byte, free };
}

const isNew = (state: State, address: string): boolean => !state.has(trxOf(address));

/** Refuses what no node would pool. */
export function check(state: State, pending: Pending, at: number): void {
  const { act } = pending;
  if (isNew(state, act.owner)) throw new Refused('CONTRACT_VALIDATE_ERROR', 'Contract validate error : account does not exist');
  const balance = state.read(trxOf(act.owner));
  const { fee } = byteFee(state, pending, at);
  if (act.kind === 'trx') {
    if (act.owner === act.to) throw new Refused('CONTRACT_VALIDATE_ERROR', 'Contract validate error : Cannot transfer TRX to yourself.');
    if (act.amount <= 0n) throw new Refused('CONTRACT_VALIDATE_ERROR', 'Contract validate error : Amount must be greater than 0.');
    const further = isNew(state, act.to) ? prices.account : 0n;
    if (balance < act.amount + further)
      throw new Refused('CONTRACT_VALIDATE_ERROR', 'Contract validate error : balance is not sufficient.');
  }
  if (balance < fee) throw new Refused('BANDWITH_ERROR', 'Account resource insufficient error.');
}

function add(state: State, address: string, amount: bigint): void {
  state.write(trxOf(address), state.read(trxOf(address)) + amount);
}

function payBytes(state: State, pending: Pending, at: number): bigint {
  const { fee, free } = byteFee(state, pending, at);
  const name = bandwidthOf(pending.act.owner, Math.floor(at / dayMilliseconds));
  if (free) state.write(name, state.read(name) + bytesOf(pending));
  else add(state, pending.act.owner, -fee);
  return fee;
}

const plain = ({ id, act, raw, signature, expiration }: Pending) => ({ id, act, raw, signature, expiration, internal: [] });
const nothing = { energy: 0n, energyFee: 0n, result: '', logs: [] };

function sendTrx(state: State, pending: Pending, act: Extract<Act, { kind: 'trx' }>, bytes: bigint): Executed {
  const account = isNew(state, act.to) ? prices.account : 0n;
  add(state, act.owner, -(act.amount + account));
  add(state, act.to, act.amount);
  return { ...plain(pending), ...nothing, fee: bytes + account, byteFee: bytes };
}

/** Energy is paid for in TRX; a call that needs more than its limit or its owner has does nothing, and costs that much all the same. */
function call(state: State, pending: Pending, act: Extract<Act, { kind: 'call' }>, token: Token | undefined, bytes: bigint): Executed {
  const balance = state.read(trxOf(act.owner));
  const isLimited = balance >= pending.fee_limit;
  const affordable = isLimited ? pending.fee_limit : balance;
  const mark = state.mark();
  const called: Called = token ? callToken(state, token, act.owner, act.data) : { result: 'REVERT', energy: 0n, logs: [], output: '' };
  const isShort = called.energy * prices.energy > affordable;
  const result = isShort ? 'OUT_OF_ENERGY' : called.result;
  if (result !== 'SUCCESS') state.undoTo(mark);
  const energyFee = isShort ? affordable : called.energy * prices.energy;
  add(state, act.owner, -energyFee);
  const logs = result === 'SUCCESS' ? called.logs : [];
  return { ...plain(pending), energy: energyFee / prices.energy, energyFee, byteFee: bytes, fee: bytes + energyFee, result, logs };
}

/** What a transaction does in a block. Undefined where its owner cannot pay any more: it is left out. */
export function execute(state: State, tokens: ReadonlyMap<string, Token>, pending: Pending, at: number): Executed | undefined {
  try {
    check(state, pending, at);
  } catch {
    return undefined;
  }
  const bytes = payBytes(state, pending, at);
  const { act } = pending;
  return act.kind === 'trx' ? sendTrx(state, pending, act, bytes) : call(state, pending, act, tokens.get(act.contract), bytes);
}

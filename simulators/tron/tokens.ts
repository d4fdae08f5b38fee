import { addressWord, readTransferData, selectors, transferTopic, word } from '../../src/server/tron/protocol/abi.ts';
import { listedOf, type State, tokensOf } from './state.ts';

/** Contracts of the kind TRC20. `lies`: its transfers log what they never did, as fraudulent tokens do. */
export type Token = { address: string; symbol: string; decimals: number; lies?: boolean };
export type Log = { address: string; topics: string[]; data: string };
export type Called = { result: string; energy: bigint; logs: Log[]; output: string };

/** Energy of a transfer to somebody who holds the token, and to a new holder. */
export const transferEnergy = { holder: 64_285n, other: 130_285n } as const;
const readEnergy = 935n;

export const transferLog = (contract: string, from: string, to: string, amount: bigint): Log => ({
  address: contract.slice(2),
  topics: [transferTopic, addressWord(from), addressWord(to)],
  data: word(amount),
});

const reverted = (energy: bigint): Called => ({ result: 'REVERT', energy, logs: [], output: '' });

function transfer(state: State, token: Token, owner: string, data: string): Called {
  const read = readTransferData(data);
  if (!read) return reverted(1_000n);
  const { to, amount } = read;
  const [from, into] = [tokensOf(token.address, owner), tokensOf(token.address, to)];
  const energy = state.read(into) > 0n ? transferEnergy.holder : transferEnergy.other;
  if (!token.lies) {
    // As USDT does, which asks about the sender only: a listed address receives, and never sends again.
    if (state.read(listedOf(token.address, owner)) > 0n || state.read(from) < amount) return reverted(energy / 20n);
    state.write(from, state.read(from) - amount);
    state.write(into, state.read(into) + amount);
  }
  return { result: 'SUCCESS', energy, logs: [transferLog(token.address, owner, to, amount)], output: word(1n) };
}

/** What a call of a contract does to the state. */
export function callToken(state: State, token: Token, owner: string, data: string): Called {
  if (data.startsWith(selectors.transfer)) return transfer(state, token, owner, data);
  if (data.startsWith(selectors.balanceOf)) {
    const balance = state.read(tokensOf(token.address, `41${data.slice(-40)}`));
    return { result: 'SUCCESS', energy: readEnergy, logs: [], output: word(balance) };
  }
  if (data.startsWith(selectors.isBlackListed)) {
    const listed = state.read(listedOf(token.address, `41${data.slice(-40)}`));
    return { result: 'SUCCESS', energy: readEnergy, logs: [], output: word(listed) };
  }
  return reverted(500n);
}

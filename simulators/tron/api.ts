import { addressWord, selectors, word } from '../../src/server/tron/protocol/abi.ts';
import { isAddress, toBase58, toHex } from '../../src/server/tron/protocol/address.ts';
import {
  type Act,
  decodeRaw,
  decodeTransaction,
  encodeRaw,
  referenceTo,
  transactionId,
} from '../../src/server/tron/protocol/transaction.ts';
import type { Block } from './chain.ts';
import { type Executed, prices, Refused } from './execute.ts';
import type { Network } from './network.ts';
import { stakeOf, trxOf } from './state.ts';
import { callToken, type Token } from './tokens.ts';

type Input = Record<string, unknown>;
type Method = (network: Network, input: Input, solid: boolean) => unknown;

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const textIn = (input: Input, key: string): string => String(input[key] ?? '');
const number = (value: bigint): number => Number(value);
const addressIn = (input: Input, key: string): string => {
  const given = textIn(input, key);
  return isAddress(given) ? toHex(given) : given;
};

const headOf = ({ chain }: Network, solid: boolean): number => (solid ? chain.solid() : chain.head());

/** A transaction as nodes show it. */
function shownTransaction({ id, act, raw, signature, result }: Executed): object {
  const value =
    act?.kind === 'trx'
      ? { owner_address: act.owner, to_address: act.to, amount: number(act.amount) }
      : { owner_address: act?.owner, contract_address: act?.contract, data: act?.data };
  const type = act?.kind === 'trx' ? 'TransferContract' : 'TriggerSmartContract';
  return {
    ret: [{ contractRet: result || 'SUCCESS' }],
    signature: [signature],
    txID: id,
    raw_data: { contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }], ...framed(raw) },
    raw_data_hex: raw,
  };
}

function framed(raw: string): object {
  if (raw === '') return {};
  const { ref_block_bytes, ref_block_hash, expiration, timestamp, fee_limit } = decodeRaw(Buffer.from(raw, 'hex'));
  return { ref_block_bytes, ref_block_hash, expiration, timestamp, ...(fee_limit > 0n ? { fee_limit: number(fee_limit) } : {}) };
}

const shownBlock = ({ id, number: height, parent, timestamp, transactions }: Block): object => ({
  blockID: id,
  block_header: {
    raw_data: {
      number: height,
      txTrieRoot: '0'.repeat(64),
      witness_address: `41${'0'.repeat(40)}`,
      parentHash: parent,
      version: 31,
      timestamp,
    },
    witness_signature: '',
  },
  ...(transactions.length > 0 ? { transactions: transactions.map(shownTransaction) } : {}),
});

/** What became of a transaction, as nodes show it: zeros and empty lists are left out. */
function shownInfo({ chain }: Network, executed: Executed, height: number): object {
  const { id, act, fee, energy, energyFee, byteFee, result, logs, internal } = executed;
  const isFailed = result !== '' && result !== 'SUCCESS';
  return {
    id,
    ...(fee > 0n ? { fee: number(fee) } : {}),
    blockNumber: height,
    blockTimeStamp: chain.timestampOf(height),
    contractResult: [''],
    ...(act?.kind === 'call' ? { contract_address: act.contract } : {}),
    receipt: {
      ...(energy > 0n ? { energy_usage_total: number(energy), energy_fee: number(energyFee) } : {}),
      ...(byteFee > 0n ? { net_fee: number(byteFee) } : {}),
      ...(result ? { result } : {}),
    },
    ...(isFailed ? { result: 'FAILED', resMessage: hexOf(result) } : {}),
    ...(logs.length > 0 ? { log: logs } : {}),
    ...(internal.length > 0
      ? {
          internal_transactions: internal.map(({ from, to, amount }) => ({
            caller_address: from,
            transferTo_address: to,
            callValueInfo: [{ callValue: number(amount) }],
            note: hexOf('call'),
          })),
        }
      : {}),
  };
}

const found = (network: Network, id: string, solid: boolean): { executed: Executed; height: number } | undefined => {
  const height = network.chain.placeOf(id);
  if (height === undefined || height > headOf(network, solid)) return undefined;
  const executed = network.chain.transactionsOf(height).find((one) => one.id === id);
  return executed && { executed, height };
};

function broadcast(network: Network, raw: string, signature: string): object {
  try {
    return { result: true, txid: network.submit({ raw, signature }) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { code: error.code, txid: transactionId(Buffer.from(raw, 'hex')), message: hexOf(error.message) };
  }
}

/** What blocks that are not solid yet added to a balance. */
function unsolidOf({ chain }: Network, token: Token, address: string): bigint {
  let sum = 0n;
  const of = addressWord(address);
  for (let height = chain.solid() + 1; height <= chain.head(); height += 1)
    for (const { logs, result } of chain.transactionsOf(height))
      for (const { address: emitter, topics, data } of logs) {
        if (result !== 'SUCCESS' || emitter !== token.address.slice(2)) continue;
        if (topics[2] === of) sum += BigInt(`0x${data}`);
        if (topics[1] === of) sum -= BigInt(`0x${data}`);
      }
  return sum;
}

function constantCall(network: Network, input: Input, solid: boolean): object {
  const token = network.chain.tokens.get(addressIn(input, 'contract_address'));
  if (!token) return { result: { code: 'CONTRACT_VALIDATE_ERROR', message: hexOf('Smart contract is not exist.') } };
  const selector: Record<string, string> = { 'transfer(address,uint256)': 'a9059cbb', 'balanceOf(address)': '70a08231' };
  const data = input.data ? textIn(input, 'data') : (selector[textIn(input, 'function_selector')] ?? '') + textIn(input, 'parameter');
  const mark = network.chain.state.mark();
  const { result, energy, output } = callToken(network.chain.state, token, addressIn(input, 'owner_address'), data);
  network.chain.state.undoTo(mark);
  const isSolidBalance = solid && data.startsWith(selectors.balanceOf);
  const shown = isSolidBalance ? word(BigInt(`0x${output}`) - unsolidOf(network, token, `41${data.slice(-40)}`)) : output;
  return {
    result: { result: true },
    energy_used: number(energy),
    constant_result: [shown],
    transaction: { ret: [result === 'SUCCESS' ? {} : { ret: 'FAILED' }] },
  };
}

/** A transaction for its owner to sign, as a node makes it. */
function unsigned({ chain }: Network, act: Act, fee_limit: bigint): object {
  const head = chain.head();
  const timestamp = chain.timestampOf(head);
  const reference = referenceTo({ number: head, id: chain.idOf(head) });
  const raw = encodeRaw({ act, ...reference, timestamp, expiration: timestamp + 60_000, fee_limit });
  const executed = { id: transactionId(raw), act, raw: raw.toString('hex'), signature: '', result: '' };
  const { ret: _, signature: __, ...shown } = shownTransaction(executed as Executed) as Record<string, unknown>;
  return shown;
}

const account: Method = (network, input) => {
  const address = addressIn(input, 'address');
  const { state } = network.chain;
  if (!state.has(trxOf(address))) return {};
  const balance = number(state.read(trxOf(address)));
  return { address: input.visible ? toBase58(address) : address, ...(balance ? { balance } : {}) };
};

/** Energy of the whole network's stake, and that in TRX: ten for each. */
const [allEnergy, allStaked] = [180_000_000_000n, 18_000_000_000n];
const sunOfTrx = 1_000_000n;

const resource: Method = ({ chain: { state } }, input) => {
  const address = addressIn(input, 'address');
  if (!state.has(trxOf(address))) return {};
  const own = (state.read(stakeOf(address, 'staked')) * allEnergy) / (allStaked * sunOfTrx);
  const limit = number(own + state.read(stakeOf(address, 'lent')));
  const used = number(state.read(stakeOf(address, 'used')));
  const all = { TotalEnergyLimit: number(allEnergy), TotalEnergyWeight: number(allStaked) };
  return {
    freeNetLimit: number(prices.freeBytes),
    ...(limit ? { EnergyLimit: limit } : {}),
    ...(used ? { EnergyUsed: used } : {}),
    ...all,
  };
};

/** What is used keeps its part of the stake where it is. */
const delegable: Method = ({ chain: { state } }, input) => {
  const address = addressIn(input, 'owner_address');
  const used = (state.read(stakeOf(address, 'used')) * allStaked * sunOfTrx) / allEnergy;
  const free = state.read(stakeOf(address, 'staked')) - used;
  return input.type === 1 && free > 0n ? { max_size: number(free) } : {};
};

/** The calls that TronGrid answers, by what follows `/wallet/` or `/walletsolidity/`. */
export const methods: Readonly<Record<string, Method>> = {
  getnowblock: (network, _input, solid) => shownBlock(network.chain.block(headOf(network, solid))),
  getblockbynum: (network, { num }, solid) => (Number(num) <= headOf(network, solid) ? shownBlock(network.chain.block(Number(num))) : {}),
  getblockbylimitnext(network, { startNum, endNum }, solid) {
    const [from, to] = [Number(startNum), Math.min(Number(endNum), headOf(network, solid) + 1)];
    if (!(from >= 0 && Number(endNum) > from && Number(endNum) - from <= 100)) return {};
    const block = Array.from({ length: Math.max(0, to - from) }, (_, index) => shownBlock(network.chain.block(from + index)));
    return block.length > 0 ? { block } : {};
  },
  gettransactioninfobyblocknum(network, { num }, solid) {
    const height = Number(num);
    if (!(height >= 0 && height <= headOf(network, solid))) return [];
    return network.chain.transactionsOf(height).map((executed) => shownInfo(network, executed, height));
  },
  gettransactioninfobyid(network, input, solid) {
    const place = found(network, textIn(input, 'value'), solid);
    return place ? shownInfo(network, place.executed, place.height) : {};
  },
  gettransactionbyid(network, input, solid) {
    const id = textIn(input, 'value');
    const place = found(network, id, solid);
    if (place) return shownTransaction(place.executed);
    return {};
  },
  getaccount: account,
  getaccountresource: resource,
  getcandelegatedmaxsize: delegable,
  triggerconstantcontract: (network, input, solid) => constantCall(network, input, solid),
  createtransaction: (network, input) =>
    unsigned(
      network,
      { kind: 'trx', owner: addressIn(input, 'owner_address'), to: addressIn(input, 'to_address'), amount: BigInt(Number(input.amount)) },
      0n,
    ),
  triggersmartcontract(network, input) {
    const owner = addressIn(input, 'owner_address');
    const data = textIn(input, 'data') || `a9059cbb${textIn(input, 'parameter')}`;
    const act: Act = { kind: 'call', owner, contract: addressIn(input, 'contract_address'), data };
    return { result: { result: true }, transaction: unsigned(network, act, BigInt(Number(input.fee_limit ?? 0))) };
  },
  getchainparameters: () => ({
    chainParameter: [
      { key: 'getTransactionFee', value: number(prices.byte) },
      { key: 'getEnergyFee', value: number(prices.energy) },
      { key: 'getCreateNewAccountFeeInSystemContract', value: 1_000_000 },
      { key: 'getFreeNetLimit', value: number(prices.freeBytes) },
    ],
  }),
  broadcasttransaction(network, input) {
    const [signature] = Array.isArray(input.signature) ? (input.signature as unknown[]) : [];
    return broadcast(network, textIn(input, 'raw_data_hex'), String(signature ?? ''));
  },
  broadcasthex(network, input) {
    const { raw, signatures } = decodeTransaction(Buffer.from(textIn(input, 'transaction'), 'hex'));
    return broadcast(network, raw.toString('hex'), signatures[0]?.toString('hex') ?? '');
  },
};

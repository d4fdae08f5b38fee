import { setTimeout as delay } from 'node:timers/promises';
import type { z } from 'zod';
import { least } from '../../../contract/money/amounts.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { guardedRequest } from '../../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../../kit/network/guarded-network.ts';
import { addressWord, selectors, transferData } from '../protocol/abi.ts';
import { encodeTransaction, type SignedTransaction } from '../protocol/transaction.ts';
import {
  accountAnswer,
  blockAnswer,
  blocksAnswer,
  broadcastAnswer,
  constantAnswer,
  delegableAnswer,
  infoAnswer,
  infosAnswer,
  type NodeBlock,
  parametersAnswer,
  resourceAnswer,
  type TransactionInfo,
} from './answers.ts';

/** A whole block of the main network with its transactions is some hundred kilobytes. */
const maxAnswerBytes = 48 * 2 ** 20;
const timeoutMilliseconds = 20_000;
const attempts = 5;
const sunOfTrx = 1_000_000n;
const firstPauseMilliseconds = 250;

/** Where a node is, and the key that it may want. */
export type Endpoint = { url: string; api_key: string };
export type NodeOptions = { network: GuardedNetwork; endpoint: Endpoint; signal?: AbortSignal };

/** What became of a transaction that was sent: `lost` where nobody knows, since no answer came. */
export type Broadcast = { outcome: 'pooled' | 'known' | 'refused' | 'lost'; code: string };

export type TronNode = ReturnType<typeof createNode>;

const busy = (reason: string) => new AppError(503, 'tron.busy', { params: { reason } });
const failed = (reason: string) => new AppError(502, 'tron.failed', { params: { reason } });

/** TronGrid throttles by these, and nodes answer so while they start. */
const isThrottled = (status: number): boolean => status === 403 || status === 429 || status >= 500;

/** What a node says that has enough to do; every other `Error` is about the question. */
const isOverloaded = /lack of computing resources|too many|busy|limit/i;

/** A text of an answer, which nodes write in hexadecimal digits. */
const words = (message: string | undefined): string =>
  Buffer.from(message ?? '', 'hex')
    .toString()
    .slice(0, 200);

/** Speaks to a node as TronGrid is spoken to. Addresses are hexadecimal digits; amounts are sun, or millionths of a token. */
export function createNode({ network, endpoint, signal }: NodeOptions) {
  async function once<T>(path: string, input: object, output: z.ZodType<T>): Promise<T> {
    const { status, body } = await guardedRequest(network, {
      url: `${endpoint.url.replace(/\/+$/, '')}/${path}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(endpoint.api_key ? { 'TRON-PRO-API-KEY': endpoint.api_key } : {}) },
      body: JSON.stringify(input),
      timeout_ms: timeoutMilliseconds,
      maximum_bytes: maxAnswerBytes,
      ...(signal ? { signal } : {}),
    });
    return readAnswer({ path, status, body }, output);
  }

  /** Reading is tried again: it does nothing. */
  async function read<T>(path: string, input: object, output: z.ZodType<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await once(path, input, output);
      } catch (error) {
        const mayPass = error instanceof AppError && error.status >= 502;
        if (!mayPass || attempt === attempts || signal?.aborted) throw error;
        await delay(firstPauseMilliseconds * 2 ** (attempt - 1), undefined, signal ? { signal } : {});
      }
    }
  }

  /** Calls a contract without a transaction: what it answers, and the energy that a transaction would need. */
  async function ask(owner: string, contract: string, data: string, of = 'wallet'): Promise<{ result: string; energy: bigint }> {
    const input = { owner_address: owner, contract_address: contract, data };
    const answer = await read(`${of}/triggerconstantcontract`, input, constantAnswer);
    if (isReverted(answer)) throw new AppError(409, 'tron.reverted', { params: { reason: words(answer.result?.message) } });
    return { result: answer.constant_result?.[0] ?? '', energy: BigInt(answer.energy_used ?? 0) };
  }

  return {
    head: (): Promise<NodeBlock> => read('wallet/getnowblock', {}, blockAnswer),
    solidHead: (): Promise<NodeBlock> => read('walletsolidity/getnowblock', {}, blockAnswer),
    /** Solid blocks, the last one not included; at most 100. */
    blocks: (from: number, to: number): Promise<NodeBlock[]> =>
      read('walletsolidity/getblockbylimitnext', { startNum: from, endNum: to }, blocksAnswer),
    /** What became of the transactions of a solid block. */
    infos: (block: number): Promise<TransactionInfo[]> => read('walletsolidity/gettransactioninfobyblocknum', { num: block }, infosAnswer),
    /** The same of a block that need not be solid: it may be gone a moment later. */
    freshInfos: (block: number): Promise<TransactionInfo[]> => read('wallet/gettransactioninfobyblocknum', { num: block }, infosAnswer),
    /** Undefined where no block, or no solid one, has the transaction. */
    async info(id: string, { solid }: { solid: boolean }): Promise<TransactionInfo | undefined> {
      const found = await read(`${solid ? 'walletsolidity' : 'wallet'}/gettransactioninfobyid`, { value: id }, infoAnswer);
      return found.id === id ? found : undefined;
    },
    trx: async (address: string): Promise<bigint> => BigInt((await read('wallet/getaccount', { address }, accountAnswer)).balance ?? 0),
    /** Whether the network knows the address: a new one costs its first sender more. */
    isKnown: async (address: string): Promise<boolean> =>
      (await read('wallet/getaccount', { address }, accountAnswer)).address !== undefined,
    async tokens(contract: string, address: string): Promise<bigint> {
      const { result } = await ask(address, contract, selectors.balanceOf + addressWord(address));
      return BigInt(`0x${result || '0'}`);
    },
    /** The same, of solid blocks only. */
    async solidTokens(contract: string, address: string): Promise<bigint> {
      const { result } = await ask(address, contract, selectors.balanceOf + addressWord(address), 'walletsolidity');
      return BigInt(`0x${result || '0'}`);
    },
    /** Whether the contract's owner has frozen the address; a contract that has no such list has listed nobody. */
    async isBlackListed(contract: string, address: string): Promise<boolean> {
      try {
        const { result } = await ask(address, contract, selectors.isBlackListed + addressWord(address));
        return BigInt(`0x${result || '0'}`) !== 0n;
      } catch (error) {
        if (error instanceof AppError && error.code === 'tron.reverted') return false;
        throw error;
      }
    },
    /** Energy that a transfer of tokens would need now. */
    transferEnergy: async (contract: string, from: string, to: string, amount: bigint): Promise<bigint> =>
      (await ask(from, contract, transferData(to, amount))).energy,
    /** Energy that an address could delegate now: what its own stake has left, without what others delegated to it. */
    async delegableEnergy(address: string): Promise<bigint> {
      const { left, all } = await read('wallet/getaccountresource', { address }, resourceAnswer);
      if (left === 0n || all.staked === 0n) return 0n;
      const { max_size = 0 } = await read('wallet/getcandelegatedmaxsize', { owner_address: address, type: 1 }, delegableAnswer);
      return least(left, (BigInt(max_size) * all.energy) / (all.staked * sunOfTrx));
    },
    /** Sun of a unit of energy, and of a byte. */
    async prices(): Promise<{ energy: bigint; byte: bigint; account: bigint }> {
      const values = await read('wallet/getchainparameters', {}, parametersAnswer);
      return {
        energy: values.get('getEnergyFee') ?? 420n,
        byte: values.get('getTransactionFee') ?? 1_000n,
        account: values.get('getCreateNewAccountFeeInSystemContract') ?? 1_000_000n,
      };
    },
    /** Sends once: whether to send again is the caller's to decide, who keeps the transaction. */
    async broadcast(transaction: SignedTransaction): Promise<Broadcast> {
      try {
        const answer = await once('wallet/broadcasthex', { transaction: encodeTransaction(transaction).toString('hex') }, broadcastAnswer);
        return broadcastOf(answer);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return { outcome: 'lost', code: error.code };
      }
    },
  };
}

/**
 * What a node's answer holds.
 * @throws {AppError} `tron.busy` where the same question may be answered later, `tron.failed` where the answer has another form
 */
export function readAnswer<T>({ path, status, body }: { path: string; status: number; body: string }, output: z.ZodType<T>): T {
  if (isThrottled(status)) throw busy(`HTTP ${status}`);
  if (status !== 200) throw failed(`HTTP ${status}`);
  const answer = parse(body);
  if (answer !== null && typeof answer === 'object' && 'Error' in answer) {
    const words = String(answer.Error).slice(0, 200);
    throw isOverloaded.test(words) ? busy(words) : failed(words);
  }
  const parsed = output.safeParse(answer);
  if (!parsed.success) throw failed(path);
  return parsed.data;
}

/** A call that is reverted is answered as a success, too: the transaction's own mark tells, and a message where there is one. */
export const isReverted = ({ result, transaction }: z.infer<typeof constantAnswer>): boolean =>
  !result?.result || Boolean(result.message) || (transaction?.ret ?? []).some(({ ret }) => ret !== undefined && !/^SUCC?ESS$/.test(ret));

export function broadcastOf({ result, code }: z.infer<typeof broadcastAnswer>): Broadcast {
  if (result) return { outcome: 'pooled', code: '' };
  if (code === 'DUP_TRANSACTION_ERROR') return { outcome: 'known', code };
  if (code === 'SERVER_BUSY' || code === 'NO_CONNECTION') return { outcome: 'lost', code };
  return { outcome: 'refused', code: code ?? 'OTHER_ERROR' };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Cut on its way, or a page of a proxy.
    throw busy('JSON');
  }
}

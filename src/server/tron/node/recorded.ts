import { z } from 'zod';
import { amountOf } from '../../../contract/money/amounts.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { transfersIn } from '../deposits/transfers.ts';
import {
  accountAnswer,
  blockAnswer,
  blocksAnswer,
  broadcastAnswer,
  constantAnswer,
  infoAnswer,
  infosAnswer,
  parametersAnswer,
  resourceAnswer,
  type TransactionInfo,
} from './answers.ts';
import { broadcastOf, isReverted, readAnswer } from './node.ts';

/** A node's answer as somebody kept it: which call it answers, and how. */
export const recordedAnswer = z.object({
  call: z.string(),
  status: z.number().int().default(200),
  body: z.unknown().optional(),
  body_text: z.string().optional(),
});

/** `read`: about something else than a payment. `not asked`: of a call that the product never makes. */
export type Verdict = 'credit' | 'failure' | 'not ours' | 'not final' | 'read' | 'throttled' | 'not understood' | 'not asked';
type Reading = { verdict: Verdict; detail: string };

/** What is made of the transactions of a block, each for itself. */
function readInfos(infos: readonly TransactionInfo[], contract: string): Reading {
  const credits = transfersIn(infos, contract);
  if (credits.length > 0)
    return {
      verdict: 'credit',
      detail: credits.map(({ amount, receiver, block }) => `${amountOf(amount)} USDT to ${receiver} in block ${block}`).join('; '),
    };
  const failed = infos.filter(({ result }) => result !== '' && result !== 'SUCCESS');
  if (failed.length > 0) return { verdict: 'failure', detail: failed.map(({ id, result }) => `${result} ${id}`).join('; ') };
  // An unknown transaction, and one that is not solid yet, are answered alike.
  if (infos.every(({ id }) => id === '')) return { verdict: 'not final', detail: 'no such transaction' };
  return { verdict: 'not ours', detail: `${infos.length} without a transfer of the contract` };
}

function readBroadcast(answer: z.infer<typeof broadcastAnswer>): Reading {
  const { outcome, code } = broadcastOf(answer);
  if (outcome === 'refused') return { verdict: 'failure', detail: `refused: ${code}` };
  return { verdict: 'not final', detail: code ? `${outcome}: ${code}` : outcome };
}

function readConstant(answer: z.infer<typeof constantAnswer>): Reading {
  const { result, energy_used = 0 } = answer;
  return isReverted(answer)
    ? { verdict: 'failure', detail: result?.code ?? 'reverted' }
    : { verdict: 'read', detail: `${energy_used} energy` };
}

const blockWords = ({ number, id }: z.infer<typeof blockAnswer>) => `block ${number} ${id.slice(0, 16)}…`;

/** How each call that the product makes is read, by the last part of its path. */
const readers: Readonly<Record<string, (given: { path: string; status: number; body: string }, contract: string) => Reading>> = {
  getnowblock: (given) => ({ verdict: 'read', detail: blockWords(readAnswer(given, blockAnswer)) }),
  getblockbylimitnext: (given) => ({ verdict: 'read', detail: readAnswer(given, blocksAnswer).map(blockWords).join('; ') }),
  gettransactioninfobyid: (given, contract) => readInfos([readAnswer(given, infoAnswer)], contract),
  gettransactioninfobyblocknum: (given, contract) => readInfos(readAnswer(given, infosAnswer), contract),
  getaccount: (given) => ({ verdict: 'read', detail: `${readAnswer(given, accountAnswer).balance ?? 0} sun` }),
  getaccountresource: (given) => ({ verdict: 'read', detail: `${readAnswer(given, resourceAnswer).left} energy` }),
  getchainparameters: (given) => ({ verdict: 'read', detail: `${readAnswer(given, parametersAnswer).size} parameters` }),
  triggerconstantcontract: (given) => readConstant(readAnswer(given, constantAnswer)),
  broadcasttransaction: (given) => readBroadcast(readAnswer(given, broadcastAnswer)),
  broadcasthex: (given) => readBroadcast(readAnswer(given, broadcastAnswer)),
};

/** Any answer is throttled by its status and its `Error`, whatever was asked. */
const anyCall = (given: { path: string; status: number; body: string }): Reading => {
  readAnswer(given, z.unknown());
  return { verdict: 'not asked', detail: '' };
};

/** What the product makes of a kept answer, by the code that reads living ones. */
export function readRecorded(recorded: z.infer<typeof recordedAnswer>, contract: string): Reading {
  const path = recorded.call.replace(/^(GET|POST) \/?/, '');
  const body = recorded.body_text ?? JSON.stringify(recorded.body ?? null);
  const read = readers[path.split('/').at(-1) ?? ''] ?? anyCall;
  try {
    return read({ path, status: recorded.status, body }, contract);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const detail = String(error.details.params?.reason ?? '');
    return { verdict: error.code === 'tron.busy' ? 'throttled' : 'not understood', detail };
  }
}

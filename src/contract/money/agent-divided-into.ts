import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, done, id, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { amount } from './ledger.ts';

/** What the buyer and the agent have in common, so that a share may be the agent's own money coming back. */
export const shareFlags = ['address', 'device', 'wallet'] as const;
export type ShareFlag = (typeof shareFlags)[number];
/** What an administrator decides about a flagged share: it is released in its time, or taken back. */
export const shareVerdicts = ['release', 'reverse'] as const;
export type ShareVerdict = (typeof shareVerdicts)[number];

/**
 * What became of a share: it is held for some days, then released to its agent. Refunded before, it is taken back; refunded later, its agent
 * owes it, and his next shares pay it.
 */
export const shareStates = ['held', 'released', 'reversed', 'owed'] as const;
export type ShareState = (typeof shareStates)[number];

const share = z.object({
  id,
  order_no: z.string(),
  agent_id: id,
  agent_account: z.string(),
  buyer_account: z.string(),
  /** What the buyer paid. */
  order_amount: amount,
  /** What of that shares are paid on: all but what the buyer had as a gift. */
  base: amount,
  /** How far above the buyer the agent stands: 1 has invited him. */
  level: count,
  /** Per cent of the order that this agent got. */
  ratio: z.number(),
  amount,
  /** What a refund of the order took back of it. */
  reversed: amount,
  /** The order was refunded. */
  is_refunded: z.boolean(),
  state: z.enum(shareStates),
  /** When its agent can dispose of it, or could. */
  release_at: time,
  /** What of it paid what its agent owed. */
  debt_paid: amount,
  flags: z.array(z.enum(shareFlags)),
  /** It is flagged, and held until an administrator has looked at it. */
  is_reviewing: z.boolean(),
  /** Why an administrator released it, or took it back. */
  review_reason: z.string(),
  created_at: time,
});
export type Share = z.infer<typeof share>;

/** An agent above the buyer, with per cent: his ratio at that time, the greatest below him, and what he got of the base, their difference. */
const shareStep = z.object({
  level: count,
  agent_account: z.string(),
  rate: z.number(),
  below: z.number(),
  ratio: z.number(),
  amount,
  /** The share that was asked about. */
  is_own: z.boolean(),
});
const shareOrigin = z.object({
  order_no: z.string(),
  buyer_account: z.string(),
  paid_at: time.nullable(),
  order_amount: amount,
  /** What of the order the buyer had as a gift; no shares are paid on it. */
  granted: amount,
  base: amount,
  /** The nearest to the buyer first; an agent is told his own only. */
  steps: z.array(shareStep),
});
export type ShareOrigin = z.infer<typeof shareOrigin>;

const filters = {
  /** A part of the order's number, or of the buyer's account. */
  search: z.string().max(64).optional(),
  agent_id: id.optional(),
  is_refunded: z.boolean().optional(),
  state: z.enum(shareStates).optional(),
  flagged: z.boolean().optional(),
  is_reviewing: z.boolean().optional(),
  created_from: day.optional(),
  created_to: day.optional(),
};

export const agentDividedInto = group('agent_divided_into', {
  inquire: call({
    summary: 'Shares of orders: the own ones, of all agents for administrators.',
    access: requireAny('agent_divided_into'),
    input: listInput(['id', 'created_at', 'amount'], filters),
    output: pageOf(share),
  }),
  origin: call({
    summary: 'Where a share comes from: its order, what of it counted, and the ratios of the agents above the buyer at that time.',
    access: requireAny('agent_divided_into'),
    input: z.object({ id }),
    output: shareOrigin,
  }),
  ratios: call({
    summary: 'A share ratio, in per cent, and how it changed, the last 100 changes: the own one, and for administrators that of an agent.',
    access: requireAny('agent_divided_into'),
    input: z.object({ agent_id: id.optional() }),
    output: z.object({
      account: z.string(),
      ratio: z.number(),
      changes: z.array(z.object({ before: z.number(), after: z.number(), at: time })),
    }),
  }),
  review: call({
    summary: 'Decide about a flagged share: release it in its time, or take it back; its agent is told the reason.',
    access: requireAny('agent_divided_into.review'),
    input: z.object({ id, verdict: z.enum(shareVerdicts), reason: line(200).min(1, 'required') }),
    output: done,
    writes: true,
  }),
  sums: call({
    summary: 'What the same filters come to: what agents got, what refunds took back, what is left, and what of that is held.',
    access: requireAny('agent_divided_into'),
    input: z.object(filters),
    output: z.object({ number: count, shares: amount, reversed: amount, left: amount, held: amount }),
  }),
});

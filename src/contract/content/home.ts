import { z } from 'zod';
import { handlingReasons, handlings } from '../detection/shield-configuration.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, hostUnicode, id, time } from '../kit/fields.ts';
import { amount } from '../money/ledger.ts';
import { homeBlock } from './home-page-config.ts';

/** The start page has three routes of the specification. */
export const startPage = requireAny('today_statistics', 'home', 'home_admin');

/** What can wait for a user, the most urgent first. */
export const needKinds = [
  'restored_copy',
  'host_strained',
  'wallet_short',
  'payments_unread',
  'domain_blocked',
  'detection_blind',
  'code_exhausted',
  'report_waiting',
  'withdrawal_waiting',
  'withdrawal_unpaid',
  'share_reviewing',
  'code_without_domain',
  'domain_suspected',
  'detector_failed',
  'server_unreachable',
  'backup_failed',
  'backup_overdue',
  'backup_keyless',
  'job_failed',
  'domain_elsewhere',
  'certificate_ending',
  'registration_ending',
  'target_ending',
  'visits_ending',
  'webhook_stopped',
  'webhook_failing',
  'push_failing',
  'operation_failed',
  'pool_low',
  'ip_data_old',
  'quota_exceeded',
  'membership_ending',
] as const;
export type NeedKind = (typeof needKinds)[number];
/** Of each kind so many are named; the rest is a number, exact up to the second figure. */
export const namedNeeds = 5;
export const maxNeeds = 1000;
/** Visits of a code are ending when at most this share of its thresholds is left. */
export const endingShare = 0.1;

const needed = z.object({
  /** Of what has no id of its own its place in the list, of kinds of quotas that in `keptKinds`. Of the domain, live code, webhook, operation, withdrawal or detector; of reports on a code the first one's; of a suspected domain its monitor's. */
  id,
  name: z.string(),
  /** When it ends or ended. */
  at: time.nullable(),
  /** Payments that a wallet is short for; codes on a domain; visits left of a code; reports on one; healthy domains of a pool; by how many a kind is more than its quota. */
  left: count.nullable(),
  /** Of a blocked domain what was done about it, and why no more. */
  handling: z.enum(handlings).optional(),
  reason: z.enum(handlingReasons).nullable().optional(),
});
export type Needed = z.infer<typeof needed>;
const need = z.object({ kind: z.enum(needKinds), total: count, items: z.array(needed) });
export type Need = z.infer<typeof need>;

/** A blocked domain that another has taken the place of: nothing waits for anybody, but it happened. */
const replaced = z.object({
  id,
  host: z.string(),
  host_unicode: hostUnicode,
  to_host: z.string(),
  to_host_unicode: hostUnicode,
  /** Of the caller's, where the domain is the pool's. */
  codes: count,
  at: time,
});
export type Replaced = z.infer<typeof replaced>;

/** What stands beside a figure of today: yesterday up to the same time; beside one of seven days: the seven days before, up to the same time. */
const compared = <Kind extends z.ZodType>(figure: Kind) =>
  z.object({ today: figure, yesterday: figure, week: figure, week_before: figure });

const siteFigures = z.object({
  /** Customers and agents that are there; online as the list of users says it, null while that is not looked at. */
  users: z.object({ total: count, online: count.nullable(), added: compared(count) }).nullable(),
  /** Orders that were paid, by when they were, and what they came to. */
  orders: z.object({ paid: compared(count), revenue: compared(amount) }).nullable(),
  /** Of the site's day, as far as blocks are solid. */
  deposits: z.object({ today: amount }).nullable(),
  /** What waits to be decided about or paid. */
  withdrawals: z.object({ number: count, sum: amount, oldest_at: time.nullable() }).nullable(),
  /** As the processes told within the last minute. */
  visits: z
    .object({
      hosts: count,
      strained: count,
      /** A second; null where no host told enough. */
      rate: z.number().nullable(),
      /** Milliseconds; null where nobody came. */
      p99: z.number().nullable(),
      /** Answered, and not in the database yet. */
      unloaded: count,
    })
    .nullable(),
  wallets: z
    .object({
      /** Wallets that are in use, and what those of users held when the network was asked last. */
      number: count,
      usdt: amount,
      /** Of the wallet that pays fees in TRX, and of the one that withdrawals are paid from; null where there is none yet. */
      fee_trx: amount.nullable(),
      payout_usdt: amount.nullable(),
      /** Payments that a wallet is short for. */
      short: count,
      read_at: time.nullable(),
    })
    .nullable(),
  /** Operations of all users: those under way, and those that failed within a day. */
  operations: z.object({ unfinished: count, failed: count }).nullable(),
  /** Jobs by the clock whose last run failed, and queues whose oldest row is late. */
  jobs: z.object({ failed: count, late: count }).nullable(),
  servers: z.object({ total: count, online: count, unreachable: count }).nullable(),
});
export type SiteFigures = z.infer<typeof siteFigures>;

export const home = group('home', {
  inquire: call({
    summary: "The start page: the operator's blocks, what the caller has, and what a new user has done already.",
    access: startPage,
    input: z.object({}),
    output: z.object({
      blocks: z.array(homeBlock),
      now: time,
      member_expires_at: time.nullable(),
      /** USDT with six decimals. */
      balance: z.string(),
      codes: z.object({ total: count, open: count }),
      domains: z.object({ total: count, blocked: count }),
      /** What the caller himself has done already. */
      steps: z.object({ code: z.boolean(), scan: z.boolean(), domain: z.boolean() }),
    }),
  }),
  money: call({
    summary: "An agent's own money, and nothing for others.",
    access: startPage,
    input: z.object({}),
    output: z.object({
      /** Shares less what refunds took back, and what can be withdrawn. */
      agent: z.object({ shares_today: amount, shares_month: amount, shares_total: amount, available: amount }).nullable(),
    }),
  }),
  site: call({
    summary: 'How the site does, for administrators: each part for those who have its screen.',
    access: startPage,
    input: z.object({}),
    output: siteFigures,
  }),
  needs: call({
    summary: 'What waits for the caller: his codes, webhooks and operations, and the domains that he sees.',
    access: startPage,
    input: z.object({}),
    output: z.object({
      content: z.array(need),
      /** Domains that were replaced by themselves within a day, the newest first, so many at most as are named of a kind. */
      replaced: z.array(replaced),
    }),
  }),
});
export type HomeMoney = z.infer<(typeof home)['calls']['money']['output']>;
export type Home = z.infer<(typeof home)['calls']['inquire']['output']>;

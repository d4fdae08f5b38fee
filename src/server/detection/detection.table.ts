import { sql } from 'drizzle-orm';
import { boolean, date, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import type { DetectorConfig, DetectorKind } from '../../contract/detection/detectors.ts';
import type { Beat, BeatState } from '../../contract/detection/domain-monitor.ts';
import type { blockStatuses } from '../../contract/enums.ts';
import { bytes, idColumn, moment, reference, timestamps } from '../kit/rows/columns.ts';
import type { StoredFinding } from './detectors/findings.ts';

type BlockStatus = (typeof blockStatuses)[number];

const latencies = () => integer('latencies').array().notNull().default(sql`'{0,0,0,0,0,0,0,0,0,0}'`);

export const detector = pgTable('detector', {
  id: idColumn(),
  name: text('name').notNull(),
  kind: text('kind').$type<DetectorKind>().notNull(),
  config: jsonb('config').$type<DetectorConfig>().notNull(),
  key: bytes('key'),
  timeout_ms: integer('timeout_ms').notNull().default(8000),
  weight: integer('weight').notNull().default(1),
  sort: integer('sort').notNull().default(0),
  per_second: integer('per_second'),
  per_day: integer('per_day'),
  enabled: boolean('enabled').notNull().default(true),
  failures: integer('failures').notNull().default(0),
  stops: integer('stops').notNull().default(0),
  stopped_at: moment('stopped_at'),
  stopped_until: moment('stopped_until'),
  paced_until: moment('paced_until').notNull().default(sql`now()`),
  last_error: text('last_error'),
  last_error_params: jsonb('last_error_params').$type<Record<string, string | number>>(),
  last_error_at: moment('last_error_at'),
  last_used_at: moment('last_used_at'),
  ...timestamps(),
});

export const detector_hour = pgTable(
  'detector_hour',
  {
    detector_id: reference('detector_id').notNull(),
    hour: moment('hour').notNull(),
    normal: integer('normal').notNull().default(0),
    blocked: integer('blocked').notNull().default(0),
    down: integer('down').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    latencies: latencies(),
  },
  (table) => [primaryKey({ columns: [table.detector_id, table.hour] })],
);

export const detector_use = pgTable(
  'detector_use',
  {
    detector_id: reference('detector_id').notNull(),
    day: date('day').notNull(),
    user_id: reference('user_id').notNull(),
    uses: integer('uses').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.detector_id, table.day, table.user_id] })],
);

export const domain_monitor = pgTable('domain_monitor', {
  id: idColumn(),
  domain_id: reference('domain_id'),
  owner_id: reference('owner_id'),
  url: text('url'),
  host: text('host').notNull(),
  paused: boolean('paused').notNull().default(false),
  enabled: boolean('enabled').notNull().default(true),
  interval_seconds: integer('interval_seconds'),
  remark: text('remark').notNull().default(''),
  block_status: smallint('block_status').$type<BlockStatus>(),
  status_since: moment('status_since'),
  suspected_since: moment('suspected_since'),
  disputed: boolean('disputed').notNull().default(false),
  /** Of the verdict: what detectors said last. */
  pending: jsonb('pending').$type<object>(),
  beats: jsonb('beats').$type<Beat[]>().notNull().default([]),
  verdict_id: reference('verdict_id'),
  checked_at: moment('checked_at'),
  due_at: moment('due_at').notNull().default(sql`now()`),
  urgent: boolean('urgent').notNull().default(false),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
  over_quota: boolean('over_quota').notNull().default(false),
  ...timestamps(),
});

export const domain_monitor_hour = pgTable(
  'domain_monitor_hour',
  {
    monitor_id: reference('monitor_id').notNull(),
    hour: moment('hour').notNull(),
    normal: integer('normal').notNull().default(0),
    blocked: integer('blocked').notNull().default(0),
    down: integer('down').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    latencies: latencies(),
  },
  (table) => [primaryKey({ columns: [table.monitor_id, table.hour] })],
);

export const domain_verdict = pgTable('domain_verdict', {
  id: idColumn(),
  monitor_id: reference('monitor_id').notNull(),
  block_status: smallint('block_status').$type<BlockStatus>(),
  state: text('state').$type<BeatState>().notNull(),
  findings: jsonb('findings').$type<StoredFinding[]>().notNull(),
  digest: bytes('digest').notNull(),
  first_at: moment('first_at').notNull(),
  last_at: moment('last_at').notNull(),
  checks: integer('checks').notNull().default(1),
});

export const domain_incident = pgTable('domain_incident', {
  id: idColumn(),
  domain_id: reference('domain_id').notNull(),
  kind: text('kind').$type<'blocked' | 'suspected'>().notNull(),
  verdict_id: reference('verdict_id'),
  began_at: moment('began_at').notNull().default(sql`now()`),
  ended_at: moment('ended_at'),
  handling: text('handling').$type<'waiting' | 'replaced' | 'paused' | 'left' | 'over'>(),
  reason: text('reason'),
  attempts: integer('attempts').notNull().default(0),
  next_attempt_at: moment('next_attempt_at').notNull().default(sql`now()`),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
  handled_at: moment('handled_at'),
});

export const block_check = pgTable('block_check', {
  id: idColumn(),
  user_id: reference('user_id').notNull(),
  total: integer('total').notNull(),
  created_at: moment('created_at').notNull().default(sql`now()`),
  finished_at: moment('finished_at'),
});

export const block_check_url = pgTable('block_check_url', {
  id: idColumn(),
  check_id: reference('check_id').notNull(),
  position: integer('position').notNull(),
  url: text('url').notNull(),
  host: text('host').notNull(),
  state: text('state').$type<'waiting' | 'done' | 'stopped'>().notNull().default('waiting'),
  checks: integer('checks').notNull().default(0),
  block_status: smallint('block_status').$type<BlockStatus>(),
  disputed: boolean('disputed').notNull().default(false),
  findings: jsonb('findings').$type<StoredFinding[]>().notNull().default([]),
  duration_ms: integer('duration_ms'),
  checked_at: moment('checked_at'),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
});

export const detection_state = pgTable('detection_state', {
  id: boolean('id').primaryKey().default(true),
  blind_since: moment('blind_since'),
  controls_at: moment('controls_at'),
  controls_answer: boolean('controls_answer').notNull().default(true),
});

export const domain_visit_share = pgTable(
  'domain_visit_share',
  {
    domain_id: reference('domain_id').notNull(),
    at: moment('at').notNull(),
    visits: integer('visits').notNull(),
    messenger: integer('messenger').notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain_id, table.at] })],
);

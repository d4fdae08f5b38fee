import { sql } from 'drizzle-orm';
import { boolean, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { EventType } from '../../contract/events.ts';
import type { DeliveryState } from '../../contract/people/webhook.ts';
import { bytes, idColumn, moment, reference } from '../kit/rows/columns.ts';

export const event = pgTable('event', {
  id: idColumn(),
  type: text('type').$type<EventType>().notNull(),
  owner_id: reference('owner_id').notNull(),
  data: jsonb('data').$type<Record<string, never>>().notNull(),
  at: moment('at').notNull().default(sql`now()`),
  told: boolean('told').notNull().default(false),
});

export const webhook = pgTable('webhook', {
  id: idColumn(),
  owner_id: reference('owner_id').notNull(),
  url: text('url').notNull(),
  host: text('host').notNull(),
  events: text('events').array().$type<EventType[]>().notNull().default([]),
  all_users: boolean('all_users').notNull().default(false),
  secret: bytes('secret').notNull(),
  enabled: boolean('enabled').notNull().default(true),
  stopped: text('stopped').$type<'gone' | 'failing'>(),
  failing_since: moment('failing_since'),
  remark: text('remark').notNull().default(''),
  created_at: moment('created_at').notNull().default(sql`now()`),
  updated_at: moment('updated_at').notNull().default(sql`now()`),
});

export const webhook_delivery = pgTable('webhook_delivery', {
  id: idColumn(),
  webhook_id: reference('webhook_id').notNull(),
  event_id: reference('event_id').notNull(),
  state: text('state').$type<DeliveryState>().notNull().default('waiting'),
  attempts: integer('attempts').notNull().default(0),
  next_attempt_at: moment('next_attempt_at').notNull().default(sql`now()`),
  claim: uuid('claim'),
  claimed_until: moment('claimed_until'),
  status: integer('status'),
  answer: text('answer'),
  error: text('error'),
  error_params: jsonb('error_params').$type<Record<string, string | number>>(),
  duration_ms: integer('duration_ms'),
  created_at: moment('created_at').notNull().default(sql`now()`),
  tried_at: moment('tried_at'),
});

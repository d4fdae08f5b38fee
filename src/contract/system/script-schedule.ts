import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, line, time, timestamps } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';
import { isTimeZone } from '../settings.visits.ts';
import { operationStates } from './async-operations.ts';
import { parameterValues } from './script.ts';
import { chosenServers } from './server-list.ts';

/** What becomes of a moment at which no worker ran: it is left out, or made up for once. */
export const missedChoices = ['skip', 'run'] as const;
/** A moment that is late by less counts as met: an upgrade or a restart misses nothing. */
export const graceMinutes = 10;
/** So many moments to come are shown. */
export const shownTimes = 5;

/** `running`: the run before was not over. `missed`: no worker ran. `busy`: too much waited for the user already. */
export const skipReasons = ['running', 'missed', 'busy'] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Minute, hour, day, month and weekday; what stands in them the server checks. */
const cron = line(100)
  .min(1, 'required')
  .regex(/^[\dA-Za-z*,/#-]+( +[\dA-Za-z*,/#-]+){4}$/, 'cron_parts');
const time_zone = z.string().max(60).refine(isTimeZone, 'invalid_time_zone');

const fields = {
  name: line(64).min(1, 'required'),
  script_id: id,
  values: parameterValues.optional(),
  ...chosenServers,
  cron,
  time_zone,
  missed: z.enum(missedChoices).optional(),
  enabled: z.boolean().optional(),
};

const schedule = z.object({
  id,
  name: z.string(),
  /** Null: it was removed. */
  script_id: id.nullable(),
  script_name: z.string().nullable(),
  values: z.record(z.string(), z.string()),
  server_ids: z.array(id),
  /** Those that are still there. */
  server_names: z.array(z.string()),
  parallel: z.number(),
  stop_on_failure: z.boolean(),
  cron: z.string(),
  time_zone: z.string(),
  missed: z.enum(missedChoices),
  enabled: z.boolean(),
  /** Who confirmed it last, and in whose name it runs. */
  account: z.string(),
  /** The moments to come; none while it is paused or halted. */
  next: z.array(time),
  last_run: z
    .object({
      id,
      created_at: time,
      /** Of its operation; null where that is no longer kept. */
      state: z.enum(operationStates).nullable(),
      /** Of its servers. */
      number: count,
      failed: count,
    })
    .nullable(),
  /** The moment that was left out last, where none was met since. */
  skipped: z.object({ at: time, why: z.enum(skipReasons) }).nullable(),
  /** Why it runs no more until somebody changes it, in the caller's language. */
  halted: z.object({ at: time, reason: z.string() }).nullable(),
  ...timestamps,
});
export type ScriptSchedule = z.infer<typeof schedule>;

const moments = z.object({ next: z.array(time) });

export const scriptSchedule = group('script_schedule', {
  inquire: call({
    summary: 'List schedules of scripts.',
    access: requireAny('script'),
    input: listInput(['id', 'name', 'next_at'], { name: z.string().max(64).optional(), script_id: id.optional() }),
    output: pageOf(schedule),
  }),
  preview: call({
    summary: 'The next moments of a cron expression of five fields.',
    access: requireAny('script'),
    input: z.object({ cron, time_zone }),
    output: moments,
  }),
  add: call({
    summary: 'Have a script run by a cron expression, with password and second factor.',
    access: requireAny('script.run'),
    proved: { super_only: true },
    input: z.object(fields),
    output: schedule,
    limit: { max: 60, seconds: 60 },
  }),
  update: call({
    summary: 'Change a schedule, with password and second factor. One that was halted goes on.',
    access: requireAny('script.run'),
    proved: { super_only: true },
    input: z.object({ id, ...z.object(fields).partial().shape }),
    output: schedule,
    limit: { max: 60, seconds: 60 },
  }),
  update_enabled: call({
    summary: 'Pause a schedule, or go on with it: only the latter needs password and second factor.',
    access: requireAny('script.run'),
    proved: { super_only: true, unless: { enabled: false } },
    input: z.object({ id, enabled: z.boolean() }),
    output: schedule,
    limit: { max: 60, seconds: 60 },
  }),
  remove: call({
    summary: 'Remove a schedule, with password and second factor. Its runs are kept.',
    access: requireAny('script.run'),
    proved: { super_only: true },
    input: z.object({ id }),
    output: done,
    limit: { max: 60, seconds: 60 },
  }),
});

import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, done, id, time } from '../kit/fields.ts';

/** A drill restores the newest backup in a place of its own, looks whether it is whole, and removes it. */
export const backupKinds = ['backup', 'drill'] as const;
export type BackupKind = (typeof backupKinds)[number];
/** `checked`: a backup that the drill could not open, compared as far as that goes. */
export const backupOutcomes = ['good', 'checked', 'failed'] as const;
export type BackupOutcome = (typeof backupOutcomes)[number];
/** Why a drill did not open a backup: its key is not here, and its checksum was or was not noted; no database may be made for it. */
export const drillNotes = ['sealed', 'sealed_unnoted', 'no_scratch_database'] as const;
export type DrillNote = (typeof drillNotes)[number];

export const shownRuns = 10;
export const drillDays = 7;
/** Without a good drill for so long, administrators are told; without a good backup for so many intervals. */
export const maxDrillDays = 14;
export const maxBackupIntervals = 2;

const run = z.object({
  id,
  kind: z.enum(backupKinds),
  began_at: time,
  ended_at: time,
  /** Empty where it failed before there was a file. */
  file_name: z.string(),
  bytes: count.nullable(),
  encrypted: z.boolean().nullable(),
  holds_key: z.boolean().nullable(),
  outcome: z.enum(backupOutcomes),
  /** Why it failed; of one that was not opened a `DrillNote`. */
  message: z.string(),
});
export type BackupRun = z.infer<typeof run>;

const next = z.object({ backup_at: time, drill_at: time });

export const backup = group('backup', {
  inquire: call({
    summary:
      'The backups that are made by a schedule: the last one, when one was last found restorable, what comes next, and the last runs.',
    access: requireAny('monitor'),
    input: z.object({}),
    output: z.object({
      /** Null: no worker makes any. */
      schedule: z
        .object({
          hours: count,
          is_keyless: z.boolean(),
          key_kept_at: time.nullable(),
          backup_overdue_at: time.nullable(),
          drill_overdue_at: time.nullable(),
          next,
        })
        .nullable(),
      last_backup: run.nullable(),
      /** The last drill that found nothing wrong. */
      last_drill: run.nullable(),
      runs: z.array(run),
    }),
  }),
  keep_key: call({
    summary: 'Say that the master key, which the scheduled backups do not hold, is kept elsewhere: nobody is reminded of it any more.',
    access: requireAny('configuration.update'),
    input: z.object({}),
    output: done,
    machines: false,
  }),
});
export type BackupState = z.infer<(typeof backup)['calls']['inquire']['output']>;

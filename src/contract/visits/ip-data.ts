import { z } from 'zod';
import { carriers } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { count, day, id, time } from '../kit/fields.ts';

export const ipFamilies = [4, 6] as const;
export type IpFamily = (typeof ipFamilies)[number];
const family = z.union([z.literal(4), z.literal(6)]);

/** The largest file that is taken; those of 2026 have 11 MB (IPv4) and 36 MB (IPv6). */
export const maxIpDataBytes = 100_000_000;

const place = z.object({ country: z.string(), region: z.string(), city: z.string(), carrier: z.enum(carriers) });
export type ShownPlace = z.infer<typeof place>;

/** A list that was uploaded. */
const uploaded = z.object({
  id,
  name: z.string(),
  bytes: count,
  /** The version of the file's structure. */
  structure: z.number().int(),
  /** When its data was made, as its header says. */
  made_at: time,
  segments: count,
  places: count,
  uploaded_by_account: z.string().nullable(),
  uploaded_at: time,
});
export type UploadedIpData = z.infer<typeof uploaded>;

const used = z.object({
  family,
  /** Null: the built-in list. */
  file: uploaded.nullable(),
  /** What was used before, where it was an uploaded one. */
  former: uploaded.nullable(),
  /** The day on which the data was made. */
  data_date: day,
  age_days: count,
  is_old: z.boolean(),
  /** Neighbours of one place put together. */
  ranges: count,
  changed_at: time.nullable(),
  changed_by_account: z.string().nullable(),
});
export type UsedIpData = z.infer<typeof used>;

const usedLists = z.object({
  content: z.array(used),
  /** Data that is older is warned of; 0: never. */
  warning_days: count,
  /** Corrections in force. */
  corrections: count,
});

/** A file that was found sound, and what it says of some well-known addresses beside what is said of them now. */
export const checkedIpData = z.object({
  file: uploaded,
  samples: z.array(z.object({ ip: z.string(), now: place, next: place })),
});
export type CheckedIpData = z.infer<typeof checkedIpData>;

export const ipData = group('ip_data', {
  inquire: call({
    summary: 'The lists by which places of addresses are looked up, and how old they are.',
    access: requireAny('ip_data'),
    input: z.object({}),
    output: usedLists,
  }),
  look_up: call({
    summary: 'What the list in use says of an address, what corrections say, and which of them is recorded for visits.',
    access: requireAny('ip_data'),
    input: z.object({ ip: z.string().trim().min(1, 'required').max(100) }),
    output: z.object({
      ip: z.string(),
      family,
      data: place,
      /** Those in force that hold the address, the smallest first: it is the one that counts. */
      corrections: z.array(place.extend({ id, range: z.string(), remark: z.string() })),
      used: place,
    }),
  }),
  use: call({
    summary:
      'Use a list that was uploaded and found sound (`POST /api/ip_data/file`), the former one, or without an id the built-in one. Visits from now on are looked up in it.',
    access: requireAny('ip_data.update'),
    input: z.object({ family, id: id.nullable() }),
    output: usedLists,
    writes: true,
  }),
});

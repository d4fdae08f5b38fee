import { z } from 'zod';
import { carriers, visitSources } from '../enums.ts';
import { call, publicAccess } from '../kit/call.ts';
import { count, line, time } from '../kit/fields.ts';

/** How far back the access records may be asked for, and what the form asks for at first, in days of the site; today is one more. */
export const accessLogDays = { lookBack: 7, shown: 3 } as const;
/** The most addresses that one query may name. */
export const maxAddresses = 100;

/** Above the first figure a count of visits is info, from the second on primary. */
export const ipCountTones = { above: 9, primary: 20 } as const;

/** What is known of one address that visited a code: its visits over the days asked for, and the facts of the latest one. */
export const accessRecord = z.object({
  ip: z.string(),
  ip_count: count,
  /** Country, region and city as they were recorded, joined by blanks. */
  latest_ip_belong: z.string(),
  latest_source: z.enum(visitSources).nullable(),
  latest_user_agent: z.string(),
  latest_create_time: time,
  /**
   * The key, of the code or one of its aliases, that was asked for; empty where its path names none or it kept no row. Null where the code
   * has no aliases, or its owner does not share visits by key.
   */
  latest_key: z.string().nullable(),
  country: z.string(),
  region: z.string(),
  city: z.string(),
  carrier: z.enum(carriers),
  system: z.string(),
  system_version: z.string(),
  brand: z.string(),
  model: z.string(),
  model_name: z.string(),
  browser: z.string(),
});
export type AccessRecord = z.infer<typeof accessRecord>;

const moment = z.iso.datetime('access_log_time_required').max(40);

export const publicEnquiry = call({
  summary: 'Which of these addresses visited a code on these days, by its key and share password, or the account of who may see it.',
  access: publicAccess,
  input: z.object({
    /** The share password; for a logged-in user who may see the code's visits also his own account or its owner's. */
    key: z.string().min(1, 'required').max(64),
    file_name: line(32).min(1, 'required').toLowerCase(),
    ip_list: z
      .array(z.ipv4('access_log_ip_invalid'), 'access_log_ip_required')
      .min(1, 'access_log_ip_required')
      .max(maxAddresses, 'access_log_ip_too_many'),
    /** The whole days of the site's time zone that these two moments lie in, and those between. */
    start_time: moment,
    end_time: moment,
  }),
  output: z.object({ content: z.array(accessRecord) }),
  secrets: ['key'],
  limit: { max: 60, seconds: 60 },
});

import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { count, id, line, time } from '../kit/fields.ts';
import { listInput, pageOf } from '../kit/page.ts';

const deviceModel = z.object({
  id,
  /** The model's code as visits bring it, in upper case. */
  code: z.string(),
  brand: z.string(),
  /** The marketing name; empty where nobody knows it. */
  name: z.string(),
  /** A user agent that brought the code. */
  sample: z.string(),
  /** Of the last 30 days. */
  visits: count,
  last_at: time.nullable(),
  /** Null where nobody named it. */
  named_at: time.nullable(),
  named_by_account: z.string().nullable(),
});
export type DeviceModel = z.infer<typeof deviceModel>;

export const deviceModels = group('device_model', {
  inquire: call({
    summary: 'Codes of phones that visits brought and no list knows, and those that administrators named.',
    access: requireAny('device_model'),
    input: listInput(['id', 'code', 'brand', 'name', 'visits', 'last_at', 'named_at'], {
      /** Part of the code, the brand or the name. */
      search: z.string().max(64).optional(),
      named: z.boolean().optional(),
    }),
    output: pageOf(deviceModel),
  }),
  update: call({
    summary:
      'Name the phone of a code: visits that came already and those to come are shown by it. An empty name takes the name back; the brand may be named alone.',
    access: requireAny('device_model.update'),
    input: z.object({ id, brand: line(64), name: line(64) }),
    output: deviceModel,
    writes: true,
  }),
});

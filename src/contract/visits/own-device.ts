import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { done, id, line, time } from '../kit/fields.ts';

/** So many devices a user may mark as his own. */
export const maxOwnDevices = 20;

const name = line(40).min(1, 'required');

const ownDevice = z.object({
  id,
  name: z.string(),
  created_at: time,
  /** Its latest visit to a code of his, to the hour; null: none yet. */
  seen_at: time.nullable(),
});

/** What every user says of his own devices: their visits to his codes are nobody's. No administrator does it while he acts as a user. */
export const ownDevices = group('own_device', {
  inquire: call({
    summary: 'The own devices, whose visits to the own codes count for nothing.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({}),
    output: z.object({ content: z.array(ownDevice) }),
  }),
  add: call({
    summary: 'Name a device that is to be marked; it is marked when it opens a `link`.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({ name }),
    output: z.object({ id }),
    writes: true,
  }),
  link: call({
    summary:
      'The link that marks the device which opens it, good for an hour. Browsers keep the mark for each host apart: `hosts` are those of the own codes, to each of which the opened page leads.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({ id }),
    output: z.object({ url: z.string(), expires_at: time, hosts: z.array(z.string()) }),
  }),
  update: call({
    summary: 'Rename an own device.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({ id, name }),
    output: done,
    writes: true,
  }),
  remove: call({
    summary: 'Forget an own device: from now on its visits count as those of anybody.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
});

import { z } from 'zod';
import { call, group, requireAny } from '../kit/call.ts';
import { done, id, time } from '../kit/fields.ts';

/** So many addresses and networks a user may name as his own. */
export const maxOwnAddresses = 50;

const network = z.string();

/** From where a user visits his own codes: such visits are nobody's. No administrator says it while he acts as a user. */
export const ownAddresses = group('own_address', {
  inquire: call({
    summary:
      'The own addresses and networks, from which visits to the own codes count for nothing; `present` is the address that this call comes from, of IPv6 its `/64`.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({}),
    output: z.object({ content: z.array(z.object({ id, network, created_at: time })), present: network, is_present_named: z.boolean() }),
  }),
  add: call({
    summary: 'Name an address, or a network of at most 256 addresses (IPv4) or a `/48` (IPv6).',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({ network: z.string().trim().min(1, 'required').max(64) }),
    output: z.object({ id }),
    writes: true,
  }),
  remove: call({
    summary: 'Forget an own address: from now on visits from there count as those of anybody.',
    access: requireAny('update_password'),
    machines: false,
    input: z.object({ id }),
    output: done,
    writes: true,
  }),
});

import { z } from 'zod';
import { call, group, holders } from '../kit/call.ts';
import { count, done, id, ids, line } from '../kit/fields.ts';
import { qrDesign } from './live-code.ts';

export const maximumDesigns = 200;

export const savedDesign = z.object({
  id,
  name: z.string(),
  design: z.record(z.string(), z.json()),
  /** Offered to everybody by an administrator. */
  shared: z.boolean(),
  own: z.boolean(),
  /** New codes of the caller get it. */
  chosen: z.boolean(),
});
export type SavedDesign = z.infer<typeof savedDesign>;

const designers = holders('qr_code_list.update', 'qr_code_list.add', 'set_qr_code.save', 'qr_code_list_admin.update');

export const qrDesigns = group('qr_design', {
  inquire: call({
    summary: "The caller's saved QR designs and those that administrators share, by name.",
    access: designers,
    input: z.object({}),
    output: z.object({ content: z.array(savedDesign) }),
  }),
  add: call({
    summary: 'Keep a QR design under a name; one of this name is replaced.',
    access: designers,
    input: z.object({ name: line(40).min(1, 'required'), design: qrDesign, shared: z.boolean().optional() }),
    output: savedDesign,
    writes: true,
  }),
  update: call({
    summary: 'Rename a saved design; administrators also share it or keep it to themselves.',
    access: designers,
    input: z.object({ id, name: line(40).min(1, 'required').optional(), shared: z.boolean().optional() }),
    output: savedDesign,
    writes: true,
  }),
  remove: call({
    summary: 'Forget saved designs; codes that have them keep them.',
    access: designers,
    input: z.object({ ids }),
    output: done,
    writes: true,
  }),
  choose: call({
    summary: 'The design that new codes of the caller get; null is the plain one.',
    access: designers,
    input: z.object({ id: id.nullable() }),
    output: z.object({ id: id.nullable() }),
    writes: true,
  }),
  apply: call({
    summary: 'Put a saved design on live codes, logo included; null takes their designs off.',
    access: holders('qr_code_list.batch', 'qr_code_list_admin.batch'),
    input: z.object({ ids, design_id: id.nullable() }),
    output: z.object({ affected: count, change_id: z.uuid().nullable() }),
    writes: true,
  }),
});

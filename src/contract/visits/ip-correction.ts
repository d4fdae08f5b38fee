import { z } from 'zod';
import { carriers } from '../enums.ts';
import { call, group, requireAny } from '../kit/call.ts';
import { crud, updateEnabled } from '../kit/crud.ts';
import { count, id, line, timestamps } from '../kit/fields.ts';

export const maxCorrections = 20_000;
export const maxImportedCorrections = 2000;

const names = {
  country: line(64).min(1, 'required'),
  region: line(64).optional(),
  city: line(64).optional(),
  carrier: z.enum(carriers).optional(),
  remark: line(200).optional(),
};
const fields = {
  /** An address, a network (`1.2.3.0/24`), or a first and last address (`1.2.3.0-1.2.3.99`), of IPv4 or IPv6. */
  range: line(100).min(1, 'required'),
  ...names,
  enabled: z.boolean().optional(),
};

const correction = z.object({
  id,
  ...z.object(fields).required().shape,
  /** How many addresses it has: up to 2 to the power of 128. */
  size: z.string(),
  /** Other corrections with addresses in common; of those the smallest one counts. */
  overlaps: count,
  ...timestamps,
});
export type IpCorrection = z.infer<typeof correction>;

/** What became of a line of an import: `updated` was there already. */
export const importedLineStates = ['added', 'updated', 'repeated', 'invalid_range', 'invalid_carrier', 'no_country'] as const;

export const ipCorrection = group('ip_correction', {
  ...crud('ip_correction', {
    row: correction,
    fields,
    filters: {
      /** An address, network or range finds the corrections with addresses in common; other text is looked for in names and note. */
      search: z.string().max(100).optional(),
      enabled: z.boolean().optional(),
      overlapping: z.boolean().optional(),
    },
    sortable: ['id', 'size', 'country', 'updated_at'],
    nouns: ['a correction of where addresses are', 'corrections of where addresses are'],
  }),
  update_enabled: updateEnabled('ip_correction', 'corrections'),
  names: call({
    summary: 'Names of countries, provinces and cities that visits have, for choosing.',
    access: requireAny('ip_correction'),
    input: z.object({}),
    output: z.object({ places: z.array(z.object({ country: z.string(), region: z.string(), city: z.string() })) }),
  }),
  import: call({
    summary: 'Add or change corrections, each line by its range; lines with faults are left out and told of.',
    access: requireAny('ip_correction.import'),
    bodyLimit: 2_000_000,
    input: z.object({
      lines: z
        .array(
          z.object({
            range: line(100),
            country: line(64),
            region: line(64),
            city: line(64),
            /** A name of the contract, or as the export writes it in any language. */
            carrier: line(64),
            remark: line(200),
            enabled: z.boolean(),
          }),
        )
        .min(1, 'required')
        .max(maxImportedCorrections),
    }),
    output: z.object({
      added: count,
      updated: count,
      results: z.array(z.object({ line: z.string(), state: z.enum(importedLineStates) })),
    }),
    writes: true,
  }),
});

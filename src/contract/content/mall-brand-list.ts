import { z } from 'zod';
import { group } from '../kit/call.ts';
import { crud, updateEnabled, updateSort } from '../kit/crud.ts';
import { id, line, rank, timestamps } from '../kit/fields.ts';

/** What brands are filed under; `#` holds the names in other scripts. */
export const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ#'] as [string, ...string[]];

/** The letter that a name is filed under unless another one is chosen. */
export function letterOf(name: string): string {
  const first = name.trim().normalize('NFKD').charAt(0).toUpperCase();
  return letters.find((letter) => letter === first) ?? '#';
}

const fields = {
  name: line(64).min(1, 'required'),
  /** Left out, a new brand gets that of its name. */
  letter: z.enum(letters).optional(),
  /** An uploaded picture. */
  logo_id: id.nullable().optional(),
  sort: rank.optional(),
  enabled: z.boolean().optional(),
};

const brand = z.object({ id, ...z.object(fields).required().shape, sort: z.number(), logo_url: z.string().nullable(), ...timestamps });
export type Brand = z.infer<typeof brand>;

export const mallBrandList = group('mall_brand_list', {
  ...crud('mall_brand_list', {
    row: brand,
    fields,
    filters: { name: z.string().max(64).optional(), letter: z.enum(letters).optional(), enabled: z.boolean().optional() },
    sortable: ['id', 'name', 'letter', 'sort', 'created_at'],
    nouns: ['a brand', 'brands'],
  }),
  update_enabled: updateEnabled('mall_brand_list', 'brands'),
  update_sort: updateSort('mall_brand_list', brand, 'a brand'),
});

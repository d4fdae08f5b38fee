import { z } from 'zod';
import { showStatus, showStatuses } from '../enums.ts';
import { call, group, publicAccess, requireAny } from '../kit/call.ts';
import { crud } from '../kit/crud.ts';
import { count, done, id, ids, line, oneOf, timestamps } from '../kit/fields.ts';
import { languageCode } from '../system/language.ts';

/** Categories below one another, the first level included. */
export const maxDepth = 4;
export const maxCategories = 5000;

const title = z.object({ language: languageCode, title: line(64).min(1, 'required') });
export type CategoryTitle = z.infer<typeof title>;

/** What a category is called in a language; in another one where it has no title in that. */
export const titleIn = (titles: readonly CategoryTitle[], ...languages: readonly string[]): string =>
  languages.map((language) => titles.find((each) => each.language === language)).find(Boolean)?.title ?? titles[0]?.title ?? '';

const fields = {
  /** Null: a category of the first level. */
  superior_id: id.nullable().optional(),
  /** One for each language, the one that stands for the others first. */
  titles: z
    .array(title)
    .min(1, 'required')
    .max(40)
    .refine((titles) => new Set(titles.map(({ language }) => language)).size === titles.length, 'repeated'),
  /** An uploaded picture. */
  icon_id: id.nullable().optional(),
  show_status: oneOf(showStatuses).optional(),
};

/** A category as anybody may see it. */
export const shownCategory = z.object({
  id,
  superior_id: id.nullable(),
  /** From 1. */
  level: count,
  /** In the language of the request. */
  title: z.string(),
  titles: z.array(title),
  icon_url: z.string().nullable(),
  /** Products in it that are shown, those of the categories below it not counted. */
  products: count,
});
export type ShownCategory = z.infer<typeof shownCategory>;

const category = shownCategory.extend({
  icon_id: id.nullable(),
  show_status: oneOf(showStatuses),
  /** The place among those of the same superior. */
  sort: count,
  /** Categories right below it. */
  children: count,
  ...timestamps,
});
export type Category = z.infer<typeof category>;

const { inquire: _paged, ...acts } = crud('mall_category_list', {
  row: category,
  fields,
  filters: {},
  sortable: ['id'],
  nouns: ['a category, the last of its superior', 'categories that nothing is in'],
});

export const mallCategoryList = group('mall_category_list', {
  inquire: call({
    summary: 'The categories that are shown, each before those below it.',
    access: publicAccess,
    input: z.object({ show_status: z.literal(showStatus.shown).optional() }),
    output: z.object({ content: z.array(shownCategory) }),
    limit: { max: 240, seconds: 60 },
  }),
  inquire_all: call({
    summary: 'All categories, the hidden ones too, each before those below it; `products` counts the hidden ones too.',
    access: requireAny('mall_category_list', 'mall_product_list'),
    input: z.object({}),
    output: z.object({ content: z.array(category) }),
  }),
  ...acts,
  move: call({
    summary: 'Move a category with all below it: below a superior, before one of those that are there, or last.',
    access: requireAny('mall_category_list.update'),
    input: z.object({ id, superior_id: id.nullable(), before_id: id.nullable() }),
    output: category,
    writes: true,
  }),
  update_show_status: call({
    summary: 'Show or hide categories; what is below a hidden one is hidden, too.',
    access: requireAny('mall_category_list.update'),
    input: z.object({ ids, show_status: oneOf(showStatuses) }),
    output: done,
    writes: true,
  }),
});

import type { Category } from '../../contract/content/mall-category-list.ts';
import { api } from '../kit/calls/api.ts';
import { holdsTyped, type Option, type RemoteOptions } from '../kit/options.ts';

const maxOptions = 200;

/** The ids of a category and all below it, given all of them in the order of the tree. */
export function withBelow(id: number, categories: readonly Category[]): Set<number> {
  const ids = new Set([id]);
  for (const category of categories) if (category.superior_id !== null && ids.has(category.superior_id)) ids.add(category.id);
  return ids;
}

/** Categories by their whole path, `Home / Kitchen`, in the order of the tree. */
export function categoryOptions(categories: readonly Category[]): Option[] {
  const paths = new Map<number | null, string>();
  return categories.map(({ id, superior_id, title }) => {
    const above = paths.get(superior_id);
    const label = above === undefined ? title : `${above} / ${title}`;
    paths.set(id, label);
    return { value: id, label };
  });
}

/** The choice of a category; `where` leaves out those that cannot be chosen, and has a name of its own for the cache. */
export const categorySource = (
  name = '',
  where: (category: Category, all: readonly Category[]) => boolean = () => true,
): RemoteOptions => ({
  key: `mall_category_list ${name}`,
  async load(search, signal) {
    const { content } = await api.mall_category_list.inquire_all({}, { signal });
    const possible = new Set(content.filter((category) => where(category, content)).map(({ id }) => id));
    const options = categoryOptions(content).filter((option) => possible.has(option.value as number));
    return options.filter((option) => search === '' || holdsTyped(search, option)).slice(0, maxOptions);
  },
});

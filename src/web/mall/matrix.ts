import { type Attribute, maxVariants } from '../../contract/content/mall-product-list.ts';

/** A variant as the form holds it. */
export type VariantValues = {
  id?: number;
  options: string[];
  sku: string;
  price: string;
  stock: number | null;
  /** Of a variant that is there: the stock that the form was opened with. */
  stock_before?: number;
};

/** What a form holds of an attribute while it is being typed. */
export type AttributeValues = Partial<Attribute>;

/** Attributes of which name and values were given. */
export const finished = (attributes: readonly (AttributeValues | undefined)[]): Attribute[] =>
  attributes.flatMap((each) => {
    const [name, values] = [each?.name?.trim() ?? '', each?.values ?? []];
    return name !== '' && values.length > 0 ? [{ name, values }] : [];
  });

/** Every combination of the attributes' values, as far as a product may have so many. */
export function combinations(attributes: readonly Attribute[]): string[][] {
  let combined: string[][] = [[]];
  for (const { values } of attributes)
    combined = combined.slice(0, maxVariants).flatMap((options) => values.map((value) => [...options, value]));
  return combined.slice(0, maxVariants);
}

const isWithin = (some: readonly string[], all: readonly string[]) => some.every((value) => all.includes(value));

/**
 * The variants after the attributes have changed. A combination that is there stays as it is; one that only has a value more or less than
 * before goes on as the variant that it was, and further ones that come of the same variant begin with its price.
 */
export function matrixOf(attributes: readonly Attribute[], present: readonly VariantValues[]): VariantValues[] {
  const wanted = combinations(attributes);
  const key = (options: readonly string[]) => JSON.stringify(options);
  const same = new Map(present.map((variant) => [key(variant.options), variant]));
  const taken = new Set(wanted.flatMap((options) => same.get(key(options)) ?? []));
  return wanted.map((options) => {
    const exact = same.get(key(options));
    if (exact) return exact;
    const related = present.filter((variant) => isWithin(variant.options, options) || isWithin(options, variant.options));
    const heir = related.find((variant) => !taken.has(variant));
    if (heir) {
      taken.add(heir);
      return { ...heir, options };
    }
    return { options, sku: '', price: related[0]?.price ?? present[0]?.price ?? '', stock: 0 };
  });
}

import { setImmediate } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { CategoryTitle } from '../../contract/content/mall-category-list.ts';
import { type Attribute, importColumns, type LineFault, mallProductList } from '../../contract/content/mall-product-list.ts';
import { languages } from '../../contract/enums.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import { fieldIssues } from '../../contract/kit/issues.ts';
import { AppError } from '../kit/calls/errors.ts';
import { builtInTexts } from '../kit/messages/messages.ts';
import type { Database } from '../kit/postgres/database.ts';
import { plain } from '../live-codes/import/import.public.ts';
import { checkParts } from './products.parts.ts';

/** After so many products others have their turn. */
const productsInTurn = 25;

type Column = (typeof importColumns)[number];
type Values = ParsedInputOf<(typeof mallProductList)['calls']['add']>;
/** A product of a file: the line it begins with, and what it would be made of. */
export type ImportedProduct = { row: number; category: string; values: Values; isFaulty: boolean };
type Line = { row: number; cells: Map<Column, string> };

const shared: Partial<Record<Column, string>> = { name: 'common.field.name', sort: 'common.field.sort', enabled: 'common.shown' };
const titleKey = (column: Column) => shared[column] ?? `mall_product_list.${column}`;

/** Every heading of ours in every language, to its column. */
const headings = (): Map<string, Column> =>
  new Map(
    importColumns.flatMap((column) =>
      [column, ...languages.flatMap((language) => builtInTexts(language).get(titleKey(column)) ?? [])].map((word): [string, Column] => [
        plain(word),
        column,
      ]),
    ),
  );

const yes = new Set(
  ['1', 'true', 'yes', 'y', ...languages.flatMap((language) => builtInTexts(language).get('common.yes') ?? [])].map(plain),
);
const no = new Set(['0', 'false', 'no', 'n', ...languages.flatMap((language) => builtInTexts(language).get('common.no') ?? [])].map(plain));
const flagOf = (text: string): unknown => (yes.has(plain(text)) ? true : no.has(plain(text)) ? false : text);
const figureOf = (text: string): unknown => (/^\d[\d,，\s]*$/.test(text) ? Number(text.replace(/[,，\s]/g, '')) : text);

/** `Colour: Red; Size: L` by its parts; undefined where one has no name. */
function pairsOf(text: string): { name: string; value: string }[] | undefined {
  const parts = text.split(/[;；\n]/).map((part) => part.trim());
  const pairs = parts.filter(Boolean).map((part) => /^([^:：=]+)[:：=](.+)$/.exec(part));
  if (pairs.some((pair) => !pair)) return undefined;
  return pairs.map((pair) => ({ name: pair?.[1]?.trim() ?? '', value: pair?.[2]?.trim() ?? '' }));
}

type Known = { categories: Map<string, number>; brands: Map<string, number>; names: Set<string>; skus: Set<string> };

/** Categories by path and by title, in every language they have; a title that several have stands for none of them. */
async function lookUp(db: Database): Promise<Known> {
  const { rows: tree } = await db.execute<{ id: number; superior_id: number | null; titles: CategoryTitle[] }>(
    sql`SELECT id::float8 AS id, superior_id::float8 AS superior_id, titles FROM mall_category`,
  );
  const byId = new Map(tree.map((row) => [row.id, row]));
  const pathIn = (id: number, language: string): string => {
    const row = byId.get(id);
    if (!row) return '';
    const title = (row.titles.find((each) => each.language === language) ?? row.titles[0])?.title ?? '';
    return row.superior_id === null ? title : `${pathIn(row.superior_id, language)}/${title}`;
  };
  const categories = new Map<string, number>();
  const spoken = new Set(tree.flatMap(({ titles }) => titles.map(({ language }) => language)));
  for (const { id } of tree) for (const language of spoken) categories.set(plain(pathIn(id, language)), id);
  const titled = Map.groupBy(
    tree.flatMap(({ id, titles }) => titles.map(({ title }) => ({ id, title: plain(title) }))),
    ({ title }) => title,
  );
  for (const [title, same] of titled)
    if (new Set(same.map(({ id }) => id)).size === 1 && !categories.has(title)) categories.set(title, same[0]?.id ?? 0);
  const { rows: brands } = await db.execute<{ id: number; name: string }>(sql`SELECT id::float8 AS id, name FROM mall_brand`);
  const { rows: names } = await db.execute<{ name: string }>(sql`SELECT name FROM mall_product`);
  const { rows: skus } = await db.execute<{ sku: string }>(sql`SELECT sku FROM mall_variant WHERE sku IS NOT NULL`);
  return {
    categories,
    brands: new Map(brands.map(({ id, name }) => [name.trim().toLowerCase(), id])),
    names: new Set(names.map(({ name }) => name.toLowerCase())),
    skus: new Set(skus.map(({ sku }) => sku)),
  };
}

/** The products of a file with all that is wrong, beside the lines. Lines of the same name that follow one another are variants of one product. */
export async function productsOf(
  { header, lines }: { header: readonly string[]; lines: readonly (readonly string[])[] },
  db: Database,
): Promise<{ products: ImportedProduct[]; faults: LineFault[]; ignored: string[] }> {
  const known = headings();
  const columns = header.map((heading, at) => {
    const column = known.get(plain(heading));
    return header.findIndex((other) => known.get(plain(other)) === column) === at ? column : undefined;
  });
  if (!columns.includes('name') || !columns.includes('price')) throw new AppError(400, 'mall_product.import_columns');
  const read = lines.map(
    (texts, at): Line => ({
      row: at + 2,
      cells: new Map(columns.flatMap((column, place) => (column ? [[column, texts[place]?.trim() ?? '']] : []))),
    }),
  );
  const groups: Line[][] = [];
  for (const line of read) {
    const last = groups.at(-1);
    if (last && last[0]?.cells.get('name') === line.cells.get('name')) last.push(line);
    else groups.push([line]);
  }
  const found = await lookUp(db);
  const faults: LineFault[] = [];
  const products: ImportedProduct[] = [];
  for (const [at, group] of groups.entries()) {
    if (at % productsInTurn === 0) await setImmediate();
    products.push(productOf(group, found, faults));
  }
  return { products, faults, ignored: header.filter((heading, at) => heading !== '' && columns[at] === undefined) };
}

function productOf(lines: readonly Line[], known: Known, faults: LineFault[]): ImportedProduct {
  const [first = { row: 0, cells: new Map<Column, string>() }] = lines;
  const before = faults.length;
  const fault = (line: Line, column: Column, code: string, params?: Record<string, string | number>) =>
    faults.push({ row: line.row, column, code, ...(params ? { params } : {}), value: (line.cells.get(column) ?? '').slice(0, 200) });
  const cell = (column: Column) => first.cells.get(column) ?? '';
  const given = (column: Column, read: (text: string) => unknown = (text) => text) =>
    cell(column) === '' ? {} : { [column]: read(cell(column)) };
  const pairs = (line: Line, column: Column) => {
    const found = pairsOf(line.cells.get(column) ?? '');
    if (!found) fault(line, column, 'import_pairs');
    return found ?? [];
  };
  const category_id = known.categories.get(plain(cell('category_id')));
  if (cell('category_id') !== '' && category_id === undefined) fault(first, 'category_id', 'unknown_category');
  const brand_id = known.brands.get(cell('brand_id').toLowerCase());
  if (cell('brand_id') !== '' && brand_id === undefined) fault(first, 'brand_id', 'unknown_brand');
  const name = cell('name').toLowerCase();
  if (name !== '' && known.names.has(name)) fault(first, 'name', 'taken');
  known.names.add(name);
  const options = lines.map((line) => pairs(line, 'attributes'));
  const attributes = attributesOf(options);
  const values = {
    name: cell('name'),
    ...given('source'),
    ...(category_id === undefined ? {} : { category_id }),
    ...(brand_id === undefined ? {} : { brand_id }),
    attributes,
    variants: lines.map(({ cells }, at) => ({
      options: attributes.map((attribute) => options[at]?.find((pair) => pair.name === attribute.name)?.value ?? ''),
      sku: cells.get('sku') ?? '',
      price: cells.get('price') ?? '',
      stock: figureOf(cells.get('stock') || '0'),
    })),
    properties: pairs(first, 'properties'),
    colors: pairs(first, 'colors').map((pair) => ({ name: pair.name, color: pair.value })),
    ...given('ranking_recommend', flagOf),
    ...given('home_recommend', flagOf),
    ...given('sort', figureOf),
    ...given('enabled', flagOf),
  };
  for (const line of lines) {
    const sku = line.cells.get('sku') ?? '';
    if (sku !== '' && known.skus.has(sku)) fault(line, 'sku', 'taken');
    known.skus.add(sku);
  }
  const checked = mallProductList.calls.add.input.safeParse(values);
  if (!checked.success) {
    for (const { path, code, params } of fieldIssues(checked.error)) {
      const { line, column } = placeOf(path, lines, first);
      fault(line, column, code, params);
    }
  } else checkCombinations(checked.data, lines, fault);
  // What is faulty is not made: its values are told of only.
  const made = checked.success ? checked.data : (values as Values);
  return { row: first.row, category: cell('category_id'), values: made, isFaulty: faults.length > before };
}

/** The attributes that the lines name, in the order of the first one, with all values. */
function attributesOf(options: readonly (readonly { name: string; value: string }[])[]): Attribute[] {
  const names = [...new Set(options.flat().map(({ name }) => name))];
  return names.map((name) => ({ name, values: [...new Set(options.flat().flatMap((pair) => (pair.name === name ? pair.value : [])))] }));
}

type Fault = (line: Line, column: Column, code: string) => void;

function checkCombinations({ variants, attributes = [] }: Values, lines: readonly Line[], fault: Fault): void {
  try {
    checkParts(variants, attributes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const [path, code] of Object.entries(error.details.fields ?? {})) {
      const line = lines[Number(/^variants\.(\d+)/.exec(path)?.[1] ?? 0)];
      if (line) fault(line, 'attributes', code);
    }
  }
}

/** Where an issue of the contract stands in the file. */
function placeOf(path: string, lines: readonly Line[], first: Line): { line: Line; column: Column } {
  const [, at, field] = /^variants\.(\d+)\.(\w+)/.exec(path) ?? [];
  if (at !== undefined) return { line: lines[Number(at)] ?? first, column: field === 'options' ? 'attributes' : (field as Column) };
  const column = path.split('.')[0] as Column;
  return { line: first, column: importColumns.includes(column) ? column : 'attributes' };
}

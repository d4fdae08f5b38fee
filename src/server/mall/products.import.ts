import { sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import {
  type CheckedImport,
  type LineFault,
  type mallProductList,
  maxImportBytes,
  maxImportLines,
} from '../../contract/content/mall-product-list.ts';
import { millionthsOf } from '../../contract/money/amounts.ts';
import { userKey } from '../kit/bounded/tasks.ts';
import { createAdmission } from '../kit/calls/admission.ts';
import type { Context, ServerKit, Service } from '../kit/calls/context.ts';
import { AppError, notFound } from '../kit/calls/errors.ts';
import { createRequestAuthenticator } from '../kit/calls/mount.ts';
import { type ReceivedFile, receiveFile } from '../kit/calls/multipart.ts';
import type { Database } from '../kit/postgres/database.ts';
import { readTable } from '../live-codes/import/import.public.ts';
import { mall_product, mall_variant } from './mall-product-list.table.ts';
import { type ImportedProduct, productsOf } from './products.import.rows.ts';

/** Files that a user may have waiting, and rows told of what is wrong. */
const [maxFiles, maxFaults, previewRows] = [5, 1000, 20];
const admission = createAdmission({ maxOfUser: 1, max: 4, maxBytes: 20_000_000 });

type Stored = { id: string; name: string; header: string[]; lines: string[][]; imported_at: string | null };

/** `POST /api/mall_product_list/file`: takes a table of products and says what would become of it. */
export function mountProductImports(app: FastifyInstance, kit: ServerKit): void {
  const authenticate = createRequestAuthenticator(kit, ['mall_product_list.import']);
  app.post(
    '/api/mall_product_list/file',
    { config: { rateLimit: { max: 30, timeWindow: 60_000 } } },
    async (request): Promise<CheckedImport> => {
      const actor = await authenticate(request);
      if (!actor.nodes.has('mall_product_list.import')) throw new AppError(403, 'forbidden');
      const receiving = { user_id: actor.user_id, maxBytes: maxImportBytes, tooLarge: new AppError(413, 'import.too_large') };
      return receiveFile(request, admission, receiving, async (received) => {
        const stored = await store(kit.db, actor.user_id, received);
        const { products, faults, ignored } = await productsOf(stored, kit.db);
        return told(stored, products, faults, ignored);
      });
    },
  );
}

async function store(db: Database, owner_id: number, { bytes, filename = '', signal }: ReceivedFile): Promise<Stored> {
  const { header, rows, row_number } = await readTable(bytes, userKey(owner_id), signal);
  if (row_number > maxImportLines) throw new AppError(400, 'import.too_many_rows');
  const name = filename.slice(0, 200).toWellFormed().replaceAll('\u0000', '');
  await db.execute(sql`DELETE FROM mall_import WHERE imported_at IS NULL AND owner_id = ${owner_id} AND id NOT IN (
    SELECT id FROM mall_import WHERE owner_id = ${owner_id} AND imported_at IS NULL ORDER BY created_at DESC LIMIT ${maxFiles - 1})`);
  const { rows: made } = await db.execute<Stored>(sql`
    INSERT INTO mall_import (owner_id, name, header, lines)
    VALUES (${owner_id}, ${name}, ${sql.param(header)}, convert_from(${sql.param(rows)}::bytea, 'UTF8')::jsonb)
    RETURNING id, name, header, lines, imported_at`);
  if (!made[0]) throw new Error('the file was not kept');
  return made[0];
}

function told(
  { id, name, lines }: Stored,
  products: readonly ImportedProduct[],
  faults: readonly LineFault[],
  ignored: string[],
): CheckedImport {
  const refused = products.filter((product) => product.isFaulty).length;
  const good = products.filter((product) => !product.isFaulty);
  const preview = good.slice(0, previewRows).map(({ row, category, values }) => {
    const prices = values.variants.map(({ price }) => price).sort((one, other) => Number(millionthsOf(one) - millionthsOf(other)));
    const stock = values.variants.reduce((sum, variant) => sum + variant.stock, 0);
    return { row, name: values.name, category, variants: values.variants.length, lowest_price: prices[0] ?? '', stock };
  });
  return { id, name, lines: lines.length, products: good.length, refused, faults: faults.slice(0, maxFaults), ignored, preview };
}

/** Takes a file of the caller's for himself; another import of it waits here, and finds it done. */
async function take(id: string, { db, scope }: Context): Promise<Stored & { undone_at: string | null }> {
  const { rows } = await db.execute<Stored & { undone_at: string | null }>(sql`
    SELECT id, name, header, lines, imported_at, undone_at FROM mall_import WHERE id = ${id}::uuid AND owner_id = ${scope.owner_id} FOR UPDATE`);
  if (!rows[0]) throw notFound();
  return rows[0];
}

const portionSize = 500;

/** Makes products portion by portion, all of them or none: the whole import is one transaction. */
async function write(products: readonly ImportedProduct[], import_id: string, db: Database): Promise<void> {
  for (let from = 0; from < products.length; from += portionSize) {
    const portion = products.slice(from, from + portionSize).map(({ values }) => values);
    const made = await db
      .insert(mall_product)
      .values(portion.map(({ variants: _variants, cover_ids: _covers, ...product }) => ({ ...product, import_id })))
      .returning({ id: mall_product.id });
    const variants = portion.flatMap((product, at) =>
      product.variants.map(({ options, sku, price, stock }, place) => {
        return { product_id: made[at]?.id ?? 0, options, sku: sku || null, price, stock, position: place + 1 };
      }),
    );
    for (let at = 0; at < variants.length; at += portionSize) await db.insert(mall_variant).values(variants.slice(at, at + portionSize));
  }
}

/** The calls about files of products that were uploaded. */
export const importCalls: Pick<Service<typeof mallProductList>, 'import' | 'imports' | 'undo_import'> = {
  async import({ id }, context) {
    const { db } = context;
    const stored = await take(id, context);
    if (stored.imported_at !== null) throw new AppError(409, 'import.started');
    // Names and numbers are looked up anew; who imports at the same moment waits.
    await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode mall import'))`);
    const { products } = await productsOf(stored, db);
    const good = products.filter((product) => !product.isFaulty);
    if (good.length === 0) throw new AppError(409, 'mall_product.nothing_to_import');
    await write(good, id, db);
    await db.execute(sql`UPDATE mall_import SET imported_at = now(), lines = '[]' WHERE id = ${id}::uuid`);
    context.audit({ after: { file: stored.name, products: good.length } });
    return { affected: good.length };
  },

  async imports(_input, { db, scope }) {
    const moment = (column: 'imported_at' | 'undone_at') =>
      sql`to_char(${sql.raw(column)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
    const { rows } = await db.execute<{ id: string; name: string; imported_at: string; undone_at: string | null; products: number }>(sql`
      SELECT id, name, ${moment('imported_at')} AS imported_at, ${moment('undone_at')} AS undone_at,
        (SELECT count(*) FROM mall_product WHERE import_id = mall_import.id)::int AS products
      FROM mall_import WHERE owner_id = ${scope.owner_id} AND imported_at IS NOT NULL ORDER BY mall_import.imported_at DESC LIMIT 5`);
    return { content: rows };
  },

  async undo_import({ id }, context) {
    const { db } = context;
    const stored = await take(id, context);
    if (stored.imported_at === null || stored.undone_at !== null) throw new AppError(409, 'mall_product.not_imported');
    // A purchase of one of them at the same moment waits, and then finds it gone.
    await db.execute(sql`SELECT id FROM mall_product WHERE import_id = ${id}::uuid ORDER BY id FOR UPDATE`);
    const { rowCount } = await db.execute(sql`
      DELETE FROM mall_product WHERE import_id = ${id}::uuid AND NOT EXISTS (SELECT FROM mall_purchase WHERE product_id = mall_product.id)`);
    const kept = await db.$count(mall_product, sql`import_id = ${id}::uuid`);
    await db.execute(sql`UPDATE mall_import SET undone_at = now() WHERE id = ${id}::uuid`);
    context.audit({ before: { file: stored.name, products: (rowCount ?? 0) + kept }, after: { kept } });
    return { affected: rowCount ?? 0, kept };
  },
};

import { and, eq, sql } from 'drizzle-orm';
import { type HomeBlock, type homePageConfig, maxAnnouncement } from '../../contract/content/home-page-config.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { AppError } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { homeBlocks } from './content.public.ts';
import { home_block, home_page, rotation_type } from './content.table.ts';
import { cleanRichText } from './rich-text.public.ts';
import { checkType } from './rules.ts';

async function read(db: Database) {
  const [page] = await db.select().from(home_page);
  if (!page) throw new Error('the home page has no row');
  return { version: page.version, blocks: await homeBlocks(db), updated_at: page.updated_at };
}

/** The block as it is kept; what it names must exist, its rich text is cleaned. */
async function checked(block: HomeBlock, index: number, context: Context): Promise<HomeBlock> {
  if (block.kind === 'banner') await checkType(rotation_type, block.rotation_type_id, context, `blocks.${index}.rotation_type_id`);
  if (block.kind !== 'announcement') return block;
  return { ...block, body: cleanRichText(block.body, maxAnnouncement, `blocks.${index}.body`) };
}

export const homePageConfigService: Service<typeof homePageConfig> = {
  inquire: (_input, { db }) => read(db),

  /** The version decides which of two who edited the same state saves; the other is told. */
  async update({ version, blocks }, context) {
    const { db, audit } = context;
    const before = await read(db);
    const taken = await db
      .update(home_page)
      .set({ version: sql`${home_page.version} + 1`, updated_at: sql`now()` })
      .where(and(eq(home_page.id, 1), eq(home_page.version, version)))
      .returning({ version: home_page.version });
    if (taken.length === 0) throw new AppError(409, 'conflict.changed');
    const clean: HomeBlock[] = [];
    for (const [index, block] of blocks.entries()) clean.push(await checked(block, index, context));
    await db.delete(home_block);
    if (clean.length > 0) await db.insert(home_block).values(clean.map((block, position) => ({ position, ...block })));
    audit({ before: before.blocks, after: clean });
    return read(db);
  },
};

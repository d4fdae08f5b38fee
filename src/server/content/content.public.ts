import { asc, eq } from 'drizzle-orm';
import type { HomeBlock } from '../../contract/content/home-page-config.ts';
import type { Database } from '../kit/postgres/database.ts';
import { home_block } from './content.table.ts';

function blockOf({ kind, title, enabled, body, rotation_type_id, links }: typeof home_block.$inferSelect): HomeBlock {
  const common = { title, enabled };
  switch (kind) {
    case 'announcement':
      return { kind, ...common, body };
    case 'banner':
      // The table's check keeps a banner from being without its type.
      return { kind, ...common, rotation_type_id: rotation_type_id ?? 0 };
    case 'links':
      return { kind, ...common, links };
  }
}

/** The blocks of the start page in their order, or only those that are shown. */
export async function homeBlocks(db: Database, { shown = false } = {}): Promise<HomeBlock[]> {
  const rows = await db
    .select()
    .from(home_block)
    .where(shown ? eq(home_block.enabled, true) : undefined)
    .orderBy(asc(home_block.position));
  return rows.map(blockOf);
}

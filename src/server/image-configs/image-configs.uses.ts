import { type SQL, sql } from 'drizzle-orm';
import type { imageConfigs } from '../../contract/content/image-configs.ts';
import type { OutputOf } from '../../contract/kit/call.ts';
import type { Context } from '../kit/calls/context.ts';

export type Use = OutputOf<(typeof imageConfigs)['calls']['uses']>['content'][number];

const maxUses = 200;

/** Rich text names a picture by its address; file names are hexadecimal, so that nothing in them has to be escaped. */
const inText = (column: SQL): SQL => sql`${column} LIKE '%/file/' || file.name || '%'`;

const byTargets = sql`(SELECT count(*) FROM live_code_target WHERE live_code_target.file_id = file.id)`;
const bySite = sql`(SELECT count(*) FROM rotation WHERE rotation.file_id = file.id)
  + (SELECT count(*) FROM document WHERE document.cover_id = file.id OR ${inText(sql`document.body`)})
  + (SELECT count(*) FROM home_block WHERE ${inText(sql`home_block.body`)})
  + (SELECT count(*) FROM url_key_platform WHERE url_key_platform.config ->> 'picture_id' = file.id::text)
  + (SELECT count(*) FROM mall_brand WHERE mall_brand.logo_id = file.id)
  + (SELECT count(*) FROM mall_category WHERE mall_category.icon_id = file.id)
  + (SELECT count(*) FROM mall_product_cover WHERE mall_product_cover.file_id = file.id)
  + (SELECT count(*) FROM mall_product WHERE ${inText(sql`mall_product.details`)})
  + (SELECT count(*) FROM setting WHERE ${inText(sql`setting.value::text`)})`;

/**
 * How many places use the picture of the row of `file` in hand. Texts of the site are looked through for administrators only: nobody else
 * puts a picture there, and some have thousands.
 */
export const usedTimes = ({ scope }: Pick<Context, 'scope'>): SQL<number> =>
  sql`(${byTargets}${scope.all ? sql` + ${bySite}` : sql``})::int`;

/** Where the pictures are used. Of codes that the caller doesn't see he learns only that there is one. */
export async function usesOf({ db, scope }: Pick<Context, 'db' | 'scope'>, ids: readonly number[]): Promise<Use[]> {
  const isSeen = scope.sees(sql`code.owner_id`) ?? sql`true`;
  const given = sql`file.id = ANY(${sql.param([...ids])}::bigint[])`;
  const { rows } = await db.execute<Use>(sql`
    SELECT 'target' AS kind, target.id,
      CASE WHEN NOT ${isSeen} THEN '' WHEN target.name = '' THEN code.name ELSE code.name || ' · ' || target.name END AS name,
      CASE WHEN ${isSeen} THEN code.id END AS live_code_id, CASE WHEN ${isSeen} THEN code.file_name END AS file_name, code.removed
    FROM file JOIN live_code_target AS target ON target.file_id = file.id JOIN live_code AS code ON code.id = target.live_code_id WHERE ${given}
    UNION ALL SELECT 'rotation', rotation.id, rotation.title, NULL, NULL, false FROM file JOIN rotation ON rotation.file_id = file.id WHERE ${given}
    UNION ALL SELECT 'document', document.id, document.title, NULL, NULL, false
      FROM file JOIN document ON document.cover_id = file.id OR ${inText(sql`document.body`)} WHERE ${given}
    UNION ALL SELECT 'home', home_block.id, home_block.title, NULL, NULL, false FROM file JOIN home_block ON ${inText(sql`home_block.body`)} WHERE ${given}
    UNION ALL SELECT 'platform', platform.id, platform.name, NULL, NULL, false
      FROM file JOIN url_key_platform AS platform ON platform.config ->> 'picture_id' = file.id::text WHERE ${given}
    UNION ALL SELECT 'brand', brand.id, brand.name, NULL, NULL, false FROM file JOIN mall_brand AS brand ON brand.logo_id = file.id WHERE ${given}
    UNION ALL SELECT 'category', category.id, category.titles -> 0 ->> 'title', NULL, NULL, false
      FROM file JOIN mall_category AS category ON category.icon_id = file.id WHERE ${given}
    UNION ALL SELECT 'product', product.id, product.name, NULL, NULL, false FROM file JOIN mall_product AS product
      ON ${inText(sql`product.details`)} OR EXISTS (SELECT FROM mall_product_cover AS cover WHERE cover.product_id = product.id AND cover.file_id = file.id)
      WHERE ${given}
    UNION ALL SELECT 'setting', 0, setting.key, NULL, NULL, false FROM file JOIN setting ON ${inText(sql`setting.value::text`)} WHERE ${given}
    ORDER BY kind DESC, id LIMIT ${maxUses}`);
  return rows;
}

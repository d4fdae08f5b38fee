import { and, asc, eq, sql } from 'drizzle-orm';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import { disabledStatus } from '../../../contract/enums.ts';
import type { ParsedInputOf } from '../../../contract/kit/call.ts';
import { domain } from '../../domains/domains.table.ts';
import type { Context } from '../../kit/calls/context.ts';
import { AppError, invalidField } from '../../kit/calls/errors.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { refuseOverQuota } from '../../orders/quotas.public.ts';
import { user_account } from '../../users/users.table.ts';
import { takeLinksAlong } from '../live-codes.links.ts';
import { withDefaultDomains } from '../live-codes.rules.ts';
import { live_code } from '../live-codes.table.ts';
import { nextVersion, withVersions } from '../versions/versions.ts';

type Transfer = ParsedInputOf<(typeof qrCodeList)['calls']['transfer']>;

/**
 * Gives codes to another user. They leave their group, the snippets and the share password of the former owner behind, and take their short links along;
 * of his domains the caller says what becomes. 409 where he wants to be asked and some codes stand on domains that the new owner may not use.
 */
export async function transferLiveCodes({ ids, owner_id, domains }: Transfer, context: Context) {
  const { db, scope, audit } = context;
  if (!scope.all) throw new AppError(403, 'forbidden');
  const isOwner = and(eq(user_account.id, owner_id), eq(user_account.disabled, disabledStatus.no));
  if ((await db.$count(user_account, isOwner)) === 0) throw invalidField('owner_id', 'unknown_user');
  const codes = await db
    .select({
      id: live_code.id,
      owner_id: live_code.owner_id,
      entry_domain_id: live_code.entry_domain_id,
      landing_domain_id: live_code.landing_domain_id,
    })
    .from(live_code)
    .where(and(isOneOf(live_code.id, ids), eq(live_code.removed, false), sql`${live_code.owner_id} <> ${owner_id}`))
    .orderBy(asc(live_code.id))
    .for('update');
  const moved = codes.map(({ id }) => id);
  const used = codes.flatMap(({ entry_domain_id, landing_domain_id }) => [entry_domain_id, landing_domain_id]).filter((id) => id !== null);
  const foreign = await db
    .select({ id: domain.id })
    .from(domain)
    .where(and(isOneOf(domain.id, [...new Set(used)]), sql`${domain.holder_id} <> ${owner_id}`));
  const foreignIds = foreign.map(({ id }) => id);
  const isForeign = (id: number | null) => id !== null && foreignIds.includes(id);
  const losing = codes.filter((code) => isForeign(code.entry_domain_id) || isForeign(code.landing_domain_id));
  if (domains === 'refuse' && losing.length > 0) throw new AppError(409, 'live_code.foreign_domains', { params: { count: losing.length } });
  const instead = domains === 'replace' ? await withDefaultDomains({}, owner_id, db) : { entry_domain_id: null, landing_domain_id: null };

  const kept = (column: 'entry_domain_id' | 'landing_domain_id') =>
    sql`CASE WHEN ${live_code[column]} = ANY(${sql.param(foreignIds)}::bigint[]) THEN ${instead[column]}::bigint ELSE ${live_code[column]} END`;
  const changes = {
    owner_id,
    group_id: null,
    share_password_hash: null,
    entry_domain_id: kept('entry_domain_id'),
    landing_domain_id: kept('landing_domain_id'),
    ...nextVersion,
  };
  const { change_id } = await withVersions(context, moved, 'transferred', async () => {
    await db.update(live_code).set(changes).where(isOneOf(live_code.id, moved));
    await db.execute(sql`DELETE FROM live_code_js_config AS chosen USING js_config WHERE js_config.id = chosen.js_config_id
      AND js_config.owner_id <> ${owner_id} AND chosen.live_code_id = ANY(${sql.param(moved)}::bigint[])`);
    await takeLinksAlong(moved, owner_id, context);
  });
  await refuseOverQuota(db, owner_id, 'live_codes', moved.length);
  audit({ before: codes, after: { owner_id, ...(losing.length > 0 ? instead : {}) } });
  return { affected: moved.length, change_id, lost_domains: losing.length };
}

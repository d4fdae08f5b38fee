import { and, asc, eq, sql } from 'drizzle-orm';
import { maxTargets } from '../../../contract/codes/live-code.ts';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import { maxReplaced, shownReplacements, type TargetReplacement } from '../../../contract/codes/target-batches.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { Context } from '../../kit/calls/context.ts';
import { AppError, invalidField } from '../../kit/calls/errors.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { checkTargets, urlFault } from '../live-codes.rules.ts';
import { settingsOver } from '../live-codes.settings.ts';
import { live_code, live_code_target } from '../live-codes.table.ts';
import { insertTargets, newTarget } from '../live-codes.targets.ts';
import { nextVersion, withVersions } from '../versions/versions.ts';
import { lockLiveCodes } from './batches.ts';

type Calls = (typeof qrCodeList)['calls'];
type Search = ParsedInputOf<Calls['find_targets']>;

/** The targets whose address holds the text, and what each would become. */
async function replacements({ ids, find, replace }: Search, { db, scope }: Context): Promise<TargetReplacement[]> {
  const { jump_schemes } = await settingsOver(db);
  const rows = await db
    .select({ live_code_id: live_code.id, name: live_code.name, target_id: live_code_target.id, before: live_code_target.content })
    .from(live_code_target)
    .innerJoin(live_code, eq(live_code.id, live_code_target.live_code_id))
    .where(
      and(
        eq(live_code_target.kind, 'url'),
        sql`strpos(${live_code_target.content}, ${find}) > 0`,
        eq(live_code.removed, false),
        scope.changes(live_code.owner_id),
        ids && isOneOf(live_code.id, ids),
      ),
    )
    .orderBy(asc(live_code.id), asc(live_code_target.id))
    .limit(maxReplaced + 1);
  if (rows.length > maxReplaced) throw invalidField('find', 'too_many_targets');
  return rows.map(({ before, ...row }) => {
    const from = before ?? '';
    const after = from.replaceAll(find, () => replace);
    return { ...row, before: from, after, fault: urlFault(after, jump_schemes) ?? null };
  });
}

const codesIn = (found: readonly TargetReplacement[]): number[] => [...new Set(found.map(({ live_code_id }) => live_code_id))];

export async function findTargets(input: Search, context: Context): Promise<OutputOf<Calls['find_targets']>> {
  const found = await replacements(input, context);
  const valid = found.filter(({ fault }) => fault === null);
  return {
    affected: codesIn(valid).length,
    targets: valid.length,
    refused: found.length - valid.length,
    // What stays as it is comes first: it is what has to be looked at.
    content: [...found.filter(({ fault }) => fault !== null), ...valid].slice(0, shownReplacements),
  };
}

export async function replaceInTargets(input: Search, context: Context): Promise<OutputOf<Calls['replace_targets']>> {
  const { db } = context;
  const codes = codesIn(await replacements(input, context));
  await lockLiveCodes(codes, {}, false, context);
  // Read again now that nobody else can change them.
  const found = codes.length === 0 ? [] : await replacements({ ...input, ids: codes }, context);
  const valid = found.filter(({ fault, before, after }) => fault === null && before !== after);
  const ids = codesIn(valid);
  const { change_id } = await withVersions(context, ids, 'target_changed', async () => {
    if (valid.length === 0) return;
    await db.execute(sql`UPDATE live_code_target SET content = changed.content
      FROM unnest(${sql.param(valid.map(({ target_id }) => target_id))}::bigint[], ${sql.param(valid.map(({ after }) => after))}::text[])
        AS changed (id, content) WHERE live_code_target.id = changed.id`);
    await db.update(live_code).set(nextVersion).where(isOneOf(live_code.id, ids));
  });
  context.audit({ before: { find: input.find }, after: { replace: input.replace, codes: ids.length, targets: valid.length } });
  return {
    affected: ids.length,
    targets: valid.length,
    refused: found.filter(({ fault }) => fault !== null).length,
    change_id,
  };
}

/** In this call the target is one of its own, not one of a list. */
function atTarget(error: unknown): unknown {
  if (!(error instanceof AppError) || !error.details.fields) return error;
  const fields = Object.entries(error.details.fields).map(([path, code]) => [path.replace(/^targets\.0/, 'target'), code] as const);
  const [first] = fields;
  return first ? invalidField(first[0], first[1]) : error;
}

/** Those of these codes that have as many targets as a code may have. */
async function fullCodes(ids: readonly number[], { db }: Context): Promise<Set<number>> {
  const rows = await db
    .select({ id: live_code_target.live_code_id })
    .from(live_code_target)
    .where(isOneOf(live_code_target.live_code_id, ids))
    .groupBy(live_code_target.live_code_id)
    .having(sql`count(*) >= ${maxTargets}`);
  return new Set(rows.map(({ id }) => id));
}

export async function addTargetToMany(
  { ids, target }: ParsedInputOf<Calls['add_target']>,
  context: Context,
): Promise<OutputOf<Calls['add_target']>> {
  const { db } = context;
  const codes = await lockLiveCodes(ids, {}, false, context);
  const [checked] = await checkTargets([target], [], context).catch((error: unknown) => {
    throw atTarget(error);
  });
  const full = await fullCodes(
    codes.map(({ id }) => id),
    context,
  );
  const room = codes.map(({ id }) => id).filter((id) => !full.has(id));
  const { change_id } = await withVersions(context, room, 'target_changed', async () => {
    if (!checked) return;
    // The last target has the lowest rank, which is 1.
    await db.update(live_code_target).set({ sort: sql`sort + 1` }).where(isOneOf(live_code_target.live_code_id, room));
    await insertTargets(
      db,
      room.map((id) => newTarget(checked, id, 1)),
    );
    await db.update(live_code).set(nextVersion).where(isOneOf(live_code.id, room));
  });
  context.audit({ after: { target: checked?.content, codes: room.length } });
  return { affected: room.length, full: codes.length - room.length, change_id };
}

import { eq, sql } from 'drizzle-orm';
import type { qrCodeList } from '../../contract/codes/qr-code-list.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import { startOperation } from '../kit/jobs/operations.ts';
import { user_account } from '../users/users.table.ts';
import { codeAddresses, codeFigures, codeStatistics } from '../visits/visits.public.ts';
import { addAlias, removeAlias, updateAlias, visitsByKey } from './aliases/aliases.ts';
import { changeDomains, changeLiveCodes, changeRemoved, deleteLiveCode, openOnDomain } from './batches/batches.ts';
import { duplicateLiveCode } from './batches/duplicate.ts';
import { addTargetToMany, findTargets, replaceInTargets } from './batches/targets.ts';
import { transferLiveCodes } from './batches/transfer.ts';
import { listLiveCodes, selectLiveCodes } from './list/list.ts';
import { readDetails, readSheet, requireFigures } from './live-codes.public.ts';
import { settingsOver } from './live-codes.settings.ts';
import { addLiveCode, refillLiveCode, updateLiveCode, updateTargetContent } from './live-codes.writes.ts';
import { readShare, sharedView, updateShare } from './sharing/share.settings.ts';
import { openShared } from './sharing/share.ts';
import { simulate, testVisit } from './trial/trial.ts';
import { listVersions } from './versions/history.ts';
import { restoreVersion, undoChange } from './versions/restore.ts';

/** The owner's switch stands apart from the codes' own: opening all again leaves those closed that were closed one by one. */
async function openAll({ open }: { open: boolean }, { db, actor, audit }: Context): Promise<{ open: boolean }> {
  await db.update(user_account).set({ all_codes_open: open, updated_at: sql`now()` }).where(eq(user_account.id, actor.user_id));
  audit({ after: { open } });
  return { open };
}

/** An administrator's own list holds his own codes, though he may see all. */
const ownOf = ({ scope }: Context): { owner_id?: number } => (scope.all ? { owner_id: scope.owner_id } : {});

export const qrCodeListService: Service<typeof qrCodeList> = {
  inquire: (input, context) => listLiveCodes({ ...input, ...ownOf(context) }, false, context),
  user_inquire: (input, context) => listLiveCodes(input, false, context),
  qr_code_remove: (input, context) => listLiveCodes(input, true, context),
  async export({ format, ids, ...filters }, { db, actor, language }) {
    const input = { filters: { filters, ...(ids ? { ids } : {}) }, format };
    return { operation_id: await startOperation(db, { kind: 'code_export', input, actor, language }) };
  },
  sheet: ({ ids }, context) => readSheet(ids, context),
  duplicate: duplicateLiveCode,
  ids: (input, context) => selectLiveCodes({ ...input, ...ownOf(context) }, context),
  user_ids: selectLiveCodes,
  details: ({ id }, context) => readDetails(id, context),
  add: addLiveCode,
  update: updateLiveCode,
  update_password: updateLiveCode,
  share_settings: readShare,
  update_share: updateShare,
  update_url: updateTargetContent,
  refill: refillLiveCode,
  find_targets: findTargets,
  replace_targets: replaceInTargets,
  add_target: addTargetToMany,
  oepn_all_status: openAll,
  change_domain_name: changeDomains,
  batch_update: ({ ids, changes }, context) => changeLiveCodes(ids, changes, context),
  update_open: ({ ids, open }, context) => changeLiveCodes(ids, { open }, context),
  update_open_on_domain: openOnDomain,
  update_restriction_visit: ({ ids, restriction_visit }, context) => changeLiveCodes(ids, { restriction_visit }, context),
  update_open_log: ({ ids, open_log }, context) => changeLiveCodes(ids, { open_log }, context),
  test_visit: testVisit,
  simulate,
  add_alias: addAlias,
  update_alias: updateAlias,
  remove_alias: removeAlias,
  visits_by_key: visitsByKey,
  update_remove: changeRemoved,
  remove: deleteLiveCode,

  transfer: transferLiveCodes,
  versions: listVersions,
  restore_version: restoreVersion,
  undo: undoChange,

  async get_ip(input, context) {
    await requireFigures(input.id, context);
    return codeAddresses(context.db, input);
  },

  async statistics(input, context) {
    await requireFigures(input.id, context);
    const { time_zone } = await settingsOver(context.db);
    return codeStatistics(context.db, input, { now: context.now, time_zone });
  },

  async figures({ id }, context) {
    await requireFigures(id, context);
    const { time_zone } = await settingsOver(context.db);
    return codeFigures(context.db, id, { now: context.now, time_zone });
  },

  async share_access({ file_name, password }, context) {
    const code = await openShared(file_name, password, context);
    const { time_zone } = await settingsOver(context.db);
    return sharedView(context.db, code, { now: context.now, time_zone });
  },
};

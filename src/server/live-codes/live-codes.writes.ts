import { randomInt } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import type { LiveCodeDetails, TargetInput } from '../../contract/codes/live-code.ts';
import type { qrCodeList } from '../../contract/codes/qr-code-list.ts';
import type { ParsedInputOf } from '../../contract/kit/call.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField, mapUniqueViolation, notFound } from '../kit/calls/errors.ts';
import { translate } from '../kit/messages/messages.ts';
import type { Database } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { refuseOverQuota } from '../orders/quotas.public.ts';
import { lockCode } from './batches/batches.ts';
import { chosenDesign } from './designs/designs.reads.ts';
import { nameAfter } from './live-codes.names.ts';
import { readDetails } from './live-codes.public.ts';
import {
  checkDomains,
  checkFallback,
  checkFileName,
  checkGroup,
  checkTargets,
  type DomainChoice,
  refuseCodesOverQuota,
  refuseFrozen,
  withDefaultDomains,
} from './live-codes.rules.ts';
import { checkSnippets, chooseSnippets, type StoredCode } from './live-codes.snippets.ts';
import { contentColumns, live_code, live_code_target } from './live-codes.table.ts';
import { refillTargets, replaceTargets, type StoredTarget, storedTargets } from './live-codes.targets.ts';
import { hashSharePassword } from './sharing/share.ts';
import { nextVersion, recordVersions, withVersions } from './versions/versions.ts';

type Calls = (typeof qrCodeList)['calls'];
type NewCode = typeof live_code.$inferInsert;
type CodeInput = Omit<NewCode, 'file_name'> & { file_name?: string; js_config_ids?: readonly number[] };

// Without the characters that are easily taken for each other: these names are read off printed codes and typed.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
/** A key of eight characters; whether it is free the unique constraint says. */
export const newFileName = (): string => Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('');
const fileNameTries = 10;
/** By another code, or as a further key of one. */
const keyTaken = mapUniqueViolation({ live_code_file_name_key: 'file_name', live_code_key_key_key: 'file_name' });

/** Inserts the code under its file name or, without one, under a generated one that is free; the unique constraint decides. */
export async function insertCode({ js_config_ids = [], ...values }: CodeInput, db: Database): Promise<number> {
  for (let attempt = 1; attempt <= fileNameTries; attempt++) {
    const [added] = await db
      .insert(live_code)
      .values({ ...values, file_name: values.file_name ?? newFileName() })
      .onConflictDoNothing({ target: live_code.file_name })
      .returning({ id: live_code.id })
      .catch(keyTaken);
    if (added) {
      await refuseOverQuota(db, values.owner_id, 'live_codes', 1);
      if (js_config_ids.length > 0) await chooseSnippets(db, [{ id: added.id, js_config_ids }]);
      return added.id;
    }
    if (values.file_name) throw invalidField('file_name', 'taken');
  }
  throw new Error(`no free file name in ${fileNameTries} tries`);
}

export async function addLiveCode(
  { targets, password, ...fields }: ParsedInputOf<Calls['add']>,
  context: Context,
): Promise<LiveCodeDetails> {
  const { db, scope } = context;
  if (fields.file_name) checkFileName(fields.file_name);
  await checkFallback(fields.fallback_url, db);
  const checked = await checkTargets(targets, [], context);
  await checkDomains(fields, [scope.owner_id], db);
  await checkGroup(fields.group_id, [scope.owner_id], db);
  await checkSnippets(fields.js_config_ids, scope.owner_id, db);
  const domains = await withDefaultDomains(fields, scope.owner_id, db);
  const [first] = checked;
  const name = fields.name || (first ? await nameAfter(first, db) : '');
  const qr_design = await chosenDesign(db, scope.owner_id);
  const id = await insertCode({ qr_design, ...fields, ...domains, name, owner_id: scope.owner_id }, db);
  if (name === '') await nameByKey(id, context);
  await replaceTargets(db, id, checked, []);
  if (password)
    await db
      .update(live_code)
      .set(await passwordChange(id, password, db))
      .where(eq(live_code.id, id));
  await recordVersions(context, [id], 'created');
  const details = await readDetails(id, context);
  context.audit({ after: { id, file_name: details.file_name, ...domains } });
  return details;
}

/** Names a code by the key that was made for it. */
async function nameByKey(id: number, { db, language }: Context): Promise<void> {
  const [code] = await db.select({ file_name: live_code.file_name }).from(live_code).where(eq(live_code.id, id));
  const name = translate(language, 'qr_code.unnamed', { file_name: code?.file_name ?? '' });
  await db.update(live_code).set({ name }).where(eq(live_code.id, id));
}

const passwordChange = async (id: number, password: string | null | undefined, db: Database): Promise<Partial<NewCode>> =>
  password === undefined ? {} : { share_password_hash: password === null ? null : await hashSharePassword(id, password, db) };

/** Locks a code that the caller may change: 404 where there is none, 409 where it lies in the recycle bin or is beyond its owner's quota. */
export async function lockLiveCode(id: number, context: Context): Promise<StoredCode> {
  const code = await lockCode(id, context);
  if (code.removed) throw new AppError(409, 'live_code.removed');
  await refuseCodesOverQuota([id], context);
  return code;
}

export async function updateLiveCode(
  { id, version, targets, password, js_config_ids, ...fields }: ParsedInputOf<Calls['update']>,
  context: Context,
): Promise<LiveCodeDetails> {
  const { db } = context;
  const code = await lockLiveCode(id, context);
  if (version !== undefined && version !== code.version) throw new AppError(409, 'live_code.changed_meanwhile');
  if (fields.file_name && fields.file_name !== code.file_name) {
    // Its address stays frozen, too: under another name the old one would be free.
    await refuseFrozen([id], context);
    checkFileName(fields.file_name);
  }
  if (fields.fallback_url !== code.fallback_url) await checkFallback(fields.fallback_url, db);
  await checkDomains(changedDomains(fields, code), [code.owner_id], db);
  if (fields.group_id !== code.group_id) await checkGroup(fields.group_id, [code.owner_id], db);
  await checkSnippets(js_config_ids, code.owner_id, db);
  await withVersions(context, [id], 'changed', async () => {
    const [after] = await db
      .update(live_code)
      .set({ ...fields, ...(await passwordChange(id, password, db)), ...nextVersion })
      .where(eq(live_code.id, id))
      .returning()
      .catch(keyTaken);
    if (!after) throw notFound();
    if (js_config_ids) await chooseSnippets(db, [{ id, js_config_ids }]);
    const replaced = targets && (await changeTargets(id, targets, context));
    const stored = { ...after, js_config_ids: js_config_ids ?? code.js_config_ids };
    context.audit(changesBetween(audited(code, replaced?.before), audited(stored, replaced?.after)));
  });
  return readDetails(id, context);
}

/** Only a domain that is put on now must be usable: one that was switched off since doesn't keep other changes from being saved. */
function changedDomains(chosen: DomainChoice, present: StoredCode): DomainChoice {
  const { entry_domain_id, landing_domain_id } = chosen;
  return {
    ...(entry_domain_id === present.entry_domain_id ? {} : { entry_domain_id }),
    ...(landing_domain_id === present.landing_domain_id ? {} : { landing_domain_id }),
  };
}

async function changeTargets(id: number, targets: readonly TargetInput[], context: Context) {
  const before = await storedTargets(context.db, [id]);
  const after = await replaceTargets(context.db, id, await checkTargets(targets, before, context), before);
  return { before, after };
}

/** What an audit row tells of a code: not its password, and of a QR design, which may hold a whole logo, only its size. */
function audited(
  { share_password_hash, qr_design, qr_look, updated_at, version, ...code }: StoredCode,
  targets: StoredTarget[] | undefined,
) {
  const has_password = share_password_hash !== null;
  const design = qr_design ? { characters: JSON.stringify(qr_design).length } : null;
  return { ...code, has_password, qr_design: design, ...(targets ? { targets } : {}) };
}

export async function updateTargetContent(
  { id, target_id, content }: ParsedInputOf<Calls['update_url']>,
  context: Context,
): Promise<LiveCodeDetails> {
  const { db } = context;
  await lockLiveCode(id, context);
  const target = (await storedTargets(db, [id])).find((stored) => stored.id === target_id);
  if (!target) throw notFound();
  const { kind } = target;
  const [checked] = await checkTargets([{ id: target_id, kind, content }], [target], context).catch((error: unknown) => {
    throw atContent(error);
  });
  await withVersions(context, [id], 'target_changed', async () => {
    if (checked) await db.update(live_code_target).set(contentColumns(kind, checked.content)).where(eq(live_code_target.id, target_id));
    await db.update(live_code).set(nextVersion).where(eq(live_code.id, id));
  });
  context.audit({ before: { content: target.content }, after: { content: checked?.content } });
  return readDetails(id, context);
}

/** In this call the content is a field of its own, not one of a list of targets. */
function atContent(error: unknown): unknown {
  const fault = error instanceof AppError ? error.details.fields?.['targets.0.content'] : undefined;
  return fault ? invalidField('content', fault) : error;
}

export async function refillLiveCode({ id, target_id }: ParsedInputOf<Calls['refill']>, context: Context): Promise<LiveCodeDetails> {
  const { db } = context;
  await lockLiveCode(id, context);
  const ofCode = and(eq(live_code_target.id, target_id ?? 0), eq(live_code_target.live_code_id, id));
  if (target_id !== undefined && (await db.$count(live_code_target, ofCode)) === 0) throw notFound();
  await refillTargets(db, id, target_id);
  return readDetails(id, context);
}

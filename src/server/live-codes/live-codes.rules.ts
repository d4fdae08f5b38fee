import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { TargetInput } from '../../contract/codes/live-code.ts';
import type { QrKind } from '../../contract/codes/qr-kind.ts';
import { domainType, type domainTypes } from '../../contract/enums.ts';
import { isHealthy, leadsHere, usableBy } from '../domains/domains.public.ts';
import { domain, domain_check } from '../domains/domains.table.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { isOneOf } from '../kit/rows/list.ts';
import { reservedFileNames } from '../kit/visits/visit-paths.ts';
import { codesOverQuota } from '../orders/over-quota.public.ts';
import { file } from '../uploads/uploads.table.ts';
import { settingsOver } from './live-codes.settings.ts';
import { live_code } from './live-codes.table.ts';

export type DomainChoice = { entry_domain_id?: number | null; landing_domain_id?: number | null };
const domainUses = [
  ['entry_domain_id', domainType.entry],
  ['landing_domain_id', domainType.landing],
] as const;

/**
 * 400 unless each chosen domain is enabled, of the right type, and the platform's or held by every owner of the codes it goes on.
 * The domains stay locked against change until the transaction ends.
 */
export async function checkDomains(choice: DomainChoice, owner_ids: readonly number[], db: Database): Promise<void> {
  for (const [field, type] of domainUses) {
    const id = choice[field];
    if (id === undefined || id === null) continue;
    const [found] = await db
      .select({ holder_id: domain.holder_id })
      .from(domain)
      .where(and(eq(domain.id, id), eq(domain.type, type), eq(domain.enabled, true), isNull(domain.frozen_at)))
      .for('share');
    const isUsable = found && (found.holder_id === null || owner_ids.every((owner) => owner === found.holder_id));
    if (!isUsable) throw invalidField(field, 'unknown_domain');
  }
}

/** The owner's first healthy domain of each type that isn't chosen, else the platform's; null where there is none. Of those that lead elsewhere only where no other is left. */
export async function withDefaultDomains(choice: DomainChoice, owner_id: number, db: Database): Promise<Required<DomainChoice>> {
  const firstOf = async (type: (typeof domainTypes)[number]): Promise<number | null> => {
    const [found] = await db
      .select({ id: domain.id })
      .from(domain)
      .leftJoin(domain_check, eq(domain_check.domain_id, domain.id))
      .where(and(usableBy(owner_id), eq(domain.type, type), isHealthy))
      .orderBy(desc(leadsHere), sql`${domain.holder_id} IS NULL`, asc(domain.id))
      .limit(1)
      .for('share', { of: domain });
    return found?.id ?? null;
  };
  const { entry_domain_id, landing_domain_id } = choice;
  return {
    entry_domain_id: entry_domain_id === undefined ? await firstOf(domainType.entry) : entry_domain_id,
    landing_domain_id: landing_domain_id === undefined ? await firstOf(domainType.landing) : landing_domain_id,
  };
}

export function checkFileName(file_name: string, path = 'file_name'): void {
  if (reservedFileNames.includes(file_name)) throw invalidField(path, 'reserved');
}

const maxUrlLength = 4096;

/** What is wrong with an address that visitors are sent to; undefined where nothing is. */
export function urlFault(url: string, schemes: readonly string[]): 'too_long' | 'invalid_url' | 'invalid_scheme' | undefined {
  if (url.length > maxUrlLength) return 'too_long';
  const [, scheme, rest = ''] = /^([a-z][a-z0-9+.-]*):([^\s\p{Cc}]+)$/iu.exec(url) ?? [];
  if (!scheme) return 'invalid_url';
  const isWeb = /^https?$/i.test(scheme);
  if (isWeb) return /^\/\/[^/\\?#]/.test(rest) && URL.canParse(url) ? undefined : 'invalid_url';
  return schemes.includes(scheme.toLowerCase()) ? undefined : 'invalid_scheme';
}

export async function checkFallback(url: string | null | undefined, db: Database, path = 'fallback_url'): Promise<void> {
  const fault = url ? urlFault(url, (await settingsOver(db)).jump_schemes) : undefined;
  if (fault) throw invalidField(path, fault);
}

/** 400 unless the group is one of every owner of the codes that go into it; it stays until the transaction ends. */
export async function checkGroup(
  group_id: number | null | undefined,
  owner_ids: readonly number[],
  db: Database,
  path = 'group_id',
): Promise<void> {
  if (group_id === undefined || group_id === null) return;
  const { rows } = await db.execute<{ owner_id: number | null }>(sql`SELECT owner_id FROM code_group WHERE id = ${group_id} FOR KEY SHARE`);
  const [found] = rows;
  if (!found || owner_ids.some((owner) => owner !== found.owner_id)) throw invalidField(path, 'unknown_group');
}

type Present = { id: number; kind: string; content: string; any_picture: boolean };

/** 409 where an administrator froze one of these codes and the caller is none. */
export async function refuseFrozen(ids: readonly number[], { db, scope }: Context): Promise<void> {
  if (scope.all) return;
  const [frozen] = await db
    .select({ name: live_code.name })
    .from(live_code)
    .where(and(isOneOf(live_code.id, ids), isNotNull(live_code.frozen_at)))
    .limit(1);
  if (frozen) throw new AppError(409, 'live_code.frozen', { params: { name: frozen.name } });
}

/** 409 where one of these codes is beyond its owner's quota and the caller is no administrator: it answers as it is, and waits for changes. */
export async function refuseCodesOverQuota(ids: readonly number[], { db, scope }: Context): Promise<void> {
  if (scope.all || ids.length === 0) return;
  const codes = await db
    .select({ id: live_code.id, name: live_code.name, owner_id: live_code.owner_id })
    .from(live_code)
    .where(isOneOf(live_code.id, ids));
  const beyond = await codesOverQuota(
    db,
    codes.map(({ owner_id }) => owner_id),
  );
  const refused = codes.find(({ id }) => beyond.has(id));
  if (refused) throw new AppError(409, 'live_code.over_quota', { params: { name: refused.name } });
}

/**
 * The targets as they are stored. Every id must be one of `present`, once; what a new or changed one leads to must be allowed to the
 * caller. An unchanged one is left alone: a scheme that was taken off the list, or a picture an administrator put there, blocks no form.
 * @throws AppError 400 with the path of every fault, such as `targets.0.content`
 */
export async function checkTargets(targets: readonly TargetInput[], present: readonly Present[], context: Context): Promise<TargetInput[]> {
  const { jump_schemes } = await settingsOver(context.db);
  const presentById = new Map(present.map((target) => [target.id, target]));
  const trimmed = targets.map((target) => (target.kind === 'text' ? target : { ...target, content: target.content.trim() }));
  const isUnchanged = ({ id, kind, content }: TargetInput): boolean => {
    const before = id === undefined ? undefined : presentById.get(id);
    return before?.kind === kind && before.content === content;
  };
  const wasAnyPicture = ({ id }: TargetInput): boolean => presentById.get(id ?? 0)?.any_picture ?? false;
  const mustHoldCode = (target: TargetInput): boolean => !(target.any_picture ?? wasAnyPicture(target));
  const pictures = await readPictures(
    trimmed.flatMap((target) => (target.kind === 'picture' ? target.content : [])),
    context,
  );
  const pictureFault = (target: TargetInput): string | undefined => {
    const picture = pictures.get(target.content);
    if (!isUnchanged(target) && !picture?.is_usable) return 'unknown_file';
    const isAskedAnew = !isUnchanged(target) || wasAnyPicture(target);
    return picture?.qr_kind === 'none' && isAskedAnew && mustHoldCode(target) ? 'no_qr_code' : undefined;
  };
  const contentFault = (target: TargetInput): string | undefined => {
    if (target.content.trim() === '') return 'required';
    if (target.kind === 'picture') return pictureFault(target);
    return isUnchanged(target) || target.kind === 'text' ? undefined : urlFault(target.content, jump_schemes);
  };

  const fields: Record<string, string> = {};
  const seen = new Set<number>();
  trimmed.forEach((target, index) => {
    if (target.id !== undefined) {
      if (!presentById.has(target.id)) fields[`targets.${index}.id`] = 'unknown_target';
      else if (seen.has(target.id)) fields[`targets.${index}.id`] = 'repeated';
      seen.add(target.id);
    }
    const fault = contentFault(target);
    if (fault) fields[`targets.${index}.content`] = fault;
  });
  if (Object.keys(fields).length > 0) throw new AppError(400, 'input.invalid', { fields });
  return trimmed;
}

type FoundPicture = { is_usable: boolean; qr_kind: QrKind | null };

/** The pictures that these texts name by their ids. Usable are those the caller uploaded; an administrator may use any. */
async function readPictures(texts: readonly string[], { db, scope }: Context): Promise<Map<string, FoundPicture>> {
  const ids = texts.filter((text) => /^[1-9]\d{0,14}$/.test(text)).map(Number);
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ id: file.id, is_usable: sql<boolean>`${scope.changes(file.owner_id) ?? sql`true`}`, qr_kind: file.qr_kind })
    .from(file)
    .where(isOneOf(file.id, ids))
    .for('key share');
  return new Map(found.map(({ id, ...picture }) => [String(id), picture]));
}

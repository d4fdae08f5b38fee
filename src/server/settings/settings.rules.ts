import { eq, inArray, sql } from 'drizzle-orm';
import { type RoleKind, showStatus } from '../../contract/enums.ts';
import { type FieldIssue, fieldIssues } from '../../contract/kit/issues.ts';
import { type SettingKey, settingKeys, settings } from '../../contract/settings.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import type { Database } from '../kit/postgres/database.ts';
import { changesBetween } from '../kit/rows/changes.ts';
import { language } from '../languages/languages.table.ts';
import { setting } from './settings.table.ts';

/** Some settings can make the whole site unsafe: only a super administrator sees those. */
export const maySee = (key: SettingKey, kind: RoleKind): boolean => settings[key].audience !== 'super' || kind === 'super';

export const visibleKeys = (kind: RoleKind): SettingKey[] => settingKeys.filter((key) => maySee(key, kind));

/** The values as their schemas give them back; 400 with what is wrong field by field. A setting that the caller may not see is unknown. */
export function checkedValues(values: Record<string, unknown>, kind: RoleKind): [SettingKey, unknown][] {
  const issues: FieldIssue[] = [];
  const checked = Object.entries(values).map(([key, value]): [SettingKey, unknown] => {
    const known = visibleKeys(kind).find((own) => own === key);
    const parsed = known && settings[known].schema.safeParse(value);
    if (!parsed) issues.push({ path: `values.${key}`, code: 'unknown', params: {} });
    else if (!parsed.success) {
      for (const issue of fieldIssues(parsed.error)) issues.push({ ...issue, path: ['values', key, issue.path].filter(Boolean).join('.') });
    }
    return [key as SettingKey, parsed?.data];
  });
  if (issues.length > 0) throw new AppError(400, 'input.invalid', { issues });
  return checked;
}

/** Stores values that were checked, and tells the log what they were before. */
export async function storeSettings(context: Context, values: readonly (readonly [SettingKey, unknown])[]): Promise<void> {
  await auditedChange(
    context,
    values.map(([key]) => key),
    async () => {
      if (values.length === 0) return;
      const rows = values.map(([key, value]) => ({ key, value: sql`${JSON.stringify(value)}::jsonb`, updated_by: context.actor.user_id }));
      await context.db
        .insert(setting)
        .values(rows)
        .onConflictDoUpdate({
          target: setting.key,
          set: { value: sql`excluded.value`, updated_by: sql`excluded.updated_by`, updated_at: sql`now()` },
          setWhere: sql`${setting.value} <> excluded.value`,
        });
    },
  );
}

export async function forgetSettings(context: Context, keys: readonly SettingKey[]): Promise<void> {
  const hidden = keys.findIndex((key) => !maySee(key, context.actor.role.kind));
  if (hidden >= 0) throw new AppError(400, 'input.invalid', { fields: { [`keys.${hidden}`]: 'unknown' } });
  await auditedChange(context, keys, async () => {
    await context.db.delete(setting).where(inArray(setting.key, [...keys]));
  });
}

/** The site's own language is one that it offers; a call that hides one waits for the same lock. */
async function refuseHidden(db: Database, code: string): Promise<void> {
  const [found] = await db.select({ show_status: language.show_status }).from(language).where(eq(language.code, code));
  if (found?.show_status !== showStatus.shown) throw invalidField('values.default_language', 'language_hidden');
}

/** One change at a time, so that the log tells exactly what this one did. */
async function auditedChange({ db, audit }: Context, keys: readonly SettingKey[], change: () => Promise<void>): Promise<void> {
  const look = async () => {
    const rows = await db
      .select()
      .from(setting)
      .where(inArray(setting.key, [...keys]));
    const stored = new Map(rows.map((row) => [row.key, row.value]));
    return Object.fromEntries(keys.map((key) => [key, stored.has(key) ? stored.get(key) : settings[key].default]));
  };
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtext('livecode settings'))`);
  const before = await look();
  await change();
  const after = await look();
  if ('default_language' in after) await refuseHidden(db, String(after.default_language));
  audit(changesBetween(before, after));
}

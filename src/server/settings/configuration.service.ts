import { eq } from 'drizzle-orm';
import { type SettingKey, settingShape, settings, settingsOf } from '../../contract/settings.ts';
import type { configuration, SettingRow, subscriberConfigDefault } from '../../contract/system/configuration.ts';
import type { Context, Service } from '../kit/calls/context.ts';
import type { Database } from '../kit/postgres/database.ts';
import { user_account } from '../users/users.table.ts';
import { checkedValues, forgetSettings, storeSettings, visibleKeys } from './settings.rules.ts';
import { setting } from './settings.table.ts';

// A schema never changes while the server runs.
const shapes = new Map<SettingKey, ReturnType<typeof settingShape>>();

function shapeOf(key: SettingKey): ReturnType<typeof settingShape> {
  const shape = shapes.get(key) ?? settingShape(key);
  shapes.set(key, shape);
  return shape;
}

async function rowsOf({ db, actor }: Context, keys = visibleKeys(actor.role.kind)): Promise<{ content: SettingRow[] }> {
  const stored = await db
    .select({ key: setting.key, value: setting.value, at: setting.updated_at, by: setting.updated_by, account: user_account.account })
    .from(setting)
    .leftJoin(user_account, eq(user_account.id, setting.updated_by));
  const values = settingsOf(stored);
  const content = keys.map((key): SettingRow => {
    const { group, audience, default: fallback } = settings[key];
    const row = stored.find((found) => found.key === key);
    const changed = { updated_at: row?.at ?? null, updated_by: row?.by ?? null, updated_by_account: row?.account ?? null };
    // Every value and schema came out of JSON; their TypeScript types are narrower than the contract's.
    return { key, group, audience, ...shapeOf(key), value: values[key], default: fallback, ...changed } as SettingRow;
  });
  return { content };
}

export const configurationService: Service<typeof configuration> = {
  inquire: (_input, context) => rowsOf(context),

  async update({ values }, context) {
    const checked = checkedValues(values, context.actor.role.kind);
    await storeSettings(context, checked);
    return rowsOf(
      context,
      checked.map(([key]) => key),
    );
  },

  async reset({ keys }, context) {
    await forgetSettings(context, keys);
    return rowsOf(context, keys);
  },
};

async function userDefaults(db: Database) {
  const values = settingsOf(await db.select({ key: setting.key, value: setting.value }).from(setting));
  const { default_share_ratio, online_detection, login_failure_limit, login_failure_minutes, admin_register, no_registration_hint } =
    values;
  return { default_share_ratio, online_detection, login_failure_limit, login_failure_minutes, admin_register, no_registration_hint };
}

export const subscriberConfigDefaultService: Service<typeof subscriberConfigDefault> = {
  inquire: (_input, { db }) => userDefaults(db),

  async update(input, context) {
    await storeSettings(context, Object.entries(input) as [SettingKey, unknown][]);
    return userDefaults(context.db);
  },
};

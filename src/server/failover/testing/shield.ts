import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ShieldRule } from '../../../contract/detection/shield-configuration.ts';
import { createTestApp, type TestApp, type TestUser } from '../../kit/testing/app.ts';
import { addCode, addHealthy, markBlocked, markHealthy, workOff } from './failover.ts';

export let test_app: TestApp;
export let administrator: TestUser;
export let owner: TestUser;
export let stranger: TestUser;

/** An app for the tests of a file, with new users, an empty pool and an hour of its own for each. */
export function prepareShield(): void {
  beforeAll(async () => {
    test_app = await createTestApp();
    administrator = await test_app.makeUser('super');
  });
  afterAll(() => test_app.close());
  beforeEach(async () => {
    [owner, stranger] = [await test_app.makeUser('customer'), await test_app.makeUser('customer')];
    // Each test has a pool of its own, and its hour.
    await test_app.db.execute(sql`UPDATE domain SET enabled = false WHERE holder_id IS NULL`);
    await test_app.db.execute(sql`UPDATE domain_incident SET ended_at = now(), handling = 'over' WHERE ended_at IS NULL`);
    await test_app.db.execute(sql`UPDATE failover SET started_at = NULL`);
  });
}

export const add = (as: TestUser, type: 1 | 2 | 3 = 1) => addHealthy(test_app, as, type);
export const addToPool = (type: 1 | 2 | 3 = 1) => addHealthy(test_app, administrator, type, { holder_id: null });
export const code = (as: TestUser, entry_domain_id: number) => addCode(test_app, as, { entry_domain_id });
export const block = (...domains: { id: number }[]) =>
  markBlocked(
    test_app.db,
    domains.map(({ id }) => id),
  );
export const heal = (...domains: { id: number }[]) =>
  markHealthy(
    test_app.db,
    domains.map(({ id }) => id),
  );
export const work = () => workOff(test_app.db);
export const retryDue = () => test_app.db.execute(sql`UPDATE domain_incident SET next_attempt_at = now()`);
export const details = async (as: TestUser, { id }: { id: number }) => (await test_app.call(as, 'qr_code_list', 'details', { id })).body;
export const domainOf = async (as: TestUser, of: { id: number }) => (await details(as, of)).entry_domain_id;
export const logOf = async (as: TestUser, domain_id?: number) =>
  (await test_app.call(as, 'shield_configuration', 'inquire', domain_id === undefined ? {} : { domain_id })).body.content;
export const eventsOf = async (user: TestUser, type: string) =>
  (
    await test_app.db.execute<{ data: Record<string, unknown> }>(
      sql`SELECT data FROM event WHERE owner_id = ${user.id} AND type = ${type} ORDER BY id`,
    )
  ).rows.map(({ data }) => data);
export const preview = (as: TestUser, domain_id: number) => test_app.call(as, 'shield_configuration', 'preview', { domain_id });

export const rule = {
  enabled: true,
  replace_own: true,
  replace_pool: true,
  otherwise: 'wait',
  max_per_hour: 20,
  checked_minutes: 30,
  low_water: 1,
} as const;
type RuleFields = Partial<Omit<ShieldRule, 'scope' | 'type'>>;
export const setRule = (as: TestUser, fields: RuleFields, { scope = 'own', type = 1 }: Partial<Pick<ShieldRule, 'scope' | 'type'>> = {}) =>
  test_app.send(as, 'shield_configuration/update', { scope, type, ...rule, ...fields });

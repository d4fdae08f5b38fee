import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../contract/api.ts';
import type { Call, Group } from '../contract/kit/call.ts';
import { screens } from '../contract/permissions.ts';
import { createTestApp, type TestApp, type TestUser } from './kit/testing/app.ts';
import { type Claim, claims, namesOfOthers, ofBots, shownToAll, testedApart } from './kit/testing/owned-claims.ts';
import { type MakeRows, ofTheOwner, type Rows, rowsOf } from './kit/testing/owned-rows.ts';

let test_app: TestApp;
/** The superior of the owner: sees what is the owner's, and changes nothing. */
let agent: TestUser;
let owner: TestUser;
let strangers: readonly TestUser[];
let administrators: readonly TestUser[];
/** Rows that nobody of this test may change. */
let kept: Rows;
let makeRows: MakeRows;
beforeAll(async () => {
  test_app = await createTestApp({ heldMilliseconds: 1000 });
  agent = await test_app.makeUser('agent');
  owner = await test_app.makeUser('customer', { superior_id: agent.id });
  const colleague = await test_app.makeUser('customer', { superior_id: agent.id });
  // Below the owner: who is invited by somebody sees nothing of him.
  const below = await test_app.makeUser('customer', { superior_id: owner.id });
  strangers = [colleague, below, await test_app.makeUser('customer'), await test_app.makeUser('agent')];
  const first = await test_app.makeUser('super');
  administrators = [first, await test_app.makeUser('administrator')];
  makeRows = rowsOf(test_app, owner, first);
  kept = await makeRows();
});
afterAll(() => test_app.close());

const ofCustomers: ReadonlySet<string> = new Set(
  screens
    .filter(({ audience }) => audience.includes('C') || audience.includes('G'))
    .flatMap(({ path, buttons, administratorButtons = [] }) => [
      path,
      ...buttons.filter((button) => !administratorButtons.includes(button)).map((button) => `${path}.${button}`),
    ]),
);
const isOfCustomers = ({ access }: Call): boolean =>
  access.kind === 'login' || (access.kind === 'nodes' && access.nodes.some((node) => ofCustomers.has(node)));
const namesRows = ({ input }: Call): boolean => Object.keys(input.shape).some((key) => /(^|_)ids?$/.test(key));
const paths = Object.values(groups as Record<string, Group>).flatMap((group) =>
  Object.entries(group.calls)
    .filter(([, call]) => isOfCustomers(call) && namesRows(call))
    .map(([action]) => `${group.name}/${action}`),
);

const tables = [
  'live_code',
  'live_code_key',
  'live_code_target',
  'short_code',
  'live_code_version',
  'code_group',
  'forward',
  'visit_source',
  'visit_source_rule',
  'access_clearing',
  'target_quota',
  'domain',
  'domain_incident',
  'domain_replacement',
  'shield_rule',
  'site_message_view',
  'session',
  'async_operation',
  'api_token',
  'webhook',
  'webhook_delivery',
  'push_channel',
  'push_rule',
  'push_rule_channel',
  'push',
  'push_delivery',
  'js_config',
  'file',
  'qr_design',
  'list_view',
  'visit_note',
  'visit_rule',
  'visit_digest',
  'visit_digest_channel',
  'own_device',
  'own_address',
  'domain_monitor',
  'block_check',
  'block_check_url',
  'telegram_chat',
  'telegram_code',
  'user_account',
];
/** What every call of somebody's changes of his own. */
const told: Partial<Record<string, readonly string[]>> = { session: ['used_at', 'expires_at'], api_token: ['used_at'] };
/** All rows of the tables in one statement, as a sum for each. */
const sums = sql.join(
  tables.map(
    (table) => sql`
      SELECT ${table}::text AS name, md5(coalesce(string_agg(line, E'\\n' ORDER BY line), '')) AS state
      FROM (SELECT (to_jsonb(t) - ${sql.param(told[table] ?? [])}::text[])::text AS line FROM ${sql.identifier(table)} t) AS lines`,
  ),
  sql` UNION ALL `,
);
const everything = async (): Promise<unknown> =>
  (await test_app.db.execute(sql`SELECT name, state FROM (${sums}) AS sums ORDER BY name`)).rows;

type Reply = { status: number; body: Record<string, unknown> };
/** Whether the call did, or told, something about the row. */
const isAbout = ({ status, body }: Reply): boolean => status === 200 && body.affected !== 0;

test('every call of customers and agents that names a row has a claim', () => {
  expect([...Object.keys(claims), ...shownToAll, ...ofBots, ...namesOfOthers, ...testedApart].sort()).toEqual([...paths].sort());
});

const named = Object.entries(claims);

describe('those who may not change a row of a customer', () => {
  type Attempt = { path: string; by: TestUser | undefined; input: Claim['input'] };
  const made: Attempt[] = [];
  let before: unknown;
  beforeAll(async () => {
    before = await everything();
  });

  function attempt(by: TestUser | undefined, path: string, input: Claim['input']): Promise<Reply> {
    made.push({ path, by, input });
    return test_app.send(by, path, input(kept));
  }

  test.each(named)('%s answers 401 to nobody', async (path, { input }) => {
    expect((await attempt(undefined, path, input)).status).toBe(401);
  });

  test.each(named)('%s tells nothing to customers and agents whom he has nothing to do with', async (path, { input, reads }) => {
    for (const stranger of strangers) {
      const answer = await attempt(stranger, path, input);
      expect([200, 400, 403, 404]).toContain(answer.status);
      if (!reads) expect(isAbout(answer)).toBe(false);
      expect(JSON.stringify(answer.body)).not.toContain(ofTheOwner);
    }
  });

  test.each(named)('%s answers the agent who invited him where it reads, and only there', async (path, { input, reads = false }) => {
    expect(isAbout(await attempt(agent, path, input))).toBe(reads);
  });

  const withoutChange = named.filter(([, { reads, personal }]) => reads || personal);
  test.each(withoutChange)('%s answers administrators where it reads, and only there', async (path, { input, personal = false }) => {
    for (const administrator of administrators) {
      const answer = await attempt(administrator, path, input);
      expect(isAbout(answer)).toBe(!personal && answer.status !== 403);
    }
  });

  test('changed nothing by any of it', async () => {
    const after = await everything();
    if (isDeepStrictEqual(after, before)) return;
    // Which of them it was is found out by making each again, on rows of its own.
    const guilty: string[] = [];
    for (const { path, by, input } of made) {
      const rows = await makeRows(input);
      const earlier = await everything();
      await test_app.send(by, path, input(rows));
      if (!isDeepStrictEqual(await everything(), earlier)) guilty.push(`${path} by ${by?.account ?? 'nobody'}`);
    }
    expect(after, `changed by ${guilty.join(', ') || 'none of them alone'}`).toEqual(before);
  });
});

test.each(named)('%s works for the owner of the row', async (path, { input, reads = false }) => {
  const own = await test_app.send(owner, path, input(reads ? kept : await makeRows(input)));
  expect([path, own.status, isAbout(own)]).toEqual([path, 200, true]);
});

const changing = named.filter(([, { reads, personal }]) => !reads && !personal);
test.each(changing)('%s works for administrators who have the right', { tags: 'full' }, async (path, { input }) => {
  for (const administrator of administrators) {
    const answer = await test_app.send(administrator, path, input(await makeRows(input)));
    if (answer.status === 403) expect(isAbout(answer)).toBe(false);
    else expect([answer.status, isAbout(answer)]).toEqual([200, true]);
  }
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { groups } from '../contract/api.ts';
import { roleKinds } from '../contract/enums.ts';
import type { Call, Group } from '../contract/kit/call.ts';
import { createTestApp, type TestApp, type TestUser } from './kit/testing/app.ts';

const calls = Object.values(groups as Record<string, Group>).flatMap((group) =>
  Object.entries(group.calls).map(([action, call]) => ({ path: `${group.name}/${action}`, call: call as Call })),
);

let test_app: TestApp;
beforeAll(async () => {
  test_app = await createTestApp();
});
afterAll(() => test_app.close());

/** Access is decided before the input is read; an unknown field keeps a call that may be made from doing anything. */
const statusOf = async (as: TestUser | undefined, path: string) => (await test_app.send(as, path, { surely_unknown: 1 })).status;

async function giveExactly(user: TestUser, kind: string, keys: readonly string[]): Promise<void> {
  const { rows } = await test_app.db.execute<{ id: number }>(
    sql`INSERT INTO role (name, kind) VALUES (${crypto.randomUUID()}, ${kind}) RETURNING id`,
  );
  const id = rows[0]?.id;
  await test_app.db.execute(
    sql`INSERT INTO role_node SELECT ${id}, id FROM permission_node WHERE key = ANY(${sql.param([...keys])}::text[])`,
  );
  await test_app.db.execute(sql`UPDATE user_account SET role_id = ${id} WHERE id = ${user.id}`);
}

describe.each(roleKinds)('the role %s of the first start', (kind) => {
  test('may make exactly the calls that its nodes allow', async () => {
    const user = await test_app.makeUser(kind);
    const { rows } = await test_app.db.execute<{ key: string }>(
      sql`SELECT key FROM permission_node JOIN role_node ON node_id = permission_node.id JOIN role ON role.id = role_id WHERE kind = ${kind} AND built_in`,
    );
    const held = new Set(rows.map((row) => row.key));
    const wrong: string[] = [];
    for (const { path, call } of calls) {
      const allowed = call.access.kind !== 'nodes' || call.access.nodes.some((node) => kind === 'super' || held.has(node));
      const status = await statusOf(user, path);
      if (status !== (allowed ? 400 : 403)) wrong.push(`${path}: ${status}, but ${allowed ? '' : 'not '}allowed`);
    }
    expect(wrong).toEqual([]);
  });
});

test('nobody makes a call that is not public without a session', async () => {
  for (const { path, call } of calls)
    expect([path, await statusOf(undefined, path)]).toEqual([path, call.access.kind === 'public' ? 400 : 401]);
});

test('each node of a call opens it alone, and all other nodes together do not', async () => {
  const user = await test_app.makeUser('administrator');
  const { rows } = await test_app.db.execute<{ key: string }>(sql`SELECT key FROM permission_node`);
  const all = rows.map((row) => row.key);
  const byNodes = Map.groupBy(calls, ({ call }) => (call.access.kind === 'nodes' ? call.access.nodes.join(' ') : ''));
  for (const [joined, group] of byNodes) {
    if (joined === '') continue;
    const nodes = joined.split(' ');
    await giveExactly(
      user,
      'administrator',
      all.filter((key) => !nodes.includes(key)),
    );
    for (const { path } of group) expect([path, await statusOf(user, path)]).toEqual([path, 403]);
    for (const node of nodes) {
      await giveExactly(user, 'administrator', [node]);
      for (const { path } of group) expect([path, node, await statusOf(user, path)]).toEqual([path, node, 400]);
    }
  }
});

import { sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import type { TestUser } from '../kit/testing/app.ts';
import { addCode } from './testing/failover.ts';
import {
  add,
  addToPool,
  administrator,
  block,
  code,
  details,
  domainOf,
  eventsOf,
  heal,
  logOf,
  owner,
  prepareShield,
  preview,
  retryDue,
  setRule,
  stranger,
  test_app,
  work,
} from './testing/shield.ts';

prepareShield();

describe('a blocked domain', () => {
  test("gives its codes to the holder's next healthy one, by turns; versions, events and the log tell of it, and an undo sticks", async () => {
    const [from, first, second] = [await add(owner), await add(owner), await add(owner)];
    const codes = [await code(owner, from.id), await code(owner, from.id)];
    await test_app.call(owner, 'forward', 'add', { domain_id: from.id, path: '/about', url: 'https://example.com/' });
    await block(from);
    await work();
    for (const each of codes) expect(await domainOf(owner, each)).toBe(first.id);
    expect(await eventsOf(owner, 'domain.replaced')).toEqual([
      expect.objectContaining({ from_host: from.host, to_host: first.host, automatic: true, incident_id: expect.any(Number), codes: 2 }),
    ]);
    const [entry] = await logOf(owner);
    expect(entry).toMatchObject({
      host: from.host,
      handling: 'replaced',
      reason: null,
      ended_at: null,
      undoable: true,
      replacements: [{ to_host: first.host, live_codes: 2, forwards: 1, undone_at: null }],
    });
    const { body: versions } = await test_app.call(owner, 'qr_code_list', 'versions', { id: codes[0]?.id ?? 0 });
    expect(versions.content[0]).toMatchObject({ action: 'domain_replaced', user_account: null });
    // The next turn is the other's.
    await block(first);
    await work();
    for (const each of codes) expect(await domainOf(owner, each)).toBe(second.id);

    const { body: undone } = await test_app.call(owner, 'shield_configuration', 'undo', { ids: (await logOf(owner)).map(({ id }) => id) });
    expect(undone).toMatchObject({ undone: 2, codes: 4 });
    for (const each of codes) expect(await domainOf(owner, each)).toBe(from.id);
    await retryDue();
    await work();
    for (const each of codes) expect(await domainOf(owner, each)).toBe(from.id);
    expect(await logOf(owner, from.id)).toMatchObject([{ handling: 'left', reason: 'undone', retryable: true, undoable: false }]);
    // Its owner may say otherwise; so does the next block after it was normal.
    expect((await test_app.call(owner, 'shield_configuration', 'retry', { ids: [entry?.id ?? 0] })).body.affected).toBe(1);
    await work();
    for (const each of codes) expect(await domainOf(owner, each)).toBe(second.id);
  });

  test('that was undone is replaced again after it was normal once', async () => {
    const [from, to] = [await add(owner), await add(owner)];
    const one = await code(owner, from.id);
    await block(from);
    await work();
    await test_app.call(owner, 'shield_configuration', 'undo', { ids: [(await logOf(owner))[0]?.id ?? 0] });
    await heal(from);
    await block(from);
    await work();
    expect(await domainOf(owner, one)).toBe(to.id);
    await heal(from);
    await work();
    // Normal again: what was moved stays.
    expect(await domainOf(owner, one)).toBe(to.id);
    expect((await logOf(owner))[0]).toMatchObject({ handling: 'replaced', ended_at: expect.any(String) });
  });

  test("falls back on the pool when the holder has none, and never takes another user's", async () => {
    const from = await add(owner);
    await add(stranger);
    const one = await code(owner, from.id);
    await block(from);
    await work();
    expect(await domainOf(owner, one)).toBe(from.id);
    expect((await logOf(owner))[0]).toMatchObject({ handling: 'waiting', reason: 'nothing_healthy', next_attempt_at: expect.any(String) });
    // It goes on as soon as one is there, without waiting for its time.
    const pool = await addToPool();
    await work();
    expect(await domainOf(owner, one)).toBe(pool.id);
  });

  test('of the pool gives the codes of all owners to the next of the pool, each of whom sees his own', async () => {
    const [from, to] = [await addToPool(), await addToPool()];
    await add(owner);
    const codes = [await code(owner, from.id), await code(owner, from.id)];
    const other = await code(stranger, from.id);
    await block(from);
    await work();
    expect(await domainOf(owner, codes[0] ?? other)).toBe(to.id);
    expect(await domainOf(stranger, other)).toBe(to.id);
    expect((await logOf(owner))[0]).toMatchObject({
      holder_id: null,
      undoable: false,
      retryable: false,
      replacements: [{ live_codes: 2 }],
    });
    expect((await logOf(stranger))[0]?.replacements).toMatchObject([{ live_codes: 1 }]);
    expect((await logOf(administrator, from.id))[0]).toMatchObject({ undoable: true, replacements: [{ live_codes: 3 }] });
    expect((await eventsOf(stranger, 'domain.replaced'))[0]).toMatchObject({ codes: 1 });
    const { id = 0 } = (await logOf(owner))[0] ?? {};
    expect((await test_app.call(owner, 'shield_configuration', 'undo', { ids: [id] })).body.code).toBe('domain.undone_already');
    expect((await test_app.call(owner, 'shield_configuration', 'retry', { ids: [id] })).body.affected).toBe(0);
    expect(await logOf(await test_app.makeUser('customer'))).toEqual([]);
  });

  test('two blocked at once take neither each other nor a third that is suspected, stale, unwatched, frozen or off', async () => {
    const [a, b] = [await add(owner), await add(owner)];
    const bad = [await add(owner), await add(owner), await add(owner), await add(owner), await add(owner), await add(owner)];
    const [suspected, stale, unwatched, frozen, off, elsewhere] = bad.map(({ id }) => id);
    await test_app.db.execute(sql`UPDATE domain_monitor SET suspected_since = now() WHERE domain_id = ${suspected}`);
    await test_app.db.execute(sql`UPDATE domain_monitor SET checked_at = now() - interval '31 minutes' WHERE domain_id = ${stale}`);
    await test_app.db.execute(sql`UPDATE domain_monitor SET paused = true WHERE domain_id = ${unwatched}`);
    await test_app.db.execute(sql`UPDATE domain SET frozen_at = now() WHERE id = ${frozen}`);
    await test_app.db.execute(sql`UPDATE domain SET enabled = false WHERE id = ${off}`);
    await test_app.db.execute(sql`UPDATE domain_check SET dns_state = 'elsewhere' WHERE domain_id = ${elsewhere}`);
    const [onA, onB] = [await code(owner, a.id), await code(owner, b.id)];
    const { body: before } = await preview(owner, a.id);
    expect(before.unfit.filter(({ pool }) => !pool).map(({ reason }) => reason)).toEqual([
      'suspected',
      'stale',
      'unwatched',
      'frozen',
      'off',
      'elsewhere',
    ]);
    await block(a, b);
    await work();
    expect([await domainOf(owner, onA), await domainOf(owner, onB)]).toEqual([a.id, b.id]);
    await heal({ id: stale ?? 0 });
    await work();
    expect([await domainOf(owner, onA), await domainOf(owner, onB)]).toEqual([stale, stale]);
  });

  test('where links are https, one whose certificate browsers warn of takes no place', async () => {
    const from = await add(owner);
    const [expired, untrusted, good] = [await add(owner), await add(owner), await add(owner)];
    await test_app.db.execute(sql`
      UPDATE domain_check SET certificate_state = 'valid', certificate_expires_at = now() + CASE domain_id WHEN ${expired.id} THEN -1 ELSE 1 END * interval '1 day'
      WHERE domain_id IN (${expired.id}, ${good.id})`);
    await test_app.db.execute(sql`UPDATE domain_check SET certificate_state = 'untrusted' WHERE domain_id = ${untrusted.id}`);
    const onIt = await code(owner, from.id);
    const warnedOf = async () =>
      (await preview(owner, from.id)).body.unfit.filter(({ reason }) => reason === 'certificate').map(({ domain_id }) => domain_id);
    expect(await warnedOf()).toEqual([]);
    await test_app.call(administrator, 'configuration', 'update', { values: { visit_scheme: 'https' } });
    try {
      expect(await warnedOf()).toEqual([expired.id, untrusted.id]);
      await block(from);
      await work();
      expect(await domainOf(owner, onIt)).toBe(good.id);
    } finally {
      await test_app.call(administrator, 'configuration', 'update', { values: { visit_scheme: 'http' } });
    }
  });

  test('short codes whose path is taken go to the next domain where it is free, and stay where there is none', async () => {
    const [from, first, second] = [await add(owner, 3), await add(owner, 3), await add(owner, 3)];
    const insert = (domain_id: number, short: string) =>
      test_app.db.execute(
        sql`INSERT INTO short_code (owner_id, domain_id, short, url) VALUES (${owner.id}, ${domain_id}, ${short}, 'https://example.com/')`,
      );
    for (const short of ['aa', 'bb', 'cc']) await insert(from.id, short);
    await insert(first.id, 'bb');
    await insert(first.id, 'cc');
    await insert(second.id, 'cc');
    const { body: dry } = await preview(owner, from.id);
    expect(dry).toMatchObject({ handling: 'replaced', reason: 'rest_stays', short_codes: 3, staying_conflicts: 1 });
    expect(dry.steps.map(({ domain_id, short_codes }) => [domain_id, short_codes])).toEqual([
      [first.id, 1],
      [second.id, 1],
    ]);
    await block(from);
    await work();
    const { rows } = await test_app.db.execute<{ domain_id: number; short: string }>(
      sql`SELECT domain_id::float8 AS domain_id, short FROM short_code WHERE owner_id = ${owner.id} ORDER BY short, domain_id`,
    );
    const placeOf = (short: string) => rows.filter((row) => row.short === short).map(({ domain_id }) => domain_id);
    expect([placeOf('aa'), placeOf('bb'), placeOf('cc')]).toEqual([[first.id], [first.id, second.id], [from.id, first.id, second.id]]);
    expect((await logOf(owner))[0]).toMatchObject({ handling: 'replaced', reason: 'rest_stays' });
  });

  test('without anything on it is left', async () => {
    const from = await add(owner);
    await block(from);
    await work();
    expect((await logOf(owner))[0]).toMatchObject({ handling: 'left', reason: 'empty', replacements: [] });
  });

  test('that is removed afterwards stays in the log', async () => {
    const [from] = [await add(owner), await add(owner)];
    await code(owner, from.id);
    await block(from);
    await work();
    expect((await test_app.call(owner, 'domain_list', 'remove', { ids: [from.id] })).status).toBe(200);
    expect((await logOf(owner))[0]).toMatchObject({
      domain_id: null,
      host: from.host,
      handling: 'replaced',
      undoable: false,
      retryable: false,
    });
  });
});

describe('pausing', () => {
  test('closes codes while nothing is healthy, and opens those again that it closed, on the domain or on one that comes', async () => {
    const from = await add(owner);
    const [open, closed, touched] = [await code(owner, from.id), await code(owner, from.id), await code(owner, from.id)];
    await test_app.call(owner, 'qr_code_list', 'update', { id: closed.id, open: false });
    await setRule(owner, { otherwise: 'pause', replace_pool: false });
    expect((await preview(owner, from.id)).body).toMatchObject({ handling: 'paused', reason: 'nothing_healthy', paused_codes: 2 });
    await block(from);
    await work();
    const openOf = async () => [
      (await details(owner, open)).open,
      (await details(owner, closed)).open,
      (await details(owner, touched)).open,
    ];
    expect(await openOf()).toEqual([false, false, false]);
    const { body: versions } = await test_app.call(owner, 'qr_code_list', 'versions', { id: open.id });
    expect(versions.content[0]).toMatchObject({ action: 'paused', changes: [{ field: 'open', before: true, after: false }] });
    // Somebody opened one and closed it: that is his decision.
    for (const value of [true, false]) await test_app.call(owner, 'qr_code_list', 'update', { id: touched.id, open: value });
    await heal(from);
    await work();
    expect(await openOf()).toEqual([true, false, false]);
    expect((await logOf(owner))[0]).toMatchObject({ handling: 'paused', paused_codes: 2, reopened_codes: 1 });

    await block(from);
    await work();
    expect((await details(owner, open)).open).toBe(false);
    const to = await add(owner);
    await work();
    expect(await details(owner, open)).toMatchObject({ open: true, entry_domain_id: to.id });
    expect((await logOf(owner))[0]).toMatchObject({ handling: 'replaced', paused_codes: 1, reopened_codes: 1 });
  });

  test('a code on two blocked domains waits for both', async () => {
    const [entry, landing] = [await add(owner, 1), await add(owner, 2)];
    for (const type of [1, 2] as const) await setRule(owner, { otherwise: 'pause', replace_pool: false }, { type });
    const one = await addCode(test_app, owner, { entry_domain_id: entry.id, landing_domain_id: landing.id });
    await block(entry, landing);
    await work();
    expect((await details(owner, one)).open).toBe(false);
    await heal(entry);
    await work();
    expect((await details(owner, one)).open).toBe(false);
    await heal(landing);
    await work();
    expect((await details(owner, one)).open).toBe(true);
  });
});

test('the start page says why a blocked domain keeps its codes, and what happened to one that needs nobody any more', async () => {
  const [from, other] = [await add(owner), await add(owner)];
  await code(owner, from.id);
  await setRule(owner, { replace_own: false, replace_pool: false });
  await block(from);
  await work();
  const needs = async (as: TestUser) => (await test_app.call(as, 'home', 'needs', {})).body;
  expect(await needs(owner)).toMatchObject({
    content: [{ kind: 'domain_blocked', items: [{ id: from.id, left: 1, handling: 'waiting', reason: 'nothing_healthy' }] }],
    replaced: [],
  });
  await setRule(owner, {});
  await work();
  expect(await needs(owner)).toMatchObject({ content: [], replaced: [{ host: from.host, to_host: other.host, codes: 1 }] });
  expect((await needs(stranger)).replaced).toEqual([]);
});

test('what is left on a domain whose successor is blocked while it takes its codes goes on to the next', async () => {
  const [from, first, second] = [await add(owner), await add(owner), await add(owner)];
  await test_app.db.execute(sql`INSERT INTO live_code (file_name, owner_id, name, entry_domain_id)
    SELECT 'chain-' || n, ${owner.id}, 'chain', ${from.id} FROM generate_series(1, 4100) AS n`);
  const countOn = ({ id }: { id: number }) => test_app.db.$count(sql`live_code`, sql`entry_domain_id = ${id}`);
  await block(from);
  const fall = async () => {
    while ((await countOn(first)) === 0);
    await block(first);
  };
  await Promise.all([work(), fall()]);
  await work();
  expect([await countOn(from), await countOn(first), await countOn(second)]).toEqual([0, 0, 4100]);
});

test('a dry run says where codes would go, changes nothing, and tells nobody of domains of others', async () => {
  const [from, to] = [await add(owner), await add(owner)];
  const one = await code(owner, from.id);
  await test_app.call(owner, 'forward', 'add', { domain_id: from.id, path: '/x', url: 'https://example.com/' });
  expect((await preview(owner, from.id)).body).toMatchObject({
    handling: 'replaced',
    reason: null,
    live_codes: 1,
    forwards: 1,
    steps: [{ domain_id: to.id, pool: false, live_codes: 1, owners: 1, forwards: 1, staying_forwards: 0 }],
    rule: { used: 0 },
  });
  expect(await domainOf(owner, one)).toBe(from.id);
  expect(await logOf(owner)).toEqual([]);
  expect((await preview(stranger, from.id)).body.fields).toEqual({ domain_id: expect.any(String) });
  expect((await preview(administrator, from.id)).status).toBe(200);
});

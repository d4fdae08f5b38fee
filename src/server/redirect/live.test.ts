import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../kit/testing/database.ts';
import { makeTestFolder } from '../kit/testing/folder.ts';
import { freePort } from '../kit/testing/ports.ts';
import { expectWithin } from '../kit/testing/within.ts';
import { type Answer, type AskOptions, ask, destinationOf, startProcess, type TestProcess } from './testing/process.ts';
import { openRecords, type Records } from './testing/records.ts';

/** As a machine with four cores has. Each has a port of its own, so that each can be asked. */
const slots = ['0', '1', '2', '3'];
const second = 1000;

let database: TestDatabase;
let records: Records;
let dataDir: string;
let ports: number[];
let processes: TestProcess[];
let owner: number;
let shortDomain: number;
let entryDomain: number;

beforeAll(async () => {
  database = await createTestDatabase();
  records = await openRecords(database.url);
  dataDir = makeTestFolder();
  owner = await records.addUser('live-owner');
  entryDomain = await records.addDomain('entry.example', 1);
  shortDomain = await records.addDomain('s.example', 3);
  ports = await Promise.all(slots.map(() => freePort()));
  processes = await Promise.all(
    slots.map((slot, index) =>
      startProcess({ databaseUrl: database.url, dataDir, port: ports[index] ?? 0, slot, processes: 4, trustedProxies: '127.0.0.1' }),
    ),
  );
});
afterAll(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await records.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

const everywhere = (path: string, options: AskOptions): Promise<Answer[]> => Promise.all(ports.map((port) => ask(port, path, options)));
const sql = (text: string, values: unknown[] = []) => records.client.query(text, values);

/** How long after its commit the last process follows a change, in milliseconds. */
async function timeUntil(path: string, options: AskOptions, isSo: (answer: Answer) => boolean): Promise<number> {
  const startedAt = performance.now();
  while (!(await everywhere(path, options)).every(isSo)) {
    if (performance.now() - startedAt > 10 * second) throw new Error(`${path} was never so on each process`);
  }
  return performance.now() - startedAt;
}
const leadsTo = (address: string) => (answer: Answer) => destinationOf(answer) === address;
const answers = (status: number) => (answer: Answer) => answer.status === status;

/** Makes a change and takes it back, each time for each process. */
function switches(
  change: () => Promise<unknown>,
  isChanged: () => Promise<number>,
  back: () => Promise<unknown>,
  isBack: () => Promise<number>,
) {
  return async () => {
    await change();
    const there = await isChanged();
    await back();
    return Math.max(there, await isBack());
  };
}

describe('on each of four processes a change is live within a second:', () => {
  it('of a code, its target and its owner', async () => {
    const { id, targets } = await records.addCode('live-code', { owner_id: owner });
    const at: AskOptions = { host: 'entry.example' };
    await timeUntil('/live-code', at, answers(200));
    const target = (content: string) => sql('UPDATE live_code_target SET content = $2 WHERE id = $1', [targets[0], content]);
    const open = (isOpen: boolean) => sql('UPDATE live_code SET open = $2 WHERE id = $1', [id, isOpen]);
    const disable = (disabled: boolean) => sql('UPDATE user_account SET disabled = $2 WHERE id = $1', [owner, disabled]);
    const [a, b] = ['https://a.example/', 'https://b.example/'];
    const is = (isSo: (answer: Answer) => boolean) => () => timeUntil('/live-code', at, isSo);
    await expectWithin(
      second,
      switches(
        () => target(b),
        is(leadsTo(b)),
        () => target(a),
        is(leadsTo(a)),
      ),
    );
    await expectWithin(
      second,
      switches(
        () => open(false),
        is(answers(403)),
        () => open(true),
        is(answers(200)),
      ),
    );
    await expectWithin(
      second,
      switches(
        () => disable(true),
        is(answers(403)),
        () => disable(false),
        is(answers(200)),
      ),
    );
    // Frozen by an administrator: the code, its owner, its domain.
    for (const [table, frozen] of [
      ['live_code', id],
      ['user_account', owner],
      ['domain', entryDomain],
    ] as const) {
      const freeze = (moment: string) => sql(`UPDATE ${table} SET frozen_at = ${moment} WHERE id = $1`, [frozen]);
      await expectWithin(
        second,
        switches(
          () => freeze('now()'),
          is(answers(403)),
          () => freeze('NULL'),
          is(answers(200)),
        ),
      );
    }
  });

  it('of a short code, one that was asked for before it was made included', async () => {
    const at: AskOptions = { host: 's.example' };
    const [a, b] = ['https://a.example/', 'https://b.example/'];
    const make = (url: string) =>
      sql('INSERT INTO short_code (owner_id, domain_id, short, url) VALUES ($1, $2, $3, $4)', [owner, shortDomain, 'live', url]);
    const is = (isSo: (answer: Answer) => boolean) => () => timeUntil('/live', at, isSo);
    await expectWithin(
      second,
      switches(
        () => make(a),
        is(leadsTo(a)),
        () => sql('DELETE FROM short_code'),
        is(answers(404)),
      ),
    );
    await make(a);
    const url = (to: string) => sql('UPDATE short_code SET url = $1', [to]);
    await expectWithin(
      second,
      switches(
        () => url(b),
        is(leadsTo(b)),
        () => url(a),
        is(leadsTo(a)),
      ),
    );
  });

  it('of a forward, a blocked source, a domain and the blacklist', async () => {
    await records.addCode('live-host', { owner_id: owner });
    const ip = '203.0.113.77';
    const at: AskOptions = { host: 'entry.example', headers: { referer: 'https://thief.example/', 'x-forwarded-for': ip } };
    const is = (isSo: (answer: Answer) => boolean) => () => timeUntil('/live-host', at, isSo);
    const isServed = is(answers(200));
    await isServed();
    const to = 'https://forwarded.example/';
    const forward = () =>
      sql('INSERT INTO forward (owner_id, domain_id, path, url) VALUES ($1, $2, $3, $4)', [owner, entryDomain, '/live-host', to]);
    await expectWithin(
      second,
      switches(forward, is(leadsTo(to)), () => sql('DELETE FROM forward'), isServed),
    );
    const block = () => sql(`INSERT INTO visit_source_rule (owner_id, host, action) VALUES ($1, 'thief.example', 'block')`, [owner]);
    await expectWithin(
      second,
      switches(block, is(answers(403)), () => sql('DELETE FROM visit_source_rule'), isServed),
    );
    const enable = (isEnabled: boolean) => sql('UPDATE domain SET enabled = $2 WHERE id = $1', [entryDomain, isEnabled]);
    await expectWithin(
      second,
      switches(
        () => enable(false),
        is(answers(404)),
        () => enable(true),
        isServed,
      ),
    );
    const blacklist = () => sql('INSERT INTO visit_blacklist (network) VALUES ($1)', [ip]);
    await expectWithin(
      second,
      switches(blacklist, is(answers(403)), () => sql('DELETE FROM visit_blacklist'), isServed),
    );
  });
});

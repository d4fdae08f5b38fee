import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate } from '../../kit/postgres/migrate.ts';
import { createEmptyDatabase } from '../../kit/testing/database.ts';
import { makeTestFolder } from '../../kit/testing/folder.ts';
import { inconsistencies } from '../testing/consistency.ts';

const standardFolder = fileURLToPath(new URL('../../../../migrations', import.meta.url));
const step = '0086-what-visits-reached';

test('an upgrade puts what visits reached under its own name, and loses no count', async () => {
  const before = makeTestFolder();
  cpSync(standardFolder, before, { recursive: true, filter: (path) => !(/\.sql$/.test(path) && path >= join(standardFolder, step)) });
  const database = await createEmptyDatabase();
  await migrate(database.url, before);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await database.drop();
    rmSync(before, { recursive: true, force: true });
  });
  await client.query(`
    INSERT INTO role (name, kind) VALUES ('links', 'customer');
    INSERT INTO user_account (account, password_hash, role_id, invitation_code) SELECT 'owner', 'none', id, 'invite' FROM role WHERE name = 'links';
    INSERT INTO live_code (owner_id, file_name, name) SELECT id, 'abcd', 'code' FROM user_account;
    INSERT INTO short_code (owner_id, url, platform_url) SELECT id, 'https://to.example/', 'https://short.example/a' FROM user_account;
    INSERT INTO visit_text (text) VALUES ('');
    INSERT INTO visit_place (country, region, city, carrier) VALUES ('', '', '', '');
    INSERT INTO visit_device (source, system, brand, browser) VALUES ('', '', '', '');
    INSERT INTO visit_agent (user_agent, device_id, system_version, model, model_name) VALUES ('', 1, '', '', '');
    CREATE TABLE visit_20260310 PARTITION OF visit FOR VALUES FROM ('2026-03-10T00:00:00Z') TO ('2026-03-11T00:00:00Z');
    CREATE TEMPORARY TABLE code AS SELECT id FROM live_code UNION ALL SELECT id FROM short_code;
    INSERT INTO visit (id, at, live_code_id, ip, host_id, path_id, agent_id, place_id, outcome, unique_ip, first_visit)
      SELECT code.id * 10 + outcome, '2026-03-10T04:10:00Z', code.id, '1.1.1.1', 1, 1, 1, 1, outcome, outcome = 0, outcome = 0
      FROM code CROSS JOIN (VALUES (0), (4)) AS one (outcome);
    INSERT INTO visit_hour SELECT id, '2026-03-10T04:00:00Z', outcome, 1, (outcome = 0)::integer, (outcome = 0)::integer FROM code CROSS JOIN (VALUES (0), (4)) AS one (outcome);
    INSERT INTO visit_hour_place SELECT id, '2026-03-10T04:00:00Z', 1, 1 FROM code;
    INSERT INTO visit_hour_device SELECT id, '2026-03-10T04:00:00Z', 1, 1 FROM code;
    INSERT INTO visitor SELECT id, '1.1.1.1', '2026-03-10', 1, '2026-03-10T04:10:00Z', '2026-03-10T04:10:00Z', 1, 1 FROM code;
    INSERT INTO live_code_total SELECT id, 1, 1 FROM code;
    INSERT INTO visit_source (kind, owner_id, host, live_code_id, ip, visits, first_at, last_at)
      SELECT 'referer', user_account.id, 'thief.example', code.id, '1.1.1.1', 1, now(), now() FROM code CROSS JOIN user_account`);

  expect(await migrate(database.url)).toContain(step);
  expect(await inconsistencies(client)).toEqual([]);
  const { rows } = await client.query(`
    SELECT code.id, visit.outcome, visit.live_code_id = code.id AS is_live, visit.short_code_id = code.id AS is_short
    FROM code JOIN visit ON code.id IN (visit.live_code_id, visit.short_code_id) ORDER BY code.id, visit.outcome`);
  expect(rows.map(({ is_live, is_short }) => [is_live, is_short])).toEqual([
    [true, null],
    [true, null],
    [null, true],
    [null, true],
  ]);
  const { rows: sources } = await client.query(
    'SELECT live_code_id IS NULL AS is_short, short_code_id IS NULL AS is_live FROM visit_source ORDER BY 1',
  );
  expect(sources).toEqual([
    { is_short: false, is_live: true },
    { is_short: true, is_live: false },
  ]);
});

import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { outcomes } from '../../../contract/enums.ts';
import { visitOf } from '../../kit/testing/visit-record.ts';
import { compactRollups } from '../maintenance/maintenance.ts';
import { inconsistencies } from '../testing/consistency.ts';
import { endedSource, writeSegment } from '../testing/journal.ts';
import { openWorkbench } from '../testing/loading.ts';

const moment = (text: string): number => Date.parse(text);

describe('what counts', () => {
  test('only visits that passed count for visitors, places, devices, targets and totals', async () => {
    const bench = await openWorkbench();
    const outcomes = [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    writeSegment(
      bench.folder,
      endedSource(),
      1,
      outcomes.map((outcome) =>
        visitOf({ outcome, live_code_id: outcome === 1 || outcome === 3 ? 0 : 5, target_id: outcome === 0 ? 8 : 0 }),
      ),
    );
    bench.start();
    await bench.finished(1);
    expect(await bench.all('SELECT live_code_id::int, outcome, visits, ips, new_ips FROM visit_hour ORDER BY outcome')).toEqual([
      { live_code_id: 5, outcome: 0, visits: 2, ips: 1, new_ips: 1 },
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((outcome) => {
        return { live_code_id: outcome === 1 || outcome === 3 ? 0 : 5, outcome, visits: 1, ips: 0, new_ips: 0 };
      }),
    ]);
    expect(await bench.all('SELECT live_code_id::int, visits::int, ips::int FROM live_code_total')).toEqual([
      { live_code_id: 5, visits: 2, ips: 1 },
    ]);
    expect(await bench.all('SELECT target_id::int, visits::int FROM target_total')).toEqual([{ target_id: 8, visits: 2 }]);
    expect(await bench.one('SELECT visits FROM visitor')).toEqual({ visits: 2 });
    expect(await inconsistencies(bench.client)).toEqual([]);
  });

  test('a passed visit of a program is a row and a count of its own, and no visit; the messenger is never one', async () => {
    const bench = await openWorkbench();
    const [passed, closed, program] = [0, 4, outcomes.indexOf('program')];
    const [crawler, script] = ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'curl/8.5.0'];
    const messenger = `${visitOf().user_agent} bot crawler`;
    writeSegment(bench.folder, endedSource(), 1, [
      ...[crawler, script, '', messenger].map((user_agent) => visitOf({ user_agent, live_code_id: 5, target_id: 8 })),
      visitOf({ user_agent: script, live_code_id: 0, short_code_id: 6 }),
      visitOf({ user_agent: script, live_code_id: 5, outcome: closed }),
      visitOf({ user_agent: script, live_code_id: 5, target_id: 8, open_log: false }),
    ]);
    bench.start();
    await bench.finished(1);
    expect(
      await bench.all('SELECT live_code_id::int AS code, outcome, visits, ips FROM visit_hour ORDER BY live_code_id DESC, outcome'),
    ).toEqual([
      { code: 5, outcome: passed, visits: 1, ips: 1 },
      { code: 5, outcome: closed, visits: 1, ips: 0 },
      { code: 5, outcome: program, visits: 4, ips: 0 },
      { code: 0, outcome: program, visits: 1, ips: 0 },
    ]);
    expect(await bench.all('SELECT visits::int, ips::int FROM live_code_total')).toEqual([{ visits: 1, ips: 1 }]);
    expect(await bench.all('SELECT visits::int FROM target_total')).toEqual([{ visits: 1 }]);
    expect(await bench.all('SELECT visits FROM short_code_total')).toEqual([]);
    expect(await bench.all('SELECT visits FROM visitor')).toEqual([{ visits: 1 }]);
    const sources = `SELECT source, count(*)::int AS rows FROM visit JOIN visit_agent ON visit_agent.id = agent_id
      JOIN visit_device ON visit_device.id = device_id WHERE outcome = ${program} GROUP BY source`;
    expect(await bench.all(sources)).toEqual([{ source: 'bot', rows: 4 }]);
  });

  test('a visit of the owner himself is a row and a count of its own, and no visit, whatever his browser calls itself', async () => {
    const bench = await openWorkbench();
    const [passed, own] = [0, outcomes.indexOf('own')];
    writeSegment(bench.folder, endedSource(), 1, [
      visitOf({ live_code_id: 5, target_id: 8 }),
      visitOf({ live_code_id: 5, target_id: 8, outcome: own, note: '7' }),
      visitOf({ live_code_id: 5, target_id: 8, outcome: own }),
      visitOf({ live_code_id: 0, short_code_id: 6, outcome: own, user_agent: 'curl/8.5.0' }),
    ]);
    bench.start();
    await bench.finished(1);
    expect(
      await bench.all('SELECT live_code_id::int AS code, outcome, visits, ips FROM visit_hour ORDER BY live_code_id DESC, outcome'),
    ).toEqual([
      { code: 5, outcome: passed, visits: 1, ips: 1 },
      { code: 5, outcome: own, visits: 2, ips: 0 },
      { code: 0, outcome: own, visits: 1, ips: 0 },
    ]);
    expect(await bench.all('SELECT visits::int, ips::int FROM live_code_total')).toEqual([{ visits: 1, ips: 1 }]);
    expect(await bench.all('SELECT visits::int FROM target_total')).toEqual([{ visits: 1 }]);
    expect(await bench.all(`SELECT outcome, visits, ips FROM visit_site_hour ORDER BY outcome`)).toEqual([
      { outcome: passed, visits: 1, ips: 1 },
      { outcome: own, visits: 2, ips: 0 },
    ]);
    expect(await inconsistencies(bench.client)).toEqual([]);
  });

  test('visits by an alias count for the code, and by the hour for the alias; those of its owner and of programs do not', async () => {
    const bench = await openWorkbench();
    const at = moment('2026-06-01T03:30:00Z');
    const by = (note: string, more: object = {}) => visitOf({ at, live_code_id: 5, target_id: 8, note, ...more });
    writeSegment(bench.folder, endedSource(), 1, [
      ...['', '31', '31', '32'].map((note) => by(note)),
      by('31', { at: at + 3_600_000, open_log: false }),
      by('31', { outcome: outcomes.indexOf('own') }),
      by('31', { outcome: outcomes.indexOf('program') }),
    ]);
    bench.start();
    await bench.finished(1);
    const counted = await bench.all(`SELECT key_id::int AS key, date_part('hour', hour AT TIME ZONE 'UTC')::int AS hour, visits
      FROM visit_hour_key WHERE live_code_id = 5 ORDER BY key_id, hour`);
    expect(counted).toEqual([
      { key: 31, hour: 3, visits: 2 },
      { key: 31, hour: 4, visits: 1 },
      { key: 32, hour: 3, visits: 1 },
    ]);
    expect(await bench.one('SELECT visits::int FROM live_code_total')).toEqual({ visits: 5 });
  });

  test('a device of the owner is seen with its visits, at most once an hour, and one that is gone disturbs nothing', async () => {
    const bench = await openWorkbench();
    await bench.client.query(`WITH kind AS (INSERT INTO role (name, kind) VALUES ('owner of devices', 'customer') RETURNING id),
        owner AS (INSERT INTO user_account (account, password_hash, role_id, invitation_code)
          SELECT 'device-owner', 'none', id, 'invite-device-owner' FROM kind RETURNING id)
      INSERT INTO own_device (id, owner_id, name) SELECT device, owner.id, 'phone' FROM owner, unnest(ARRAY[7, 8]) AS device`);
    const start = Date.now() - 3 * 3_600_000;
    const visit = (note: string, at: number) => visitOf({ live_code_id: 5, outcome: outcomes.indexOf('own'), note, at });
    const seen = async () => (await bench.all('SELECT seen_at FROM own_device ORDER BY id')).map(({ seen_at }) => seen_at);
    bench.start();
    writeSegment(bench.folder, endedSource(), 1, [visit('7', start), visit('7', start - 1000), visit('99', start), visit('', start)]);
    await bench.finished(1);
    expect(await seen()).toEqual([new Date(start), null]);
    writeSegment(bench.folder, endedSource(), 2, [visit('7', start + 3_599_000)]);
    await bench.finished(2);
    expect(await seen()).toEqual([new Date(start), null]);
    writeSegment(bench.folder, endedSource(), 3, [visit('7', start + 3_600_000)]);
    await bench.finished(3);
    expect(await seen()).toEqual([new Date(start + 3_600_000), null]);
  });

  test('presses count by hour and target, once each, and are no visits', async () => {
    const bench = await openWorkbench();
    const at = moment('2026-06-01T03:30:00Z');
    const press = { outcome: 10, live_code_id: 5, open_log: false };
    const records = [
      visitOf({ at, live_code_id: 5, target_id: 8, open_log: false }),
      ...[at, at + 1, at + 3_600_000].map((moment) => visitOf({ ...press, at: moment, target_id: 8, ip: '9.9.9.9' })),
      visitOf({ ...press, at, target_id: 7 }),
    ];
    writeSegment(bench.folder, endedSource(), 1, records.slice(0, 2));
    writeSegment(bench.folder, endedSource(), 1, records.slice(2));
    bench.start();
    await bench.finished(2);
    const totals = () => bench.all('SELECT target_id::int, presses::int FROM target_press_total ORDER BY target_id');
    expect(await totals()).toEqual([
      { target_id: 7, presses: 1 },
      { target_id: 8, presses: 3 },
    ]);
    const byHour = () =>
      bench.all(`SELECT target_id::int, date_part('hour', hour AT TIME ZONE 'UTC')::int AS hour, sum(visits)::int AS visits, sum(presses)::int AS presses
        FROM visit_hour_target GROUP BY target_id, hour ORDER BY target_id, hour`);
    const expected = [
      { target_id: 7, hour: 3, visits: 0, presses: 1 },
      { target_id: 8, hour: 3, visits: 1, presses: 2 },
      { target_id: 8, hour: 4, visits: 0, presses: 1 },
    ];
    expect(await byHour()).toEqual(expected);
    expect(await bench.one('SELECT visits::int, ips::int FROM live_code_total')).toEqual({ visits: 1, ips: 1 });
    expect(await bench.all('SELECT FROM visitor')).toHaveLength(1);
    expect(await bench.one('SELECT sum(visits)::int AS visits FROM visit_hour WHERE outcome = 10')).toEqual({ visits: 4 });

    const pool = new pg.Pool({ connectionString: bench.url, max: 2 });
    await bench.client.query(`
      WITH owner AS (
        INSERT INTO user_account (account, password_hash, role_id, invitation_code) SELECT 'a', '', role.id, 'a' FROM role LIMIT 1 RETURNING id
      ), code AS (INSERT INTO live_code (id, owner_id, name, file_name) SELECT 5, id, 'c', 'pressed' FROM owner RETURNING id)
      INSERT INTO live_code_target (id, live_code_id, kind, content, sort) SELECT target, id, 'text', 'x', target FROM code, unnest('{7,8}'::bigint[]) AS target`);
    await compactRollups(pool, { now: new Date(at + 7_200_000), hours: 24 });
    await pool.end();
    expect(await byHour()).toEqual(expected);
    expect(await bench.all('SELECT FROM visit_hour_target')).toHaveLength(3);
  });

  test('a code without log counts and keeps no row', async () => {
    const bench = await openWorkbench();
    const visits = [visitOf({ ip: '8.8.8.8' }), visitOf({ ip: '8.8.8.8' }), visitOf({ ip: '9.9.9.9', outcome: 8 })];
    writeSegment(
      bench.folder,
      endedSource(),
      1,
      visits.map((visit) => ({ ...visit, open_log: false, path: '/secret' })),
    );
    bench.start();
    await bench.finished(1);
    expect(await bench.all('SELECT FROM visit')).toHaveLength(0);
    expect(await bench.all("SELECT FROM visit_text WHERE text = '/secret'")).toHaveLength(0);
    expect(await bench.all('SELECT outcome, visits, ips, new_ips FROM visit_hour ORDER BY outcome')).toEqual([
      { outcome: 0, visits: 2, ips: 1, new_ips: 1 },
      { outcome: 8, visits: 1, ips: 0, new_ips: 0 },
    ]);
    expect(await bench.one('SELECT host(ip) AS ip, visits FROM visitor')).toEqual({ ip: '8.8.8.8', visits: 2 });
    expect(await bench.one('SELECT sum(visits)::int AS visits FROM visit_hour_origin')).toEqual({ visits: 2 });
    expect(await bench.one('SELECT country FROM visit_hour_origin JOIN visit_place ON id = place_id')).toEqual({ country: '美国' });
  });

  test('an address counts once a day and code, and is new once ever', async () => {
    const bench = await openWorkbench();
    const at = moment('2026-03-10T04:00:00Z');
    const day = 86_400_000;
    const load = async (segments: number, visits: Parameters<typeof visitOf>[0][]) => {
      writeSegment(
        bench.folder,
        endedSource(),
        1,
        visits.map((visit) => visitOf(visit)),
      );
      await bench.finished(segments);
    };
    bench.start();
    await load(1, [{ at }, { at: at + 1 }, { at, live_code_id: 2 }, { at, ip: '::ffff:114.114.114.114' }]);
    await load(2, [{ at: at + 2 }, { at: at + day }, { at: at + day, ip: '8.8.8.8' }]);
    // Two days in one batch, the later one first; and a day before all others that was loaded late.
    await load(3, [
      { at: at + day, ip: '9.9.9.9' },
      { at, ip: '9.9.9.9' },
    ]);
    await load(4, [{ at: at - day }, { at: at - day, ip: '8.8.8.8' }]);
    expect(
      await bench.all(`SELECT host(ip) AS ip, live_code_id::int AS code, count(*)::int AS visits, count(*) FILTER (WHERE unique_ip)::int AS unique,
        count(*) FILTER (WHERE first_visit)::int AS new FROM visit GROUP BY ip, live_code_id ORDER BY 1, 2`),
    ).toEqual([
      { ip: '114.114.114.114', code: 1, visits: 6, unique: 3, new: 1 },
      { ip: '114.114.114.114', code: 2, visits: 1, unique: 1, new: 1 },
      { ip: '8.8.8.8', code: 1, visits: 2, unique: 2, new: 1 },
      { ip: '9.9.9.9', code: 1, visits: 2, unique: 2, new: 1 },
    ]);
    expect(await inconsistencies(bench.client)).toEqual([]);
  });
});

describe('days and hours', () => {
  const around = ['2026-03-10T15:59:59.999Z', '2026-03-10T16:00:00.000Z', '2026-03-10T18:29:59.999Z', '2026-03-10T18:30:00.000Z'].map(
    moment,
  );

  test('a day begins at midnight of the site, rows lie in days of UTC', async () => {
    const bench = await openWorkbench();
    writeSegment(
      bench.folder,
      endedSource(),
      1,
      around.map((at) => visitOf({ at })),
    );
    bench.start();
    await bench.finished(1);
    expect(await bench.all('SELECT day::text, visits FROM visitor ORDER BY day')).toEqual([
      { day: '2026-03-10', visits: 1 },
      { day: '2026-03-11', visits: 3 },
    ]);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit_20260310')).toEqual({ count: 4 });
    expect(await inconsistencies(bench.client)).toEqual([]);
  });

  test('in a zone half an hour off, hours begin at half past', async () => {
    const bench = await openWorkbench();
    await bench.client.query(`INSERT INTO setting (key, value) VALUES ('time_zone', '"Asia/Kolkata"')`);
    writeSegment(
      bench.folder,
      endedSource(),
      1,
      around.map((at) => visitOf({ at })),
    );
    bench.start();
    await bench.finished(1);
    expect(await bench.all('SELECT hour, sum(visits)::int AS visits FROM visit_hour GROUP BY hour ORDER BY hour')).toEqual([
      { hour: new Date('2026-03-10T15:30:00Z'), visits: 2 },
      { hour: new Date('2026-03-10T17:30:00Z'), visits: 1 },
      { hour: new Date('2026-03-10T18:30:00Z'), visits: 1 },
    ]);
    expect(await bench.all('SELECT day::text, visits FROM visitor ORDER BY day')).toEqual([
      { day: '2026-03-10', visits: 3 },
      { day: '2026-03-11', visits: 1 },
    ]);
    expect(await inconsistencies(bench.client, 'Asia/Kolkata')).toEqual([]);
  });

  test('a clock that goes back does no harm', async () => {
    const bench = await openWorkbench();
    const at = moment('2026-03-10T04:00:00Z');
    const source = endedSource();
    const leaps = [0, 86_400_000, -5_000, -200 * 86_400_000, 3 * 86_400_000, 1];
    writeSegment(
      bench.folder,
      source,
      1,
      leaps.map((leap) => visitOf({ at: at + leap })),
    );
    writeSegment(
      bench.folder,
      source,
      2,
      leaps.map((leap) => visitOf({ at: at - leap })),
    );
    bench.start({ batch_bytes: 1 });
    await bench.finished(2);
    expect(await bench.one('SELECT count(*)::int AS count FROM visit')).toEqual({ count: 12 });
    expect(await inconsistencies(bench.client)).toEqual([]);
  });
});

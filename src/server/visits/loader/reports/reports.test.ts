import { describe, expect, test } from 'vitest';
import { outcomes } from '../../../../contract/enums.ts';
import { visitOf } from '../../../kit/testing/visit-record.ts';
import { noteOf, type ReportNote } from '../../../kit/visits/report-note.ts';
import { endedSource, writeSegment } from '../../testing/journal.ts';
import { openWorkbench, type Workbench } from '../../testing/loading.ts';

const at = Date.parse('2026-03-10T04:00:00Z');

type Told = Partial<ReportNote> & { live_code_id?: number; ip?: string; path?: string };
const reportOf = ({ reason = 'fraud', text = '', live_code_id = 0, ip = '114.114.114.114', path = '/abcd' }: Told = {}) =>
  visitOf({ at, outcome: outcomes.indexOf('reported'), open_log: false, live_code_id, ip, path, note: noteOf({ reason, text }) });

async function openWithCode(): Promise<{ bench: Workbench; owner: number; code: number }> {
  const bench = await openWorkbench();
  const { id: owner } = await bench.one(
    `WITH made AS (INSERT INTO role (name, kind) VALUES ('reports', 'customer') RETURNING id)
     INSERT INTO user_account (account, password_hash, role_id, invitation_code) SELECT 'owner', 'none', id, 'invite' FROM made RETURNING id`,
  );
  const { id: code } = await bench.one(`INSERT INTO live_code (owner_id, file_name, name) VALUES (${owner}, 'abcd', 'abcd') RETURNING id`);
  bench.start();
  return { bench, owner: Number(owner), code: Number(code) };
}

const reportsOf = (bench: Workbench) =>
  bench.all(`SELECT live_code_id::int, owner_id::int, file_name, host, reason, text, host(ip) AS ip, state, at FROM report ORDER BY id`);

describe('reports of visitors', () => {
  test('become rows with the owner of the code, known by its id or by its file name alone', async () => {
    const { bench, owner, code } = await openWithCode();
    writeSegment(bench.folder, endedSource(), 1, [
      reportOf({ live_code_id: code, text: '假的 😀' }),
      reportOf({ reason: 'gambling', ip: '2001:0db8::0001' }),
      reportOf({ path: '/none' }),
      visitOf({ at, live_code_id: code, note: noteOf({ reason: 'fraud', text: 'no report' }) }),
      { ...reportOf({ ip: '1.2.3.4' }), note: 'what no program of ours wrote' },
    ]);
    await bench.finished(1);
    const common = { live_code_id: code, owner_id: owner, file_name: 'abcd', host: 'qr.example.com', state: 'new', at: new Date(at) };
    expect(await reportsOf(bench)).toEqual([
      { ...common, reason: 'fraud', text: '假的 😀', ip: '114.114.114.114' },
      { ...common, reason: 'gambling', text: '', ip: '2001:db8::1' },
    ]);
    expect((await bench.all('SELECT FROM visit')).length).toBe(1);
    expect((await bench.one('SELECT visits::int FROM live_code_total')).visits).toBe(1);
  });

  test('of one address count once until somebody has looked, and a code of which two hundred wait gathers no more', async () => {
    const { bench, code } = await openWithCode();
    const source = endedSource();
    writeSegment(bench.folder, source, 1, [reportOf({ live_code_id: code }), reportOf({ live_code_id: code, text: 'again' })]);
    await bench.finished(1);
    expect(await reportsOf(bench)).toHaveLength(1);
    await bench.all(`UPDATE report SET state = 'dismissed'`);
    writeSegment(bench.folder, endedSource(), 1, [reportOf({ live_code_id: code, text: 'anew' })]);
    await bench.finished(2);
    expect(await reportsOf(bench)).toMatchObject([{ state: 'dismissed' }, { state: 'new', text: 'anew' }]);
    const many = (third: number) =>
      Array.from({ length: 250 }, (_, index) => reportOf({ live_code_id: code, ip: `10.0.${third}.${index}` }));
    writeSegment(bench.folder, endedSource(), 1, many(1));
    await bench.finished(3);
    writeSegment(bench.folder, endedSource(), 1, many(2));
    await bench.finished(4);
    expect((await bench.one(`SELECT count(*)::int AS number FROM report WHERE state = 'new'`)).number).toBe(251);
  });
});

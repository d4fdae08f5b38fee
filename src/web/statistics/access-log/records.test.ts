import { expect, test } from 'vitest';
import type { AccessRecord } from '../../../contract/visits/access-log.ts';
import { filterCounts, shownRecords } from './records.ts';

const record = (ip: string, change: Partial<AccessRecord> = {}): AccessRecord => ({
  ip,
  ip_count: 1,
  latest_ip_belong: '中国 广东',
  latest_source: 'browser',
  latest_user_agent: `agent of ${ip}`,
  latest_create_time: '2026-03-11T04:00:00.000Z',
  latest_key: null,
  country: '中国',
  region: '广东',
  city: '',
  carrier: 'other',
  system: 'Windows',
  system_version: '10',
  brand: '',
  model: '',
  model_name: '',
  browser: 'Chrome',
  ...change,
});
const flagsOf = (...records: AccessRecord[]) => shownRecords(records).map(({ flags }) => flags);

test('a count above 9 and below 20 is often, from 20 on very often', () => {
  const counts = [9, 10, 19, 20, 100_000].map((ip_count, index) => record(`1.1.${index}.1`, { ip_count }));
  expect(flagsOf(...counts)).toEqual([[], ['often'], ['often'], ['very_often'], ['very_often']]);
});

test('only another record with the same first three segments makes a neighbour', () => {
  expect(flagsOf(record('1.2.3.4'), record('1.2.3.40'), record('1.2.30.4'), record('11.2.3.4'))).toEqual([
    ['neighbour'],
    ['neighbour'],
    [],
    [],
  ]);
});

test('an address abroad is told from one whose country nobody knows', () => {
  const messenger = { latest_source: 'messenger' } as const;
  expect(flagsOf(record('1.1.1.1', { country: '美国', ...messenger }), record('2.2.2.2', { country: '', ...messenger }))).toEqual([
    ['foreign'],
    [],
  ]);
});

test('the messenger in China is a flag, its business edition too, and all flags of a record are kept in their order', () => {
  const both = { ip_count: 25, latest_source: 'messenger_enterprise' } as const;
  expect(flagsOf(record('1.1.1.1', both), record('1.1.1.2', { country: '美国' }))).toEqual([
    ['neighbour', 'very_often', 'messenger'],
    ['foreign', 'neighbour'],
  ]);
});

test('each filter counts its records', () => {
  const same = { latest_user_agent: 'the same' };
  const records = shownRecords([
    record('1.1.1.1', { carrier: 'mobile', system: 'iOS', brand: 'Apple', latest_source: 'messenger', ...same }),
    record('1.1.2.1', { carrier: 'mobile', system: 'Android', brand: 'Huawei', ...same }),
    record('1.1.3.1', { carrier: 'unicom', system: 'macOS', brand: 'Apple' }),
    record('1.1.4.1', { carrier: 'telecom', latest_source: 'messenger_enterprise' }),
    record('1.1.5.1', { country: '日本', latest_source: 'messenger', latest_user_agent: '' }),
    record('1.1.6.1', { latest_user_agent: '' }),
  ]);
  expect(filterCounts(records)).toEqual({
    ...{ all: 6, mobile: 2, unicom: 1, telecom: 1, messenger: 3, foreign: 1, apple: 2, android: 1, same_agent: 2 },
  });
  expect(filterCounts([])).toMatchObject({ all: 0, same_agent: 0 });
});

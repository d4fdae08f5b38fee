import { describe, expect, test } from 'vitest';
import { groups } from '../../../contract/api.ts';
import { maximumTargets } from '../../../contract/codes/live-code.ts';
import type { Call, Group } from '../../../contract/kit/call.ts';
import { bodyLimitOf, countValues, greatestBytes, inputSchema } from './input-bounds.ts';

const calls = Object.values(groups as Record<string, Group>).flatMap((group) =>
  Object.entries(group.calls).map(([action, call]) => [`${group.name}/${action}`, call] as [string, Call]),
);

describe.each(calls)('%s', (_path, call) => {
  test('has a bound for every array, every text and every object of free form', () => {
    const unbounded: string[] = [];
    greatestBytes(inputSchema(call.input), (path) => unbounded.push(path));
    expect(unbounded).toEqual([]);
  });

  test('takes a body of 64 kB, a public one of 8 kB, or of what its greatest input or the contract says', () => {
    const limit = bodyLimitOf(call);
    const needed = greatestBytes(inputSchema(call.input));
    if (call.bodyLimit === undefined) expect(limit).toBeGreaterThanOrEqual(needed);
    else expect(needed).toBeGreaterThan(2_000_000 / 1.1 - 1000);
    if (limit > (call.access.kind === 'public' ? 8192 : 65_536) && call.bodyLimit === undefined) expect(limit).toBeLessThan(needed * 1.3);
    if (call.access.kind === 'public') expect(limit).toBeLessThan(32_000);
    expect(limit).toBeLessThan(3_200_000);
  });
});

const fits = (path: string, input: object) => {
  const call = calls.find(([name]) => name === path)?.[1];
  if (!call) throw new Error(`there is no call ${path}`);
  expect(call.input.safeParse(input).error?.issues ?? []).toEqual([]);
  expect(Buffer.byteLength(JSON.stringify(input))).toBeLessThanOrEqual(bodyLimitOf(call));
};

test('calls that state their limit take what people send them', () => {
  const rules = Array.from({ length: 4 }, () => ({ regions: Array.from({ length: 34 }, () => '内蒙古'), hours: [1, 2, 3, 4, 5, 6] }));
  const texts = Array.from({ length: 50 }, () => ({ kind: 'text', content: '码'.repeat(8192), rules }));
  const links = Array.from({ length: maximumTargets }, () => ({ kind: 'url', content: `https://example.com/${'x'.repeat(2000)}`, rules }));
  const qr_design = { logo: 'x'.repeat(250_000) };
  for (const targets of [texts, links]) {
    fits('qr_code_list/add', { name: '名', targets, qr_design });
    fits('qr_code_list/update', { id: 1, version: 1, targets, qr_design });
    fits('qr_code_list/test_visit', { draft: { targets }, visitor: {} });
    fits('qr_code_list/simulate', { draft: { targets }, visits: 1000 });
  }
  const urls = Array.from({ length: 5000 }, (_, index) => `https://example.com/${'path/'.repeat(60)}${index}`);
  fits('short_code/add', { request_key: '6fa459ea-ee8a-4ca4-894e-db77e160355e', urls });
  fits('batche_query/inquire', { lines: urls.slice(0, 2000) });
  const chinese = Array.from({ length: 20 }, () => ({ kind: 'announcement', title: '公告', enabled: true, body: '公'.repeat(30_000) }));
  fits('home_page_config/update', { version: 1, blocks: chinese });
  fits('language_list/import_texts', { code: 'zh-CN', json: '码'.repeat(1_000_000) });
  fits('language_list/reset_texts', { code: 'zh-CN', keys: Array.from({ length: 5000 }, () => 'a'.repeat(200)) });
  fits('domain_list/add_many', { type: 1, lines: Array.from({ length: 2000 }, () => 'a'.repeat(500)) });
  const networks = Array.from({ length: 5000 }, () => '2001:db8:aaaa:bbbb:cccc:dddd:eeee:ffff/128');
  for (const path of ['ip_black/add', 'server_ip_black/add', 'server_ip_black/check']) fits(path, { lines: networks });
});

test('values of a body are counted without calling oneself; one that is too deep or has too many keys has no number', () => {
  expect(countValues({ a: [1, { b: 2 }], c: 'x' })).toBe(5);
  expect(countValues(JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toBeUndefined();
  expect(countValues({ a: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [index, 0])) })).toBeUndefined();
  expect(countValues(Array.from({ length: 400_000 }, () => [0]))).toBe(800_000);
});

import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import type { BlockCheck } from '../../../contract/detection/wx-shield-detection.ts';
import type { Page } from '../../../contract/kit/page.ts';
import { showBlockCheck } from './pushed.ts';

const check: BlockCheck = {
  id: 7,
  total: 12,
  done: 0,
  blocked: 0,
  failed: 0,
  normal: 0,
  created_at: '2026-11-27T08:00:00Z',
  finished_at: null,
};
const over = { ...check, done: 12, blocked: 3, normal: 9, finished_at: '2026-11-27T08:00:02Z' };
const queryKey = ['wx_shield_detection', 'checks', { ids: [7] }];
const pageOf = (row: BlockCheck): Page<BlockCheck> => ({ content: [row], total: 1, page: 1, page_size: 1 });

test('what is pushed is shown at once', () => {
  const client = new QueryClient();
  client.setQueryData(queryKey, pageOf(check));
  showBlockCheck(client, over);
  expect(client.getQueryData(queryKey)).toEqual(pageOf(over));
});

test.each([
  ['first', undefined],
  ['again', check],
])('what is pushed while the list is asked for %s is not lost to an answer that was read before', async (_when, held) => {
  const client = new QueryClient();
  if (held) client.setQueryData(queryKey, pageOf(held));
  const answer = Promise.withResolvers<Page<BlockCheck>>();
  const asking = client.fetchQuery({ queryKey, queryFn: () => answer.promise });
  showBlockCheck(client, { ...over, done: 5, finished_at: null });
  showBlockCheck(client, over);
  answer.resolve(pageOf(check));
  await asking;
  expect(client.getQueryData(queryKey)).toEqual(pageOf(over));
});

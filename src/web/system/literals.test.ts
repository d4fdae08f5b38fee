import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const wordsOf = (file: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL(`../../locales/zh-CN/${file}.json`, import.meta.url), 'utf8'));

test('a browser without sockets is told so in the words of the specification', () => {
  expect(wordsOf('socket').unsupported).toBe('抱歉您的浏览器不支持websocket,请更换浏览器再次尝试');
});

test('a template that makes no sentence says that the conversion failed', () => {
  expect(wordsOf('log_config').conversion_failed).toBe('转换失败');
});

test('the maintenance page asks to watch the group messages and promises a notification', () => {
  const { title, watch } = wordsOf('maintain');
  expect(title).toContain('维护');
  expect(watch).toContain('群消息');
  expect(watch).toContain('通知');
});

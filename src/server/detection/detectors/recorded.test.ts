import { expect, test } from 'vitest';
import { readRecorded } from './recorded.ts';

const asked = encodeURIComponent('http://shop.example/a');
const blockPage = 'https://weixin110.qq.com/cgi-bin/mmspamsupport-bin/newredirectconfirmcgi';
const redirect = (location: string) => readRecorded('redirects.json', JSON.stringify({ data: [{ location }] }));

test.each([
  [`http://shop.example/a?url=${asked}`, 'normal:'],
  [`${blockPage}?main_type=2&url=${asked}`, 'blocked:'],
  [`${blockPage}?main_type=1&url=${asked}`, 'normal (it only warns)'],
  [`https://mp.weixinbridge.com/mp/wappoc_appmsgcaptcha?url=${asked}`, 'no answer: captcha'],
  [`https://elsewhere.example/?url=${asked}`, 'no answer: leads elsewhere'],
])('a redirect to %s is told', (location, words) => {
  expect(redirect(location)).toEqual([expect.stringContaining(words)]);
});

test('a page is evidence, whatever stands on it; other files are left', () => {
  const page = `<script>var cgiData = {"type":"block","title":"已停止访问该网页","desc":"网页包含&quot;诱导&quot;内容"};</script>`;
  expect(readRecorded('page.html', page)).toEqual(['evidence: 已停止访问该网页, 网页包含"诱导"内容']);
  expect(readRecorded('list.json', '[1]')).toEqual([]);
  expect(readRecorded('notes.md', '# Notes')).toEqual([]);
});

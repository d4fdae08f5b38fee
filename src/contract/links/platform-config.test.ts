import { expect, test } from 'vitest';
import { platformConfig } from './platform-config.ts';

const asking = {
  method: 'POST' as const,
  url: 'https://api.example.com/make',
  body_kind: 'json' as const,
  body: '{"long":"{url}"}',
  read: { kind: 'json' as const, path: '$.link' },
};

test('a request as services want it is accepted', () => {
  expect(platformConfig.safeParse({ ...asking, type: 4, headers: [{ name: 'X-Api-Key', value: '{key}' }] }).success).toBe(true);
});

test.each([
  ['a host from outside in an address', { ...asking, type: 4, url: 'https://{url}/x' }],
  ['a host that runs on into the gap', { type: 1, url: 'https://a.example{url}', read: { kind: 'body' } }],
  ['credentials in an address', { ...asking, type: 4, url: 'https://a:b@c.example/{url}' }],
  ['another scheme', { ...asking, type: 4, url: 'file:///etc/passwd' }],
  ['an address without its gap', { type: 1, url: 'https://a.example/', read: { kind: 'body' } }],
  ['a prefix that the destination could finish', { type: 2, prefix: 'https://a.example', encoding: 'none' }],
  ['a template without an asterisk', { type: 14, template: 'https://a.example/' }],
  ['a header with a line break', { ...asking, type: 4, headers: [{ name: 'x', value: 'a\r\nb: c' }] }],
  ['a reading without a path', { ...asking, type: 4, read: { kind: 'json' } }],
  ['a field of another type', { type: 3, template: 'x' }],
  ['a type that there is not', { type: 16 }],
])('%s is refused', (_what, config) => {
  expect(platformConfig.safeParse(config).success).toBe(false);
});

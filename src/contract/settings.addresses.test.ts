import { expect, test } from 'vitest';
import { settings } from './settings.ts';

const takes = (key: 'visit_addresses' | 'dns_servers', value: string) => settings[key].schema.safeParse([value]).success;

test.each(['203.0.113.7', '2001:db8::1', ' Sites.Example.net ', 'a.xn--fiqs8s'])('the visit path may be reached at %s', (value) => {
  expect(takes('visit_addresses', value)).toBe(true);
});
test.each(['', '999.1.1.1', 'a b.com', 'https://a.com', 'localhost', '203.0.113.7:80', '*.a.com'])(
  '%j is no address of the visit path',
  (value) => {
    expect(takes('visit_addresses', value)).toBe(false);
  },
);

test.each(['223.5.5.5', '127.0.0.1:5353', '[2001:db8::1]', '[::1]:53'])('%s may be asked for names', (value) => {
  expect(takes('dns_servers', value)).toBe(true);
});
test.each(['', '999.1.1.1', '1.1.1.1:0', '1.1.1.1:65536', 'dns.google', '::1', '[1.1.1.1]', '1.1.1.1:53:53'])(
  '%j is no name server',
  (value) => {
    expect(takes('dns_servers', value)).toBe(false);
  },
);

test.each([
  ['', true],
  ['https://rdap.example/domain/{domain}', true],
  ['https://rdap.example/?name={domain}', true],
  ['https://rdap.example/domain/', false],
  ['ftp://rdap.example/{domain}', false],
  ['{domain}', false],
])('that registries are asked at %j is taken: %s', (value, isTaken) => {
  expect(settings.rdap_url.schema.safeParse(value).success).toBe(isTaken);
});

import { describe, expect, it } from 'vitest';
import type { Domain } from '../model.ts';
import { createLanguageReader, fileNameOf, parameterOf, readAddress } from '../requests.ts';
import { createHosts } from './hosts.ts';
import { createLruCache } from './lru-cache.ts';

const domains = ['a.example', '*.a.example', '*.deep.a.example', 'x.deep.a.example', 'localhost:3001', 'localhost', '[::1]:3001'].map(
  (host, index): Domain => ({ id: index + 1, host, type: 1, holder_id: null, block_status: null, is_frozen: false }),
);

describe('a host', () => {
  const hosts = createHosts(domains);
  it.each([
    ['a.example', 'a.example'],
    ['A.Example', 'a.example'],
    ['a.example.', 'a.example'],
    ['a.example:8080', 'a.example'],
    ['a.example:', 'a.example'],
    ['b.a.example', '*.a.example'],
    ['c.b.a.example:443', '*.a.example'],
    ['x.deep.a.example', 'x.deep.a.example'],
    ['y.deep.a.example', '*.deep.a.example'],
    ['deep.a.example', '*.a.example'],
    ['localhost:3001', 'localhost:3001'],
    ['localhost:3002', 'localhost'],
    ['[::1]:3001', '[::1]:3001'],
  ])('%s is found as %s', (header, found) => {
    expect(hosts.find(header)?.host).toBe(found);
    // From memory, too.
    expect(hosts.find(header)?.host).toBe(found);
  });

  it.each([
    '',
    'example',
    'notа.example',
    'a.example.evil',
    'xa.example',
    '.a.example..',
    '[::1]',
    '*.a.example.com',
    'a.example/x',
    'a b',
  ])('%j is not', (header) => {
    expect(hosts.find(header)).toBeUndefined();
    expect(hosts.find(header)).toBeUndefined();
  });

  it('is looked up exactly where many random ones are asked for', () => {
    for (let index = 0; index < 20_000; index += 1) expect(hosts.find(`h${index}.evil`)).toBeUndefined();
    expect(hosts.find('a.example')?.id).toBe(1);
  });
});

describe('a held map', () => {
  it('never holds more than its limit and keeps what is used', () => {
    const held = createLruCache<number>(100);
    held.set('kept', 1);
    for (let index = 0; index < 10_000; index += 1) {
      held.set(`k${index}`, index);
      expect(held.get('kept')).toBe(1);
      expect(held.size()).toBeLessThanOrEqual(100);
    }
    expect(held.get('k0')).toBeUndefined();
    expect(new Set([...held.entries()].map(([key]) => key)).size).toBe(held.size());
    held.delete('kept');
    expect(held.get('kept')).toBeUndefined();
  });
});

describe('a weighed map', () => {
  it('holds no more than its weight', () => {
    const held = createLruCache<string>(1000, (text) => text.length);
    for (let index = 0; index < 1000; index += 1) {
      held.set(`k${index}`, 'x'.repeat(index % 100));
      const weight = [...held.entries()].reduce((sum, [, text]) => sum + text.length, 0);
      expect(weight).toBeLessThanOrEqual(1200);
    }
    expect(held.get('k999')).toBe('x'.repeat(99));
  });
});

describe('a request line', () => {
  it.each([
    ['/abcd', { path: '/abcd', query: '', host: undefined }],
    ['/abcd?t=x?y', { path: '/abcd', query: 't=x?y', host: undefined }],
    ['http://evil.example/abcd?s=1', { path: '/abcd', query: 's=1', host: 'evil.example' }],
    ['HTTPS://evil.example', { path: '/', query: '', host: 'evil.example' }],
    ['*', { path: '*', query: '', host: undefined }],
  ])('%s is read', (url, address) => {
    expect(readAddress(url)).toEqual(address);
  });

  it.each([
    ['/abcd', 'abcd'],
    ['/abcd/', 'abcd'],
    ['/ABCD', 'abcd'],
    ['/', ''],
    ['/abc', ''],
    ['/abcd/efgh', ''],
    ['/abc%64', ''],
    ['/../abcd', ''],
    [`/${'a'.repeat(33)}`, ''],
    ['//abcd', ''],
  ])('%s asks for the file name %j', (path, name) => {
    expect(fileNameOf(path)).toBe(name);
  });

  it('has its parameters as they were written', () => {
    expect(parameterOf('a=1&t=x&t=y', 't')).toBe('x');
    expect(parameterOf('tt=1&at=2', 't')).toBe('');
    expect(parameterOf('s', 's')).toBe('');
    expect(parameterOf('s=', 's')).toBe('');
  });

  it('has its language, and the first tag for the record', () => {
    const read = createLanguageReader('zh-CN');
    expect(read('en-US,en;q=0.9')).toEqual({ page: 2, tag: 'en-US' });
    expect(read(undefined)).toEqual({ page: 0, tag: '' });
    expect(read('<script>').tag).toBe('');
    expect(read('x'.repeat(10_000)).tag.length).toBe(35);
  });
});

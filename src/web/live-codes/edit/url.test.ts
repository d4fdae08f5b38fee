import { describe, expect, test } from 'vitest';
import { completeUrl, shortAddress } from './url.ts';

describe('an address without its scheme', () => {
  test.each([
    ['example.com', 'https://example.com'],
    ['  www.example.com/a?b=1#c ', 'https://www.example.com/a?b=1#c'],
    ['example.com:8080/x', 'https://example.com:8080/x'],
    ['例子.中国/路径', 'https://例子.中国/路径'],
  ])('%s gets https', (typed, completed) => {
    expect(completeUrl(typed)).toBe(completed);
  });

  test.each([
    'https://example.com',
    'weixin://dl/scan',
    'mailto:a@example.com',
    'tel:+861',
    'hello',
    'a b.com',
    '',
    '1.2',
    'javascript:alert(1)',
    '../x',
    'http://localhost:3000',
  ])('%s stays as it was typed', (typed) => {
    expect(completeUrl(typed)).toBe(typed.trim());
  });
});

test('a short address leaves out the scheme and a lone slash, and is cut at its end', () => {
  expect(shortAddress('https://example.com/')).toBe('example.com');
  expect(shortAddress('weixin://dl/scan')).toBe('weixin://dl/scan');
  expect(shortAddress(`https://example.com/${'x'.repeat(100)}`, 20)).toHaveLength(20);
});

import { describe, expect, test } from 'vitest';
import { isSnippetId, type SnippetPreset, snippetOf, snippetOriginPattern, snippetPresets } from './js-config.providers.ts';

const presets = Object.entries(snippetPresets) as [SnippetPreset, (typeof snippetPresets)[SnippetPreset]][];
const hostile = [
  "');alert(1)//",
  '</script><script>',
  'a\nb',
  "${'x'}",
  '\u2028',
  '',
  ' ',
  '%27',
  'a'.repeat(5000),
  '../../x',
  '"',
  "G-1234567'",
  'é',
];
const source = { code: '', origins: [] };

describe.each(presets)('%s', (provider, { example, script, origins }) => {
  test('makes a script that runs from the id that it shows as an example', () => {
    expect(isSnippetId(provider, example)).toBe(true);
    expect(snippetOf({ provider, provider_id: example, ...source })).toEqual({ script: script(example), origins: origins(example) });
    expect(() => new Function(script(example))).not.toThrow();
    expect(script(example)).not.toMatch(/<|\$\{/);
  });

  test('names origins only that a security policy can hold, those that it loads from among them', () => {
    for (const origin of origins(example)) expect(origin).toMatch(snippetOriginPattern);
    const loaded = [...script(example).matchAll(/https:\/\/[a-z0-9.-]+/g)].map(([origin]) => origin);
    expect(loaded.length).toBeGreaterThan(0);
    const isNamed = (origin: string) => [origin, origin.replace(/\/\/[^.]+/, '//*')].some((name) => origins(example).includes(name));
    expect(loaded.filter((origin) => !isNamed(origin))).toEqual([]);
  });

  test('takes no id that could be anything else', () => {
    for (const id of hostile) {
      expect(isSnippetId(provider, id)).toBe(false);
      expect(isSnippetId(provider, example + id) && id !== '' && !/^a+$/.test(id)).toBe(false);
      expect(snippetOf({ provider, provider_id: id, ...source })).toBeNull();
    }
    expect(isSnippetId(provider, `${example}\n`)).toBe(false);
  });
});

test('an Umami of its own is loaded from its host and reports there only', () => {
  const provider_id = '8f14e45f-ceea-467f-a2b5-1c0d3e7f9a6b@stats.example.com';
  const snippet = snippetOf({ provider: 'umami', provider_id, ...source });
  expect(snippet?.origins).toEqual(['https://stats.example.com']);
  expect(snippet?.script).toContain("s.src='https://stats.example.com/script.js'");
  expect(isSnippetId('umami', `${provider_id}'`)).toBe(false);
  expect(isSnippetId('umami', '8f14e45f-ceea-467f-a2b5-1c0d3e7f9a6b@stats')).toBe(false);
});

test('code of one’s own stands as it was written, with those origins that are any', () => {
  const origins = [
    'https://a.example',
    'https://*.b.example',
    'http://c.example',
    "https://d.example 'unsafe-inline'",
    '*',
    'https://x.example/path',
  ];
  expect(snippetOf({ provider: 'code', provider_id: '', code: 'go()', origins })).toEqual({
    script: 'go()',
    origins: ['https://a.example', 'https://*.b.example'],
  });
  expect(snippetOf({ provider: 'nobody', provider_id: '', code: 'go()', origins })).toBeNull();
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultQrDesign, designLimits, isLogoSource, toFrameText, toQrDesign } from './design.ts';
import { presets } from './presets.ts';
import { renderSvg } from './svg.ts';

test('a valid design passes unchanged', () => {
  for (const { design } of presets) expect(toQrDesign(design)).toEqual(design);
  const logo = { src: '/files/logo.png', ratio: 0.25, padding: 1, rounded: false };
  expect(toQrDesign({ ...defaultQrDesign, logo })).toEqual({ ...defaultQrDesign, logo });
});

test('what is missing takes its default', () => {
  for (const nothing of [undefined, null, 7, 'x', [], {}]) expect(toQrDesign(nothing)).toEqual(defaultQrDesign);
  expect(toQrDesign({ size: 300 })).toEqual({ ...defaultQrDesign, size: 300 });
});

test('numbers are held within their limits', () => {
  expect(toQrDesign({ size: 1, margin: 0 })).toMatchObject({ size: designLimits.size.min, margin: 2 });
  expect(toQrDesign({ size: 1e9, margin: 99 })).toMatchObject({ size: designLimits.size.max, margin: 12 });
  expect(toQrDesign({ size: Number.NaN, margin: Number.POSITIVE_INFINITY })).toMatchObject({ size: 1024, margin: 4 });
  const logo = { src: '/a.png', ratio: 5, padding: 50 };
  expect(toQrDesign({ logo }).logo).toMatchObject({ ratio: 0.3, padding: 2 });
});

test('whatever is stored can be drawn', () => {
  const part = fc.record(
    {
      size: fc.anything(),
      margin: fc.anything(),
      foreground: fc.oneof(
        fc.anything(),
        fc.record({ kind: fc.constant('gradient'), from: fc.string(), to: fc.constant('#abc'), angle: fc.double() }),
      ),
      background: fc.anything(),
      dot_style: fc.anything(),
      logo: fc.oneof(fc.anything(), fc.record({ src: fc.webUrl(), ratio: fc.double(), padding: fc.double() })),
      frame: fc.oneof(
        fc.anything(),
        fc.record({ kind: fc.constantFrom('box', 'top'), text: fc.string({ unit: 'binary' }), text_color: fc.string() }),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(part, (stored) => {
      const design = toQrDesign(stored);
      expect(toQrDesign(design)).toEqual(design);
      expect(renderSvg('https://go.example.com', design)).not.toMatch(/NaN|Infinity|undefined|null/);
    }),
    { numRuns: 60 },
  );
});

test('logos come from pictures, our own origin or the web, never from scripts', () => {
  const good = [
    'data:image/png;base64,AA',
    'data:image/svg+xml,%3Csvg/%3E',
    '/files/a.png',
    'https://cdn.example.com/a.png',
    'HTTP://a.example/x',
  ];
  const bad = [
    'javascript:alert(1)',
    'data:text/html,x',
    'data:image/svg+xmlx,',
    '//evil.example/a',
    '/\\evil.example',
    '/\t/evil.example',
    'file:///etc/passwd',
    '',
    ' https://a',
    7,
    null,
  ];
  for (const src of good) expect(isLogoSource(src), src).toBe(true);
  for (const src of bad) expect(isLogoSource(src), String(src)).toBe(false);
});

test('frame text is one line of whole characters', () => {
  expect(toFrameText('  扫\n一\t扫  ')).toBe('扫 一 扫');
  expect(toFrameText(`${'👨‍👩‍👧'.repeat(60)}`)).toBe('👨‍👩‍👧'.repeat(40));
  expect(toFrameText('a\ud800b')).toBe('a\ufffdb');
  expect(toFrameText('x'.repeat(1_000_000))).toHaveLength(40);
  expect(toFrameText(7)).toBe('');
});

import { expect, test } from 'vitest';
import { expectWithin, timeOf } from '../server/kit/testing/within.ts';
import { sampleLogo, sampleTexts } from '../web/qr/testing/samples.ts';
import { defaultQrDesign, dotStyles, type QrDesign, type QrFrame } from './design.ts';
import { createMatrix, QrTextError } from './matrix.ts';
import { presets } from './presets.ts';
import { drawSvg, renderSvg } from './svg.ts';

const text = sampleTexts.short;
const frame = (changes: Partial<QrFrame>): QrFrame => ({ ...defaultQrDesign.frame, kind: 'bottom', ...changes });

/** Every element and attribute of a drawing; anything else in it fails the test that asks. */
const elements =
  /<(?:\/?(?:svg|g|defs|linearGradient|clipPath|text)|(?:svg|g|path|linearGradient|stop|clipPath|image|text)(?: [a-z-]+[A-Za-z0-9]*="[^"<>]*")+\/?)>/g;

test.for(presets.map(({ id, design }) => [id, design] as const))('the preset %s stays small for a typical URL', ([, design]) => {
  expect(renderSvg(text, design).length).toBeLessThan(30_000);
});

test('a plain code takes fewer bytes than one path a module would', () => {
  expect(renderSvg(text, defaultQrDesign).length).toBeLessThan(4_000);
  expect(renderSvg(sampleTexts.long, defaultQrDesign).length).toBeLessThan(12_000);
});

test.for([
  '</text><script>alert(1)</script>',
  '"><image href="https://evil.example/x.png"/>',
  "' onload='alert(1)",
  '&lt;b&gt; &amp; &#60;',
  ']]><!--',
  '\u0000\u0008\u001b\ufffe\uffff\ud800',
])('the frame text %j cannot leave its element', (hostile) => {
  const svg = renderSvg(text, { ...defaultQrDesign, frame: frame({ text: `x${hostile}` }) });
  expect(svg.replace(/>[^<>]*<\/text>/, '></text>').replace(elements, '')).toBe('');
  expect(svg).not.toMatch(/<script|<image/);
  expect(svg).toMatch(/^[^\p{Cc}\ufffe\uffff]*$/u);
  expect(svg.isWellFormed()).toBe(true);
  expect(svg).toContain('>x');
});

test('a stored design with hostile values draws the defaults instead', () => {
  const hostile = '#000"/><script>alert(1)</script>';
  // As it would come out of a database that someone else wrote to.
  const design = JSON.parse(
    JSON.stringify({
      size: '1" onload="x',
      margin: { toString: 'x' },
      foreground: { kind: 'gradient', from: hostile, to: '#000', angle: hostile },
      background: hostile,
      corner_color: hostile,
      dot_style: hostile,
      corner_style: '__proto__',
      corner_dot_style: 'constructor',
      error_level: 'Z',
      logo: { src: 'javascript:alert(1)', ratio: 'big', padding: -5, rounded: 'yes' },
      frame: { kind: 'box', text: 'ok', text_color: hostile, frame_color: hostile },
    }),
  ) as QrDesign;
  const svg = renderSvg(text, design);
  expect(svg).not.toMatch(/script|onload|javascript/);
  expect(svg.replace('>ok</text>', '></text>').replace(elements, '')).toBe('');
  expect(svg).toContain('width="1024"');
});

test('a logo address is escaped and keeps its place clear', () => {
  const src = `https://cdn.example.com/a.png?x=1&y="><script>`;
  const design = { ...defaultQrDesign, logo: { src, ratio: 0.2, padding: 1, rounded: false } };
  const { svg, logo, moduleCount } = drawSvg(text, design);
  expect(svg).toContain('href="https://cdn.example.com/a.png?x=1&amp;y=&quot;&gt;&lt;script&gt;"');
  expect(logo).toMatchObject({ start: (moduleCount - 7) / 2, modules: 7 });
  expect(drawSvg(text, design, { omitLogo: true }).svg).not.toContain('<image');
});

test('a logo never reaches corner marks or timing lines, even in the smallest symbol', () => {
  const { logo, moduleCount } = drawSvg('1', { ...defaultQrDesign, logo: { src: sampleLogo, ratio: 0.3, padding: 2, rounded: true } });
  expect(moduleCount).toBe(25);
  expect(logo?.start).toBeGreaterThanOrEqual(8);
  expect((logo?.start ?? 0) + (logo?.modules ?? 0)).toBeLessThanOrEqual(moduleCount - 8);
});

test('the width is the size asked for, whatever the frame', () => {
  for (const kind of ['none', 'bottom', 'top', 'box'] as const) {
    for (const size of [128, 333, 2048]) {
      expect(renderSvg(text, { ...defaultQrDesign, size, frame: frame({ kind, text: '扫一扫' }) })).toContain(`width="${size}"`);
    }
  }
});

test('a frame without text is left out, but a card keeps its border', () => {
  const bare = renderSvg(text, defaultQrDesign);
  expect(renderSvg(text, { ...defaultQrDesign, frame: frame({ text: '  ' }) })).toBe(bare);
  const card = renderSvg(text, { ...defaultQrDesign, frame: frame({ kind: 'box', text: '' }) });
  expect(card).toContain('fill-rule="evenodd" d="M');
  expect(card).not.toContain('<text');
});

test('frame text shrinks to its box and is cut when that is not enough', () => {
  const label = (value: string) => drawSvg(text, { ...defaultQrDesign, frame: frame({ text: value }) }).layout.label;
  expect(label('扫一扫')?.text).toBe('扫一扫');
  expect(label('微信扫码加入群聊领取')?.fontSize).toBeLessThan(label('扫一扫')?.fontSize ?? 0);
  expect(label('码'.repeat(500))?.text).toMatch(/^码{8,20}…$/);
});

test('a drawing is the same every time', () => {
  for (const { design } of presets) expect(renderSvg(text, design)).toBe(renderSvg(text, design));
});

test('a transparent ground draws no ground', () => {
  expect(renderSvg(text, { ...defaultQrDesign, background: 'transparent' })).not.toContain('#ffffff');
});

test.for(dotStyles)('the largest symbol is drawn in %s without delay', async (dot_style) => {
  await expectWithin(3000, () => timeOf(() => expect(renderSvg('a'.repeat(2300), { ...defaultQrDesign, dot_style })).toContain('</svg>')));
});

test('a text that no symbol can hold is refused with a code', () => {
  const codeOf = (value: string) => {
    try {
      renderSvg(value, defaultQrDesign);
    } catch (error) {
      return error instanceof QrTextError ? error.code : error;
    }
  };
  expect(codeOf('')).toBe('qr.text_empty');
  expect(codeOf('a'.repeat(5_000))).toBe('qr.text_too_long');
  expect(codeOf('码'.repeat(2_000))).toBe('qr.text_too_long');
});

test('the error level rises where it costs no space', () => {
  const low = createMatrix('https://a.co', 'L');
  expect(low.level).not.toBe('L');
  expect(low.size).toBe(createMatrix('https://a.co', low.level).size);
  expect(createMatrix('a'.repeat(2_900), 'L').level).toBe('L');
});

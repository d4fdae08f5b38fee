import { beforeAll, describe, expect, test } from 'vitest';
import { defaultQrDesign, type QrDesign } from '../../../qr/design.ts';
import { presets } from '../../../qr/presets.ts';
import { drawSvg, renderSvg } from '../../../qr/svg.ts';
import type { Pixels } from '../drawing/pixels.ts';
import { prepareReaderInNode, rasteriseInNode, sampleLogo, sampleTexts } from '../testing/samples.ts';
import { checkPixels, drawingWarnings } from './check.ts';

beforeAll(prepareReaderInNode);

const text: string = sampleTexts.short;
const solid = (color: string): QrDesign['foreground'] => ({ kind: 'solid', color });
const check = async (changes: Partial<QrDesign>, value = text) =>
  checkPixels(await rasteriseInNode(renderSvg(value, { ...defaultQrDesign, ...changes })), value);
const ownWarnings = (changes: Partial<QrDesign>, value = text) => drawingWarnings(drawSvg(value, { ...defaultQrDesign, ...changes }));

describe('a picture', () => {
  test.for(presets.map(({ id, design }) => [id, design] as const))('of the preset %s is safe and draws no warning', async ([, design]) => {
    expect(await check(design)).toEqual({ ok: true, safe: true, warnings: [] });
    expect(ownWarnings(design)).toEqual([]);
  });

  test('that reads close by but not from afar is readable and not safe', async () => {
    expect(await check({ size: 1024 }, 'x'.repeat(1200))).toEqual({ ok: true, safe: false, warnings: ['too_dense'] });
  });

  test('that is small is judged from afar by its large drawing', async () => {
    const small = await rasteriseInNode(renderSvg(text, { ...defaultQrDesign, size: 150 }));
    const large = await rasteriseInNode(renderSvg(text, defaultQrDesign));
    expect(await checkPixels(small, text)).toMatchObject({ ok: true, safe: false });
    expect(await checkPixels(small, text, large)).toMatchObject({ ok: true, safe: true });
  });

  test('that holds another text is different', async () => {
    const report = await checkPixels(await rasteriseInNode(renderSvg('https://other.example.com', defaultQrDesign)), text);
    expect(report).toMatchObject({ ok: false, safe: false, reason: 'different' });
  });

  test('without a code is unreadable', async () => {
    const blank: Pixels = { data: new Uint8ClampedArray(300 * 300 * 4).fill(255), width: 300, height: 300 };
    expect(await checkPixels(blank, text)).toEqual({ ok: false, safe: false, reason: 'unreadable', warnings: ['low_contrast'] });
  });

  test.for([1, 2])('of %s pixels a side is unreadable rather than an error', async (side) => {
    const speck: Pixels = { data: new Uint8ClampedArray(side * side * 4), width: side, height: side };
    expect(await checkPixels(speck, text)).toMatchObject({ ok: false, reason: 'unreadable' });
  });

  test('on a transparent ground is judged as on white paper', async () => {
    const image = await rasteriseInNode(renderSvg(text, { ...defaultQrDesign, background: 'transparent' }));
    for (let i = 0; i < image.data.length; i += 4) if (image.data[i] === 255) image.data[i + 3] = 0;
    expect(await checkPixels(image, text)).toEqual({ ok: true, safe: true, warnings: [] });
  });
});

describe('low contrast is reported', () => {
  test.for(['#f5f5f5', '#ffe066', '#c0c0c0'])('for %s on white, by picture and by values', async (color) => {
    expect((await check({ foreground: solid(color) })).warnings).toContain('low_contrast');
    expect(ownWarnings({ foreground: solid(color) })).toEqual(['low_contrast']);
  });

  test('for a gradient with one pale end', async () => {
    const foreground: QrDesign['foreground'] = { kind: 'gradient', from: '#000000', to: '#f0f0f0', angle: 90 };
    expect((await check({ foreground })).warnings).toContain('low_contrast');
    expect(ownWarnings({ foreground })).toEqual(['low_contrast']);
  });

  test('for pale corner marks', async () => {
    expect((await check({ corner_color: '#ffd43b' })).warnings).toEqual(['low_contrast']);
    expect(ownWarnings({ corner_color: '#ffd43b' })).toEqual(['low_contrast']);
  });

  test('for a light code on a dark ground, which many scanners cannot read', async () => {
    const inverted = { foreground: solid('#fff'), background: '#000' };
    expect(await check(inverted)).toEqual({ ok: false, safe: false, reason: 'unreadable', warnings: ['low_contrast'] });
    expect(ownWarnings(inverted)).toEqual(['low_contrast']);
  });

  test('for modules in the colour of the ground', async () => {
    expect(await check({ foreground: solid('#ffffff') })).toMatchObject({ ok: false, reason: 'unreadable', warnings: ['low_contrast'] });
  });
});

describe('a logo', () => {
  const logo = { src: sampleLogo, ratio: 0.3, padding: 1, rounded: true };

  test('that hides more than the code can restore is reported as too big', async () => {
    expect(await check({ logo, error_level: 'L' }, sampleTexts.long)).toEqual({
      ok: false,
      safe: false,
      reason: 'unreadable',
      warnings: ['logo_too_big'],
    });
  });

  test('that uses up nearly all of the error correction is readable but reported as too big', async () => {
    const report = await check({ logo, error_level: 'Q' });
    expect(report).toMatchObject({ ok: true, warnings: ['logo_too_big'] });
  });

  test('of moderate size is fine at level H', async () => {
    expect(await check({ logo: { ...logo, ratio: 0.2 }, error_level: 'H' })).toEqual({ ok: true, safe: true, warnings: [] });
  });
});

describe('the quiet zone is reported', () => {
  test.for([2, 3])('when only %s modules wide', async (margin) => {
    expect((await check({ margin })).warnings).toEqual(['quiet_zone']);
    expect(ownWarnings({ margin })).toEqual(['quiet_zone']);
  });

  test('when something is printed into it', async () => {
    const svg = renderSvg(text, defaultQrDesign).replace('</svg>', '<path d="M0 0H15V370H0z"/></svg>');
    expect((await checkPixels(await rasteriseInNode(svg), text)).warnings).toContain('quiet_zone');
  });
});

describe('density is reported', () => {
  test('for a text that needs very many modules', async () => {
    expect((await check({}, 'x'.repeat(600))).warnings).toEqual(['too_dense']);
    expect(ownWarnings({}, 'x'.repeat(600))).toEqual(['too_dense']);
  });

  test('for an image with few pixels to a module', async () => {
    expect((await check({ size: 160 }, sampleTexts.chinese)).warnings).toEqual(['too_dense']);
    expect(ownWarnings({ size: 160 }, sampleTexts.chinese)).toEqual(['too_dense']);
  });
});

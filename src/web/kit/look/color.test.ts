import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seriesColors } from '../charts/colors.ts';
import { contrast, mix, textOn } from './color.ts';
import { linkOf, meanings, paletteOf, tintOf } from './theme.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const themes = [false, true] as const;

test('contrast is 21 between black and white and 1 between equals', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
  expect(contrast('#1f6feb', '#1f6feb')).toBe(1);
});

test('a mix lies between its colours', () => {
  expect(mix('#000000', '#ffffff', 0)).toBe('#000000');
  expect(mix('#000000', '#ffffff', 1)).toBe('#ffffff');
  expect(mix('#000000', '#ff0000', 0.5)).toBe('#800000');
});

test('whatever colour a site has, links in it can be read on every ground of both themes', () => {
  fc.assert(
    fc.property(color, fc.constantFrom(...themes), (accent, isDark) => {
      const { ground, surface, raised } = paletteOf(isDark);
      for (const below of [ground, surface, raised, tintOf(accent, isDark)])
        expect(contrast(linkOf(accent, isDark), below)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test('whatever colour a button has, its words can be read', () => {
  fc.assert(
    fc.property(color, (accent) => {
      expect(contrast(textOn(accent), accent)).toBeGreaterThanOrEqual(4.5);
    }),
  );
});

test.each(themes)('text, soft text and meanings can be read on every ground (dark: %s)', (isDark) => {
  const palette = paletteOf(isDark);
  const meaning = isDark ? meanings.dark : meanings.light;
  for (const ground of [palette.ground, palette.surface, palette.raised, palette.hover])
    for (const ink of [palette.text, palette.textSoft, ...Object.values(meaning)])
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5);
});

test.each(themes)('the eight colours of charts stand out from the ground and from each other (dark: %s)', (isDark) => {
  const colors = seriesColors(isDark);
  expect(new Set(colors).size).toBe(8);
  for (const one of colors) expect(contrast(one, paletteOf(isDark).surface)).toBeGreaterThanOrEqual(3);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contrast, darkGround, lightGround, themeOf } from './color.ts';

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

describe('themeOf', () => {
  it('stays readable with every colour an operator may choose', () => {
    fc.assert(
      fc.property(hex, (color) => {
        const theme = themeOf(color);
        expect(contrast(theme.accent, lightGround)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(theme.dark_accent, darkGround)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(theme.brand, theme.brand_ink)).toBeGreaterThanOrEqual(4.5);
        expect(contrast(theme.dark_brand, theme.dark_brand_ink)).toBeGreaterThanOrEqual(4.5);
        // Words on buttons are large and bold: 3:1.
        expect(contrast(theme.button, theme.button_ink)).toBeGreaterThanOrEqual(3);
        expect(contrast(theme.dark_button, theme.dark_button_ink)).toBeGreaterThanOrEqual(3);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps a colour that is readable already', () => {
    expect(themeOf('#1f6feb')).toMatchObject({ accent: '#1f6feb', button: '#1f6feb', button_ink: '#ffffff' });
    expect(themeOf('#06C').brand).toBe('#0066cc');
  });

  it('takes the default for anything that is no colour', () => {
    for (const color of ['', 'red', '#12', '#12345', '#1234567', '#ggg', 'url(x)', '#fff;}body{', 'rgb(1,2,3)', '#fff\n']) {
      expect(themeOf(color)).toEqual(themeOf('#1f6feb'));
    }
  });
});

import type { CSSProperties } from 'react';
import { mix, readableOn, textOn } from '../../kit/look/color.ts';

const light = '#ffffff';
const dark = '#12161b';

/** The operator's colour on a visitor page, for both grounds, as custom properties of the phone. */
export function pageColors(color: string): CSSProperties {
  const known = /^#[0-9a-f]{6}$/i.test(color) ? color : '#1f6feb';
  const dimmed = mix(known, '#000000', 0.7);
  return {
    '--page-accent-light': readableOn(known, light),
    '--page-accent-dark': readableOn(known, dark),
    '--page-button': known,
    '--page-ink': textOn(known),
    '--page-brand-light': known,
    '--page-brand-dark': dimmed,
  } as CSSProperties;
}

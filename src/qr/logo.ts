import type { QrDesign } from './design.ts';

/** Enough for a logo of 30 % of the largest image. */
export const inlineSide = 512;

/** A PNG data URL of a modest length is used as it is. */
export const needsInlining = ({ logo }: QrDesign): boolean =>
  logo !== null && !(logo.src.startsWith('data:image/png') && logo.src.length < 200_000);

/** Where a picture lies in a square of this side: whole and centred. An SVG without a size of its own fills it. */
export function placeInSquare(picture: { width: number; height: number }, side: number) {
  const [naturalWidth, naturalHeight] = [picture.width || 1, picture.height || 1];
  const scale = Math.min(side / naturalWidth, side / naturalHeight);
  const [width, height] = [naturalWidth * scale, naturalHeight * scale];
  return { x: (side - width) / 2, y: (side - height) / 2, width, height };
}

import { fontFamily } from '../../../qr/frame.ts';
import { contextOf, createCanvas, drawLogo } from '../drawing/canvas.ts';
import type { Ink, Painter } from './sheet.ts';

const dotsPerMm = 600 / 25.4;
const maxPixels = 4096;
/** A line that is too long is made smaller first, to this share, and then cut. */
const smallest = 0.72;

/** The text at printing resolution: the fonts built into PDF readers have no Chinese, and the system's may not be copied into a file. */
function paintText(text: string, { width, height, size, align, weight }: Parameters<Painter['text']>[1]): Ink {
  const scale = Math.min(dotsPerMm, maxPixels / Math.max(width, 1));
  const canvas = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = contextOf(canvas);
  const font = (share: number) => `${weight} ${size * scale * share}px ${fontFamily}`;
  context.font = font(1);
  const share = Math.max(smallest, Math.min(1, canvas.width / Math.max(1, context.measureText(text).width)));
  context.font = font(share);
  let shown = text;
  const letters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  while (letters.length > 1 && context.measureText(shown).width > canvas.width) {
    letters.pop();
    shown = `${letters.join('')}…`;
  }
  context.textAlign = align;
  context.textBaseline = 'middle';
  context.fillText(shown, align === 'left' ? 0 : canvas.width / 2, canvas.height / 2);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const ink = new Uint8Array(canvas.width * canvas.height);
  for (let at = 0; at < ink.length; at += 1) ink[at] = data[at * 4 + 3] ?? 0;
  return { width: canvas.width, height: canvas.height, data: ink };
}

/** Draws with the browser's canvas and the system's fonts. */
export const browserPainter: Painter = {
  text: paintText,
  async logo(logo, millimetres) {
    const side = Math.max(16, Math.min(600, Math.round(millimetres * (300 / 25.4))));
    const canvas = await drawLogo(logo, side);
    return contextOf(canvas).getImageData(0, 0, side, side);
  },
};

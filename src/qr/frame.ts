import type { QrDesign, QrFrame } from './design.ts';
import { number, rectPath, unit } from './shapes.ts';

/** Lengths are tenths of a module. `side` is the symbol with its quiet zone, whose upper left is at (x, y). */
export type Layout = { width: number; height: number; x: number; y: number; side: number; framePath: string; label: Label | null };

/** A line of text centred on (x, y). */
export type Label = { text: string; x: number; y: number; width: number; height: number; fontSize: number };

/** Without quotes, which CSS allows here: drawings hold no apostrophe, so that an address can use it for their attributes. */
export const fontFamily =
  '-apple-system,BlinkMacSystemFont,PingFang SC,Hiragino Sans GB,Microsoft YaHei,Noto Sans CJK SC,Noto Sans SC,Segoe UI,Roboto,Arial,sans-serif';
export const fontWeight = 600;

/** Where the middle of a line lies above its baseline, in ems: near enough for Latin capitals and for Chinese characters. */
export const baselineShift = 0.36;

const isWide = (grapheme: string) =>
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u.test(grapheme);

/** Ems that a semibold system font needs, on the generous side: a string has no canvas to measure with. */
const emsOf = (grapheme: string) => {
  if (isWide(grapheme)) return 1.02;
  if (grapheme === ' ') return 0.3;
  if (/[A-Z@%&mwMW]/.test(grapheme)) return 0.82;
  if (/[ijl.,:;'|!()[\]]/.test(grapheme)) return 0.36;
  return 0.6;
};

const graphemesOf = (text: string) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
const emsOfText = (graphemes: string[]) => graphemes.reduce((sum, grapheme) => sum + emsOf(grapheme), 0);

/** The largest size up to `largest` at which the text fits; below 0.42 of that the text is cut instead. */
function fitLabel(text: string, box: { x: number; y: number; width: number; height: number }, largest: number): Label {
  const smallest = largest * 0.42;
  let graphemes = graphemesOf(text);
  if (emsOfText(graphemes) * smallest > box.width) {
    while (graphemes.length > 0 && (emsOfText(graphemes) + 1) * smallest > box.width) graphemes = graphemes.slice(0, -1);
    graphemes.push('…');
  }
  const fontSize = Math.min(largest, box.width / emsOfText(graphemes));
  return { ...box, text: graphemes.join(''), fontSize: Math.floor(fontSize * 10) / 10 };
}

/** A pill as wide as the symbol, with a small pointer towards it: beyond the quiet zone, above or below. */
function pillLayout(kind: 'top' | 'bottom', frame: QrFrame, side: number, margin: number): Layout {
  const [height, pointer] = [Math.round(side * 0.15), Math.round(side * 0.028)];
  const width = side - 2 * margin;
  const top = kind === 'bottom' ? side + pointer : margin;
  const pointerBase = kind === 'bottom' ? top + 1 : top + height - 1;
  const pointerStep = kind === 'bottom' ? -pointer - 1 : pointer + 1;
  const middle = side / 2;
  // Both shapes turn the same way round, so their overlap stays filled.
  const [from, to] = kind === 'bottom' ? [-1, 1] : [1, -1];
  const arrow = `M${number(middle + from * pointer * 1.2)} ${number(pointerBase)}L${number(middle)} ${number(pointerBase + pointerStep)}L${number(middle + to * pointer * 1.2)} ${number(pointerBase)}z`;
  const box = { x: middle, y: top + height / 2, width: width - height * 0.9, height };
  return {
    width: side,
    height: side + pointer + height + margin,
    x: 0,
    y: kind === 'bottom' ? 0 : margin + height + pointer,
    side,
    framePath: rectPath(margin, top, width, height, height * 0.32) + arrow,
    label: fitLabel(frame.text, box, height * 0.54),
  };
}

/** A card around the symbol, its window cut out so that a transparent background stays transparent. */
function boxLayout(frame: QrFrame, side: number): Layout {
  const border = Math.round(side * 0.045);
  const band = frame.text === '' ? border : Math.round(side * 0.17);
  const [width, height] = [side + 2 * border, side + border + band];
  // The window's corners stay tighter than the quiet zone, whatever the symbol's size.
  const [outer, inner] = [Math.round(side * 0.07), Math.min(Math.round(side * 0.03), 1.5 * unit)];
  const box = { x: width / 2, y: border + side + band / 2, width: side - inner, height: band };
  return {
    width,
    height,
    x: border,
    y: border,
    side,
    framePath: rectPath(0, 0, width, height, outer) + rectPath(border, border, side, side, inner),
    label: frame.text === '' ? null : fitLabel(frame.text, box, band * 0.46),
  };
}

export function layoutOf(moduleCount: number, { frame, margin }: QrDesign): Layout {
  const side = (moduleCount + 2 * margin) * unit;
  if (frame.kind === 'box') return boxLayout(frame, side);
  if (frame.kind === 'none' || frame.text === '') return { width: side, height: side, x: 0, y: 0, side, framePath: '', label: null };
  return pillLayout(frame.kind, frame, side, margin * unit);
}

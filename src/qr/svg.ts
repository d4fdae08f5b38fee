import type { QrDesign } from './design.ts';
import { toQrDesign } from './design.ts';
import { baselineShift, fontFamily, fontWeight, type Label, type Layout, layoutOf } from './frame.ts';
import { createMatrix, type QrMatrix } from './matrix.ts';
import { type IsDark, outlinePath, type Rounding } from './outline.ts';
import { alignmentPath, circlePath, cornerDotPath, cornerRingPath, diamondPath, number, rectPath, unit } from './shapes.ts';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeXml = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

/** A symbol that carries a logo starts at version 2: in version 1 there is no room between the corner marks. */
const minVersionWithLogo = 2;

/** The square that a logo takes: `start` and `modules` count cleared modules, `x`, `y`, `size` are the picture's place in drawing units. */
type LogoArea = { start: number; modules: number; x: number; y: number; size: number };

/** A finished drawing with the places of what other formats draw by themselves. */
export type Drawing = { svg: string; layout: Layout; moduleCount: number; logo: LogoArea | null; design: QrDesign };

/** Leaves out what the caller draws himself: nested pictures in a canvas, text in a PDF. */
type DrawOptions = { omitLogo?: boolean; omitText?: boolean };

function logoAreaOf(size: number, { logo }: QrDesign, origin: { x: number; y: number }): LogoArea | null {
  if (!logo) return null;
  // The symbol's side is odd, so an odd square sits exactly on the grid; corner marks and timing lines stay untouched.
  const wanted = 2 * Math.round((size * logo.ratio + 2 * logo.padding - 1) / 2) + 1;
  const modules = Math.min(wanted, size - 16);
  const start = (size - modules) / 2;
  const padding = Math.min(logo.padding, (modules - 1) / 2) * unit;
  return { start, modules, x: origin.x + start * unit + padding, y: origin.y + start * unit + padding, size: modules * unit - 2 * padding };
}

const isInCorner = (x: number, y: number, size: number) => (x < 7 && (y < 7 || y >= size - 7)) || (x >= size - 7 && y < 7);

function isDarkOf(matrix: QrMatrix, logo: LogoArea | null): IsDark {
  const { size, dark } = matrix;
  const isUnderLogo = (value: number) => logo !== null && value >= logo.start && value < logo.start + logo.modules;
  return (x, y) =>
    x >= 0 && y >= 0 && x < size && y < size && dark[y * size + x] === 1 && !isInCorner(x, y, size) && !(isUnderLogo(x) && isUnderLogo(y));
}

const roundings: Record<'square' | 'rounded' | 'classy', Rounding> = {
  square: { outer: [0, 0, 0, 0], inner: 0 },
  rounded: { outer: [0.5, 0.5, 0.5, 0.5], inner: 0.2 },
  // Arriving upwards ends in an upper left corner, arriving downwards in a lower right one.
  classy: { outer: [0, 0.5, 0, 0.5], inner: 0 },
};

/** Dots smaller than this share of a module vanish first when a phone sees the code from afar. */
const dotRadius = 0.47;
const diamondReach = 0.62;

function modulesPath({ size, alignments }: QrMatrix, isDark: IsDark, style: QrDesign['dot_style']): string {
  if (style !== 'dots' && style !== 'diamond') return outlinePath(size, isDark, roundings[style]);
  // Scanners find their bearings by the alignment marks: broken into dots these are located up to a module off.
  const whole = alignments.filter(
    ({ x, y }) => isDark(x, y) && isDark(x - 2, y - 2) && isDark(x + 2, y + 2) && isDark(x - 2, y + 2) && isDark(x + 2, y - 2),
  );
  const isInMark = (x: number, y: number) => whole.some((mark) => Math.abs(mark.x - x) <= 2 && Math.abs(mark.y - y) <= 2);
  let path = whole.map(({ x, y }) => alignmentPath(x, y, style === 'dots')).join('');
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      if (!isDark(x, y) || isInMark(x, y)) continue;
      const [centerX, centerY] = [(x + 0.5) * unit, (y + 0.5) * unit];
      path += style === 'dots' ? circlePath(centerX, centerY, dotRadius * unit) : diamondPath(centerX, centerY, diamondReach * unit);
    }
  }
  return path;
}

/** The gradient runs across the symbol's square, whatever its angle; the id differs with its values so that drawings can share a page. */
function gradientOf(foreground: QrDesign['foreground'], length: number): { fill: string; definition: string } {
  if (foreground.kind === 'solid') return { fill: foreground.color, definition: '' };
  const { from, to, angle } = foreground;
  const radians = (angle * Math.PI) / 180;
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)];
  const reach = (length / 2) * (Math.abs(cos) + Math.abs(sin));
  const middle = length / 2;
  const id = `g${from.slice(1)}-${to.slice(1)}-${number(angle)}-${length}`;
  const ends = `x1="${number(middle - cos * reach)}" y1="${number(middle - sin * reach)}" x2="${number(middle + cos * reach)}" y2="${number(middle + sin * reach)}"`;
  const stops = `<stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/>`;
  return { fill: `url(#${id})`, definition: `<linearGradient id="${id}" gradientUnits="userSpaceOnUse" ${ends}>${stops}</linearGradient>` };
}

function symbolMarkup(matrix: QrMatrix, design: QrDesign, layout: Layout, logo: LogoArea | null): string {
  const { size } = matrix;
  const { fill, definition } = gradientOf(design.foreground, size * unit);
  const far = (size - 7) * unit;
  const corners = [
    [0, 0],
    [far, 0],
    [0, far],
  ] as const;
  const ring = corners.map(([x, y]) => cornerRingPath(x, y, design.corner_style)).join('');
  const dots = corners.map(([x, y]) => cornerDotPath(x, y, design.corner_dot_style)).join('');
  const offset = design.margin * unit;
  return (
    `<g transform="translate(${layout.x + offset} ${layout.y + offset})">${definition && `<defs>${definition}</defs>`}` +
    `<path fill="${fill}" d="${modulesPath(matrix, isDarkOf(matrix, logo), design.dot_style)}"/>` +
    `<path fill="${design.corner_color ?? fill}" fill-rule="evenodd" d="${ring}${dots}"/></g>`
  );
}

function logoMarkup(src: string, area: LogoArea, isRounded: boolean): string {
  const { x, y, size } = area;
  const image = `<image x="${number(x)}" y="${number(y)}" width="${number(size)}" height="${number(size)}" preserveAspectRatio="xMidYMid meet" href="${escapeXml(src)}"`;
  if (!isRounded) return `${image}/>`;
  const id = `l${number(x)}-${number(y)}-${number(size)}`;
  return `<clipPath id="${id}"><path d="${rectPath(x, y, size, size, size * logoCornerRadius)}"/></clipPath>${image} clip-path="url(#${id})"/>`;
}

/** Of the logo's side. */
export const logoCornerRadius = 0.2;

const textMarkup = (label: Label, color: string) =>
  `<text x="${number(label.x)}" y="${number(label.y + label.fontSize * baselineShift)}" font-family="${fontFamily}" font-size="${label.fontSize}" ` +
  `font-weight="${fontWeight}" text-anchor="middle" fill="${color}">${escapeXml(label.text)}</text>`;

/** The drawing as SVG with the geometry that PNG and PDF need. Throws QrTextError. */
export function drawSvg(text: string, uncheckedDesign: QrDesign, options: DrawOptions = {}): Drawing {
  // Designs come from storage and forms; whatever reaches the markup below is a checked colour, number or choice.
  const design = toQrDesign(uncheckedDesign);
  const matrix = createMatrix(text, design.error_level, design.logo ? minVersionWithLogo : 1);
  const layout = layoutOf(matrix.size, design);
  const offset = design.margin * unit;
  const logo = logoAreaOf(matrix.size, design, { x: layout.x + offset, y: layout.y + offset });
  const { width, height, x, y, side, framePath, label } = layout;
  const isBox = design.frame.kind === 'box';
  // Inside a card the ground lies only behind its window, one module under the card's edge, and the card's own corners stay clear.
  const ground = isBox ? rectPath(x - unit / 2, y - unit / 2, side + unit, side + unit) : rectPath(0, 0, width, height);
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" width="${design.size}" height="${Math.round((design.size * height) / width)}" viewBox="0 0 ${width} ${height}">` +
    (design.background === 'transparent' ? '' : `<path fill="${design.background}" d="${ground}"/>`) +
    (framePath && `<path fill="${design.frame.frame_color}"${isBox ? ' fill-rule="evenodd"' : ''} d="${framePath}"/>`) +
    symbolMarkup(matrix, design, layout, logo) +
    (logo && design.logo && !options.omitLogo ? logoMarkup(design.logo.src, logo, design.logo.rounded) : '') +
    (label && !options.omitText ? textMarkup(label, design.frame.text_color) : '') +
    '</svg>';
  return { svg, layout, moduleCount: matrix.size, logo, design };
}

/** The SVG document of the text in the design; it stands alone when the logo is a data URL. Throws QrTextError when no symbol can hold the text. */
export const renderSvg = (text: string, design: QrDesign): string => drawSvg(text, design).svg;

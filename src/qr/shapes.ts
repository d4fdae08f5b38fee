import type { CornerDotStyle, CornerStyle } from './design.ts';

/** Lengths inside the drawing are tenths of a module, which keeps nearly all of them whole numbers. */
export const unit = 10;

export const number = (value: number) => String(Math.round(value * 100) / 100);

/** A closed circle; relative to nothing, so paths can be joined. */
export const circlePath = (centerX: number, centerY: number, radius: number) => {
  const [r, d] = [number(radius), number(radius * 2)];
  return `M${number(centerX - radius)} ${number(centerY)}a${r} ${r} 0 1 1 ${d} 0a${r} ${r} 0 1 1-${d} 0z`;
};

export const diamondPath = (centerX: number, centerY: number, reach: number) => {
  const r = number(reach);
  return `M${number(centerX - reach)} ${number(centerY)}l${r}-${r} ${r} ${r}-${r} ${r}z`;
};

/** A closed rectangle, its corners rounded by `radius`. */
export const rectPath = (x: number, y: number, width: number, height: number, radius = 0) => {
  if (radius <= 0) return `M${number(x)} ${number(y)}h${number(width)}v${number(height)}h${number(-width)}z`;
  const r = number(radius);
  const [across, down] = [width - 2 * radius, height - 2 * radius];
  const corner = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${number(dx)} ${number(dy)}`;
  return (
    `M${number(x + radius)} ${number(y)}h${number(across)}${corner(radius, radius)}v${number(down)}${corner(-radius, radius)}` +
    `h${number(-across)}${corner(-radius, -radius)}v${number(-down)}${corner(radius, -radius)}z`
  );
};

// The radii of a square with rounded corners shrink towards the inside so that the ring is equally thick all around.
const cornerRadius: Record<CornerStyle, number> = { square: 0, rounded: 2.2, circle: 3.5 };
const cornerDotRadius: Record<CornerDotStyle, number> = { square: 0, rounded: 0.9, dot: 1.5 };

/** The 7 × 7 ring of a corner mark with its upper left at (x, y); to be filled with the even-odd rule. */
export const cornerRingPath = (x: number, y: number, style: CornerStyle) => {
  const radius = cornerRadius[style] * unit;
  return rectPath(x, y, 7 * unit, 7 * unit, radius) + rectPath(x + unit, y + unit, 5 * unit, 5 * unit, Math.max(0, radius - unit));
};

/** The 3 × 3 centre of the corner mark whose ring begins at (x, y). */
export const cornerDotPath = (x: number, y: number, style: CornerDotStyle) =>
  rectPath(x + 2 * unit, y + 2 * unit, 3 * unit, 3 * unit, cornerDotRadius[style] * unit);

/** A 5 × 5 alignment mark around the module at (x, y); the inner contour turns the other way, so the nonzero rule leaves it open. */
export const alignmentPath = (x: number, y: number, isRound: boolean) => {
  const [left, top] = [(x - 2) * unit, (y - 2) * unit];
  const hole = `M${left + unit} ${top + unit}v${3 * unit}h${3 * unit}v-${3 * unit}z`;
  const centre = isRound ? circlePath((x + 0.5) * unit, (y + 0.5) * unit, unit / 2) : rectPath(x * unit, y * unit, unit, unit);
  return rectPath(left, top, 5 * unit, 5 * unit, isRound ? unit : 0) + hole + centre;
};

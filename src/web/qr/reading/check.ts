import { unit } from '../../../qr/shapes.ts';
import type { Drawing } from '../../../qr/svg.ts';
import { blur, luminanceAt, onWhite, type Pixels, shrink } from '../drawing/pixels.ts';
import { decodeImageData, type Point, type Reading } from './decode.ts';

export type ScanWarning = 'low_contrast' | 'logo_too_big' | 'quiet_zone' | 'too_dense';

/**
 * `ok`: the drawn image reads as expected. `safe`: it still does from afar and out of focus.
 * Warnings name what will trouble some phones, also when this reader managed.
 */
export type ScanReport = { ok: boolean; safe: boolean; reason?: 'unreadable' | 'different'; warnings: ScanWarning[] };

/** Below this ratio (WCAG 2) between ground and modules, phones fail in poor light. */
const minContrast = 3;
/** Of the error correction, kept for dirt, folds and glare. */
const minCorrectionLeft = 0.25;
/** In modules, as ISO/IEC 18004 asks for. */
const minQuietZone = 4;
/** Where a picture is looked at for that, in modules from the symbol: the reader's corners may be half a module off. */
const quietZoneProbes = [0.9, 1.7, 2.5, 3.3] as const;
/** Version 14: printed 3 cm wide, larger symbols have modules under 0.4 mm. */
const maxModules = 73;
/** Below this, where modules begin and end depends on how the picture happens to be scaled. */
const minModulePixels = 4;
/** From arm's length a code fills about a third of the picture that it fills close by. */
const distanceFactor = 0.3;

const percentile = (sorted: number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const contrastOf = (light: number, dark: number) => (light + 0.05) / (dark + 0.05);

/** The pixel at (u, v), counted in modules from the symbol's upper left; values outside the symbol reach into its quiet zone. */
function pointIn({ corners, moduleCount }: Reading, u: number, v: number): Point {
  const [topLeft, topRight, bottomRight, bottomLeft] = corners;
  const [a, b] = [u / moduleCount, v / moduleCount];
  const mix = (axis: 'x' | 'y') =>
    topLeft[axis] * (1 - a) * (1 - b) + topRight[axis] * a * (1 - b) + bottomRight[axis] * a * b + bottomLeft[axis] * (1 - a) * b;
  return { x: mix('x'), y: mix('y') };
}

const luminanceIn = (image: Pixels, reading: Reading, u: number, v: number) => {
  const { x, y } = pointIn(reading, u, v);
  return luminanceAt(image, x, y);
};

/** The luminance that separates dark modules from light ones, and the contrast between the palest dark and the darkest light ones. */
function measureModules(image: Pixels, reading: Reading): { threshold: number; contrast: number } {
  const { moduleCount } = reading;
  const values: number[] = [];
  for (let v = 0; v < moduleCount; v++) {
    for (let u = 0; u < moduleCount; u++) values.push(luminanceIn(image, reading, u + 0.5, v + 0.5) ?? 1);
  }
  values.sort((a, b) => a - b);
  const threshold = (percentile(values, 0.05) + percentile(values, 0.95)) / 2;
  // Dark modules come first; there is at least one of either kind unless all are alike.
  const split = values.findIndex((value) => value >= threshold);
  // A logo's own colours fall on either side; leaving out the nearest 15 % keeps them from being taken for modules.
  const [dark, light] = [percentile(values.slice(0, split), 0.85), percentile(values.slice(split), 0.15)];
  const far = moduleCount - 3.5;
  const corners = (
    [
      [3.5, 3.5],
      [far, 3.5],
      [3.5, far],
    ] as const
  ).map(([u, v]) => luminanceIn(image, reading, u, v) ?? 0);
  return { threshold, contrast: contrastOf(light, Math.max(dark, ...corners)) };
}

/** Whether the ground is clear around the symbol; a speck or a rounded corner is forgiven. */
function isQuietZoneClear(image: Pixels, reading: Reading, threshold: number): boolean {
  const { moduleCount } = reading;
  return quietZoneProbes.every((distance) => {
    const [near, far] = [-distance, moduleCount + distance];
    let disturbed = 0;
    let probes = 0;
    for (let along = near; along <= far; along += 0.5) {
      for (const [u, v] of [
        [along, near],
        [along, far],
        [near, along],
        [far, along],
      ] as const) {
        probes++;
        if ((luminanceIn(image, reading, u, v) ?? 0) < threshold) disturbed++;
      }
    }
    return disturbed < probes * 0.03;
  });
}

/** Without a symbol there are only the image's own extremes to go by. */
function contrastOfWhole(image: Pixels): number {
  const step = Math.max(1, Math.floor(Math.min(image.width, image.height) / 100));
  const values: number[] = [];
  for (let y = 0; y < image.height; y += step) {
    for (let x = 0; x < image.width; x += step) values.push(luminanceAt(image, x, y) ?? 1);
  }
  values.sort((a, b) => a - b);
  return contrastOf(percentile(values, 0.95), percentile(values, 0.05));
}

const modulePixelsOf = ({ corners: [topLeft, topRight], moduleCount }: Reading) =>
  Math.hypot(topRight.x - topLeft.x, topRight.y - topLeft.y) / moduleCount;

function warningsOf(image: Pixels, reading: Reading): ScanWarning[] {
  // In a picture this small single modules cannot be measured.
  if (modulePixelsOf(reading) < minModulePixels) return ['too_dense'];
  const { threshold, contrast } = measureModules(image, reading);
  const warnings: ScanWarning[] = reading.moduleCount > maxModules ? ['too_dense'] : [];
  if (contrast < minContrast || reading.isInverted) return [...warnings, 'low_contrast'];
  // With modules this clear, what the error correction had to restore is covered.
  if (reading.correctionLeft < minCorrectionLeft) warnings.push('logo_too_big');
  if (reading.isValid && !isQuietZoneClear(image, reading, threshold)) warnings.push('quiet_zone');
  return warnings;
}

const readsAs = async (image: Pixels, expectedText: string) => {
  const reading = await decodeImageData(image);
  return reading?.isValid === true && reading.text === expectedText;
};

/**
 * Judges an image by reading it. `large` is the same drawing at print size when `drawn` is a small one:
 * distance is simulated from it, since a small image has no detail left to lose.
 */
export async function checkPixels(drawn: Pixels, expectedText: string, large: Pixels = drawn): Promise<ScanReport> {
  const image = onWhite(drawn);
  const reading = await decodeImageData(image);
  if (!reading?.isValid) {
    if (reading) return { ok: false, safe: false, reason: 'unreadable', warnings: warningsOf(image, reading) };
    const isPale = contrastOfWhole(image) < minContrast;
    return { ok: false, safe: false, reason: 'unreadable', warnings: isPale ? ['low_contrast'] : [] };
  }
  const warnings = warningsOf(image, reading);
  if (reading.text !== expectedText) return { ok: false, safe: false, reason: 'different', warnings };
  const afar = blur(shrink(onWhite(large), distanceFactor));
  return { ok: true, safe: await readsAs(afar, expectedText), warnings };
}

const luminanceOf = (color: string) => {
  const digits = color.length === 4 ? Array.from(color.slice(1), (digit) => digit + digit).join('') : color.slice(1);
  const bytes = [0, 2, 4].map((start) => Number.parseInt(digits.slice(start, start + 2), 16));
  return luminanceAt({ data: Uint8ClampedArray.from([...bytes, 255]), width: 1, height: 1 }, 0, 0) ?? 0;
};

/** What a drawing's own values give away, whether or not it can be read; a transparent ground is taken for white paper. */
export function drawingWarnings({ design, layout, moduleCount }: Drawing): ScanWarning[] {
  const { foreground, background, corner_color, margin, size } = design;
  const colors = foreground.kind === 'solid' ? [foreground.color] : [foreground.from, foreground.to];
  if (corner_color) colors.push(corner_color);
  const ground = luminanceOf(background === 'transparent' ? '#ffffff' : background);
  const modulePixels = (size * unit) / layout.width;
  const warnings: ScanWarning[] = [];
  if (colors.some((color) => contrastOf(ground, luminanceOf(color)) < minContrast)) warnings.push('low_contrast');
  if (margin < minQuietZone) warnings.push('quiet_zone');
  if (moduleCount > maxModules || modulePixels < minModulePixels) warnings.push('too_dense');
  return warnings;
}

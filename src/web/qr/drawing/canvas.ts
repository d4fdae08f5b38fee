import type { QrDesign, QrLogo } from '../../../qr/design.ts';
import { placeInSquare } from '../../../qr/logo.ts';
import { drawSvg, logoCornerRadius } from '../../../qr/svg.ts';

/** Thrown when the logo cannot be loaded, or when its server does not let it be copied into a drawing; `code` is a translation key. */
export class QrLogoError extends Error {
  code = 'qr.logo_unreadable' as const;
}

/** An SVG as an image address. Only what would end the address or the attribute is escaped: everything escaped would be half as long again. */
export const svgDataUrl = (svg: string) =>
  `data:image/svg+xml,${encodeURIComponent(svg.replaceAll('"', "'")).replace(/%(?:20|2C|2F|3A|3D|3B)/g, decodeURIComponent)}`;

async function loadImage(src: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = src;
  await image.decode();
  return image;
}

export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('This browser has no canvas');
  return context;
}

export function createCanvas(width: number, height: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

/** An SVG document drawn at its own size, or at the given width. */
export async function rasterise(svg: string, width?: number): Promise<HTMLCanvasElement> {
  const image = await loadImage(svgDataUrl(svg));
  const target = width ?? image.naturalWidth;
  const canvas = createCanvas(target, Math.round((target * image.naturalHeight) / image.naturalWidth));
  contextOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The logo as a square picture of `side` pixels, whole and centred, with its corners rounded if it wants that. Throws QrLogoError. */
export async function drawLogo(logo: QrLogo, side: number): Promise<HTMLCanvasElement> {
  const image = await loadImage(logo.src).catch(() => {
    throw new QrLogoError(`The logo cannot be loaded: ${logo.src.slice(0, 100)}`);
  });
  const canvas = createCanvas(side, side);
  const context = contextOf(canvas);
  context.imageSmoothingQuality = 'high';
  if (logo.rounded) {
    context.beginPath();
    context.roundRect(0, 0, side, side, side * logoCornerRadius);
    context.clip();
  }
  const { x, y, width, height } = placeInSquare({ width: image.naturalWidth, height: image.naturalHeight }, side);
  context.drawImage(image, x, y, width, height);
  return canvas;
}

/**
 * The design drawn at the given width. The logo is painted by itself: pictures inside an SVG picture may still be missing
 * when some browsers report it as loaded. Throws QrTextError and QrLogoError.
 */
export async function drawDesign(text: string, design: QrDesign, width: number): Promise<HTMLCanvasElement> {
  const drawing = drawSvg(text, design, { omitLogo: true });
  const canvas = await rasterise(drawing.svg, width);
  if (drawing.logo && drawing.design.logo) {
    const scale = width / drawing.layout.width;
    const { x, y, size } = drawing.logo;
    const logo = await drawLogo(drawing.design.logo, Math.max(1, Math.round(size * scale)));
    contextOf(canvas).drawImage(logo, x * scale, y * scale, size * scale, size * scale);
  }
  return canvas;
}

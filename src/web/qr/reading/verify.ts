import type { QrDesign } from '../../../qr/design.ts';
import { drawSvg } from '../../../qr/svg.ts';
import { contextOf, drawDesign, rasterise } from '../drawing/canvas.ts';
import type { Pixels } from '../drawing/pixels.ts';
import type { ScanReport } from './check.ts';

export type { ScanReport, ScanWarning } from './check.ts';

/** Wide enough to show every detail that a scanner could use; wider images only take longer. */
const printPixels = 1024;

/** The reader is a megabyte of WebAssembly, loaded from our own origin the first time that a code is checked. */
async function loadReader() {
  const [check, decode, wasm] = await Promise.all([
    import('./check.ts'),
    import('./decode.ts'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  const response = await fetch(wasm.default);
  if (!response.ok) throw new Error(`The reader could not be loaded: ${response.status}`);
  decode.prepareReader(await response.arrayBuffer());
  return check;
}

let reader: ReturnType<typeof loadReader> | undefined;

function readerOnce() {
  reader ??= loadReader();
  // A failed load may work the next time.
  reader.catch(() => {
    reader = undefined;
  });
  return reader;
}

const pixelsOf = (canvas: HTMLCanvasElement): Pixels => contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);

/** Draws nothing but what it is given, reads it, and says whether it holds the expected text. Browser only. */
export async function verifyScan(svgOrImageData: string | Pixels, expectedText: string): Promise<ScanReport> {
  const { checkPixels } = await readerOnce();
  if (typeof svgOrImageData !== 'string') return checkPixels(svgOrImageData, expectedText);
  const drawn = await rasterise(svgOrImageData);
  const large = drawn.width < printPixels ? await rasterise(svgOrImageData, printPixels) : drawn;
  return checkPixels(pixelsOf(drawn), expectedText, pixelsOf(large));
}

/**
 * Draws the design as the PNG download does and reads it back; warnings come from the picture and from the design's own values.
 * Browser only. Throws QrTextError and QrLogoError.
 */
export async function verifyDesign(text: string, design: QrDesign): Promise<ScanReport> {
  const { checkPixels, drawingWarnings } = await readerOnce();
  const drawing = drawSvg(text, design);
  const { size, logo } = drawing.design;
  const drawAt = async (width: number) => pixelsOf(await drawDesign(text, drawing.design, width));
  const drawn = await drawAt(Math.min(size, printPixels));
  const report = await checkPixels(drawn, text, size < printPixels ? await drawAt(printPixels) : drawn);
  const warnings = new Set([...report.warnings, ...drawingWarnings(drawing)]);
  if (!logo) warnings.delete('logo_too_big');
  // Whether the logo is to blame shows when the same design is drawn without it.
  else if (!report.ok) {
    const bare = await drawDesign(text, { ...drawing.design, logo: null }, Math.min(size, printPixels));
    if ((await checkPixels(pixelsOf(bare), text)).ok) warnings.add('logo_too_big');
  }
  return { ...report, warnings: [...warnings] };
}

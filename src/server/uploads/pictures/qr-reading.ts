import { readFileSync } from 'node:fs';
import { Transformer } from '@napi-rs/image';
import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';

type Pixels = { data: Uint8ClampedArray<ArrayBuffer>; width: number; height: number };

/** From here on samples are of two bytes (`JsColorType`). */
const firstWideType = 4;
/** A pixel is four bytes: one grey in the first three, and 255 in the last, which is the highest of the word. */
const opaque = 0xff_00_00_00;
const greyStep = 0x01_01_01;
/** Small pictures are read once more at twice their size: a module of two pixels becomes one of four. */
const smallSide = 1024;

// From the package on disk: the library's own default is to fetch it from a foreign address.
const program = readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(program).buffer } });

/** Grey pixels on white paper: what is transparent shows the paper, as it does on the visitor's page. */
function pixelsOf(transformer: Transformer): Pixels {
  const { width, height, colorType } = transformer.metadataSync();
  const raw = transformer.rawPixelsSync();
  const wide = colorType >= firstWideType ? 2 : 1;
  const channels = raw.length / (width * height * wide);
  const words = new Uint32Array(width * height);
  const sample = (at: number): number => raw[at * wide + wide - 1] ?? 0;
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const from = pixel * channels;
    const grey = channels < 3 ? sample(from) : (sample(from) * 77 + sample(from + 1) * 151 + sample(from + 2) * 28) >> 8;
    const alpha = channels % 2 === 0 ? sample(from + channels - 1) / 255 : 1;
    words[pixel] = opaque + Math.round(grey * alpha + 255 * (1 - alpha)) * greyStep;
  }
  return { data: new Uint8ClampedArray(words.buffer), width, height };
}

function doubled({ data, width, height }: Pixels): Pixels {
  const large = new Transformer(
    Transformer.fromRgbaPixels(data, width, height)
      .resize(width * 2, height * 2)
      .pngSync(),
  );
  return pixelsOf(large);
}

async function read(pixels: Pixels, options: ReaderOptions): Promise<string[]> {
  // The library reads exactly these three fields of an ImageData, which Node does not have.
  const found = await readBarcodes(pixels as ImageData, {
    formats: ['QRCodeModel2'],
    maxNumberOfSymbols: 8,
    textMode: 'Plain',
    tryHarder: true,
    tryRotate: true,
    tryInvert: true,
    tryDownscale: true,
    ...options,
  });
  const sizes = new Map<string, number>();
  for (const { text, position } of found) {
    const size = Math.hypot(position.topRight.x - position.topLeft.x, position.topRight.y - position.topLeft.y);
    if (text.trim() !== '') sizes.set(text, Math.max(size, sizes.get(text) ?? 0));
  }
  return [...sizes].sort(([, one], [, other]) => other - one).map(([text]) => text);
}

/** The texts of the QR codes in a picture, the largest first. */
export async function textsIn(bytes: Uint8Array): Promise<string[]> {
  const pixels = pixelsOf(new Transformer(bytes));
  const sharp = await read(pixels, {});
  if (sharp.length > 0) return sharp;
  const blurred = await read(pixels, { binarizer: 'GlobalHistogram', tryDenoise: true });
  if (blurred.length > 0 || Math.max(pixels.width, pixels.height) > smallSide) return blurred;
  return read(doubled(pixels), {});
}

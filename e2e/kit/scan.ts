import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Pixels } from '../../src/web/qr/drawing/pixels.ts';
import { decodeImageData, prepareReader } from '../../src/web/qr/reading/decode.ts';
import { placeOf, sheetPresets } from '../../src/web/qr/sheet/layout.ts';
import { readSheet } from '../../src/web/qr/sheet/testing.ts';

let isPrepared = false;

/** What a scanner reads in a picture file; undefined where it sees no code. */
export async function scan(path: string): Promise<string | undefined> {
  const picture = await loadImage(readFileSync(path));
  const canvas = createCanvas(picture.width, picture.height);
  const context = canvas.getContext('2d');
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, picture.width, picture.height);
  return scanPixels({ data, width: picture.width, height: picture.height });
}

export async function scanPixels(pixels: Pixels): Promise<string | undefined> {
  if (!isPrepared) {
    const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'));
    prepareReader(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
    isPrepared = true;
  }
  return (await decodeImageData(pixels))?.text;
}

const pixelsPerPoint = 4;

/** What a scanner reads at the first places of a printed sheet of labels. */
export async function scanLabels(path: string, number: number): Promise<(string | undefined)[]> {
  const [first] = readSheet(readFileSync(path), pixelsPerPoint);
  const toPixels = (millimetres: number) => Math.round((millimetres / 25.4) * 72 * pixelsPerPoint);
  const grid = sheetPresets.a4_3x8;
  const [width, height] = [toPixels(grid.label_width), toPixels(grid.label_height)];
  return Promise.all(
    Array.from({ length: number }, async (_, at) => {
      const { x, y } = placeOf(at, grid, 0);
      const part = first?.canvas.getContext('2d').getImageData(toPixels(x), toPixels(y), width, height);
      return part && scanPixels({ data: part.data, width, height });
    }),
  );
}

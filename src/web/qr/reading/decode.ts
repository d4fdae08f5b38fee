import { prepareZXingModule, type ReaderOptions, readBarcodes } from 'zxing-wasm/reader';
import type { Pixels } from '../drawing/pixels.ts';

export type Point = { x: number; y: number };

/** What a reader saw. `isValid` is false when a symbol was found but is inverted, or hides more than its error correction can restore. */
export type Reading = {
  text: string;
  isValid: boolean;
  isInverted: boolean;
  /** How much of the error correction is left, 0 to 1. */
  correctionLeft: number;
  /** Modules along one side. */
  moduleCount: number;
  /** Clockwise from the upper left, in pixels. */
  corners: readonly [Point, Point, Point, Point];
};

let isPrepared = false;

/** Hands over the reader's program. It is never fetched by the library itself, whose default address is a foreign one. */
export function prepareReader(wasmBinary: ArrayBuffer): void {
  prepareZXingModule({ overrides: { wasmBinary } });
  isPrepared = true;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function correctionLeftOf(extra: string): number {
  const details: unknown = JSON.parse(extra || '{}');
  return isRecord(details) && typeof details.UEC === 'number' ? details.UEC : 0;
}

const read = async (image: Pixels, options: ReaderOptions) => {
  // The library reads exactly these three fields of an ImageData, which Node does not have.
  const input = { data: image.data, width: image.width, height: image.height } as ImageData;
  const [result] = await readBarcodes(input, { ...options, formats: ['QRCodeModel2'], maxNumberOfSymbols: 1, textMode: 'Plain' });
  return result;
};

/**
 * Reads one QR code from an image, in the browser and in Node; undefined when there is none. Needs `prepareReader` first.
 * A light code on a dark ground counts as not valid: many scanners do not read it.
 */
export async function decodeImageData(image: Pixels): Promise<Reading | undefined> {
  if (!isPrepared) throw new Error('prepareReader must be called before decodeImageData');
  // Only when nothing can be read is a damaged or inverted code looked for: asked at once, the first doubtful finding would be the answer.
  const valid = await read(image, { tryInvert: false });
  const result = valid ?? (await read(image, { tryInvert: true, returnErrors: true }));
  if (!result) return undefined;
  const { topLeft, topRight, bottomRight, bottomLeft } = result.position;
  return {
    text: result.text,
    isValid: valid !== undefined,
    isInverted: result.isInverted,
    correctionLeft: result.isValid ? correctionLeftOf(result.extra) : 0,
    moduleCount: result.symbol.width,
    corners: [topLeft, topRight, bottomRight, bottomLeft],
  };
}

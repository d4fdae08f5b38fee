import { TaskFault } from '../../kit/bounded/processes.ts';
import { type BoundedTasks, boundedTasks } from '../../kit/bounded/tasks.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type PictureHeader, readPictureHeader } from './picture-header.ts';
import { maxSide, pictureProgram } from './pictures.program.ts';

export type Picture = { bytes: Buffer; extension: 'jpg' | 'png' | 'webp'; content_type: string; width: number; height: number };

const maxPixels = 50_000_000;
/** 50 megapixels of three channels of 8 bit, as phones make them at 4:3, take just this. */
const maxWorkingBytes = 460_000_000;
const timeoutMilliseconds = 15_000;
/** What the decoder, the encoder and the passing on take besides, as measured from 4 to 50 megapixels: 30 to 40 MB. */
const besideBytes = 60_000_000;

/** The pixels as they are decoded and once more as they are turned, and the four bytes a sample of the library while it scales them. */
export function workingBytes({ width, height, channels, sampleBytes, isProgressive }: PictureHeader): number {
  const samples = width * height * channels;
  const scale = Math.min(1, maxSide / Math.max(width, height));
  const scaledHeight = Math.max(1, Math.round(height * scale));
  const scaling = scale < 1 ? width * scaledHeight * channels * 4 : 0;
  // Coefficients of two bytes are held until the last pass.
  const coefficients = isProgressive ? samples * 2 : 0;
  return 2 * samples * sampleBytes + Math.max(scaling, coefficients);
}

type Options = { tasks?: BoundedTasks; signal?: AbortSignal };

/**
 * A picture decoded and encoded anew, turned as its camera meant it, without metadata, at most 2048 pixels a side. A GIF becomes a PNG.
 * @param key whose picture it is: one at a time
 * @throws AppError 400 `upload.not_a_picture`, `upload.too_many_pixels`, `upload.too_demanding`, 429 `busy`, 503 `unavailable`
 */
export async function reencode(bytes: Buffer, key: string, { tasks = boundedTasks, signal }: Options = {}): Promise<Picture> {
  const header = readPictureHeader(bytes);
  if (!header) throw new AppError(400, 'upload.not_a_picture');
  const working = workingBytes(header);
  const costBytes = bytes.length + working + besideBytes;
  if (header.width * header.height > maxPixels || working > maxWorkingBytes) throw new AppError(400, 'upload.too_many_pixels');
  const { kind, width, height } = header;
  const answer = await tasks
    .run(pictureProgram, { key, costBytes, timeoutMilliseconds, signal }, { act: 'reencode', bytes, kind, maxPixels: width * height })
    .catch((error: unknown) => {
      if (!(error instanceof TaskFault)) throw error;
      if (!error.isTooMuch) throw new AppError(503, 'unavailable');
      tasks.holdBack(key);
      throw new AppError(400, 'upload.too_demanding');
    });
  if (!('picture' in answer)) throw new AppError(400, 'upload.not_a_picture');
  const extension = kind === 'gif' ? 'png' : kind;
  return { ...answer.picture, extension, content_type: `image/${extension === 'jpg' ? 'jpeg' : extension}` };
}

import { TaskFault } from '../../kit/bounded/processes.ts';
import { type BoundedTasks, boundedTasks } from '../../kit/bounded/tasks.ts';
import { AppError } from '../../kit/calls/errors.ts';
import { type PictureHeader, readPictureHeader } from './picture-header.ts';
import { maximumSide, pictureProgram } from './pictures.program.ts';

export type Picture = { bytes: Buffer; extension: 'jpg' | 'png' | 'webp'; content_type: string; width: number; height: number };

const maximumPixels = 40_000_000;
/** 40 megapixels of three channels of 8 bit, as cameras make them at 3:2, take just this. */
const maximumWorkingBytes = 375_000_000;
const timeoutMilliseconds = 15_000;

/** The pixels as they are decoded and once more as they are turned, and the four bytes a sample of the library while it scales them. */
export function workingBytes({ width, height, channels, sampleBytes, isProgressive }: PictureHeader): number {
  const samples = width * height * channels;
  const scale = Math.min(1, maximumSide / Math.max(width, height));
  const scaledHeight = Math.max(1, Math.round(height * scale));
  const scaling = scale < 1 ? width * scaledHeight * channels * 4 : 0;
  // Coefficients of two bytes are held until the last pass.
  const coefficients = isProgressive ? samples * 2 : 0;
  return 2 * samples * sampleBytes + Math.max(scaling, coefficients);
}

/**
 * A picture decoded and encoded anew, turned as its camera meant it, without metadata, at most 2048 pixels a side. A GIF becomes a PNG.
 * @param key whose picture it is: one at a time
 * @throws AppError 400 `upload.not_a_picture`, `upload.too_many_pixels`, `upload.too_demanding`, 429 `busy`, 503 `unavailable`
 */
export async function reencode(bytes: Buffer, key: string, tasks: BoundedTasks = boundedTasks): Promise<Picture> {
  const header = readPictureHeader(bytes);
  if (!header) throw new AppError(400, 'upload.not_a_picture');
  const costBytes = bytes.length + workingBytes(header);
  if (header.width * header.height > maximumPixels || costBytes - bytes.length > maximumWorkingBytes)
    throw new AppError(400, 'upload.too_many_pixels');
  const { kind, width, height } = header;
  const answer = await tasks
    .run(pictureProgram, { key, costBytes, timeoutMilliseconds }, { act: 'reencode', bytes, kind, maximumPixels: width * height })
    .catch((error: unknown) => {
      if (!(error instanceof TaskFault)) throw error;
      throw error.reason === 'crash' ? new AppError(503, 'unavailable') : new AppError(400, 'upload.too_demanding');
    });
  if (!('picture' in answer)) throw new AppError(400, 'upload.not_a_picture');
  const extension = kind === 'gif' ? 'png' : kind;
  return { ...answer.picture, extension, content_type: `image/${extension === 'jpg' ? 'jpeg' : extension}` };
}

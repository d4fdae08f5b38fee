import type { BoundedProgram } from '../../kit/bounded/program.ts';
import type { PictureKind } from './picture-header.ts';

export const maximumSide = 2048;

/** A picture to make anew, of no more pixels than its header says; or one to read, as it was made. */
export type PictureTask =
  | { act: 'reencode'; bytes: Uint8Array; kind: PictureKind; maximumPixels: number }
  | { act: 'read'; bytes: Uint8Array };
/** `texts` are those of the QR codes in the picture, the largest first; nothing where it could not be decoded. */
export type PictureAnswer = { picture: { bytes: Buffer; width: number; height: number } } | { texts: string[] } | Record<never, never>;

export const pictureProgram: BoundedProgram<PictureTask, PictureAnswer> = {
  file: new URL('./pictures.worker.ts', import.meta.url),
  heapMegabytes: 256,
};

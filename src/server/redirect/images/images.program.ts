import type { BoundedProgram } from '../../kit/bounded/program.ts';

export const imageFormats = ['png', 'svg'] as const;
export type ImageFormat = (typeof imageFormats)[number];

/** What an image is made of. */
export interface ImageTask {
  /** What its code holds. */
  text: string;
  /** As it is saved with the code, as JSON; null is the plain one. */
  design: string | null;
  /** The logo where the design names an uploaded picture; null where that is not here. */
  picture: { bytes: Uint8Array; type: string } | null;
  format: ImageFormat;
  /** Undefined: the design's own. */
  size: number | undefined;
  margin: number | undefined;
}

export interface ImageAnswer {
  bytes: Uint8Array;
  /** Its frame has letters that no font of this machine has, and was drawn without them. */
  lacks_letters: boolean;
}

export const imageProgram: BoundedProgram<ImageTask, ImageAnswer> = {
  file: new URL('./images.worker.ts', import.meta.url),
  heapMegabytes: 96,
};

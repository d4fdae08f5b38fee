import { Transformer } from '@napi-rs/image';
import { serveTasks } from '../../kit/bounded/child.ts';
import { maxSide, type PictureAnswer, type PictureTask } from './pictures.program.ts';
import { textsIn } from './qr-reading.ts';

type Reencoding = Extract<PictureTask, { act: 'reencode' }>;

/** Of the eight orientations of EXIF, 5 to 8 are turned by a quarter. */
const firstOnSide = 5;

function reencode({ bytes, kind, maxPixels }: Reencoding): PictureAnswer {
  const transformer = new Transformer(bytes);
  const { width, height, orientation } = transformer.metadataSync(true);
  // The decoder reads another size than the header by which the memory was reckoned.
  if (width * height > maxPixels) return {};
  transformer.rotate();
  // The library turns first, whatever comes first here: of a picture on its side, width and height have changed places then.
  const isOnSide = (orientation ?? 1) >= firstOnSide;
  const [turnedWidth, turnedHeight] = isOnSide ? [height, width] : [width, height];
  const scale = Math.min(1, maxSide / Math.max(width, height));
  if (scale < 1) transformer.resize(Math.max(1, Math.round(turnedWidth * scale)), Math.max(1, Math.round(turnedHeight * scale)));
  const encoded = kind === 'jpg' ? transformer.jpegSync(88) : kind === 'webp' ? transformer.webpSync(88) : transformer.pngSync();
  const made = new Transformer(encoded).metadataSync();
  return { picture: { bytes: encoded, width: made.width, height: made.height } };
}

serveTasks<PictureTask, PictureAnswer>(async (task) => {
  try {
    return task.act === 'read' ? { texts: await textsIn(task.bytes) } : reencode(task);
  } catch {
    // What cannot be decoded as a picture holds no code that a visitor could scan either.
    return task.act === 'read' ? { texts: [] } : {};
  }
});

import { Transformer } from '@napi-rs/image';
import { serveTasks } from '../../kit/bounded/child.ts';
import { maximumSide, type PictureAnswer, type PictureTask } from './pictures.program.ts';
import { textsIn } from './qr-reading.ts';

type Reencoding = Extract<PictureTask, { act: 'reencode' }>;

function reencode({ bytes, kind, maximumPixels }: Reencoding): PictureAnswer {
  const transformer = new Transformer(bytes);
  const { width, height } = transformer.metadataSync();
  // The decoder reads another size than the header by which the memory was reckoned.
  if (width * height > maximumPixels) return {};
  transformer.rotate();
  const scale = Math.min(1, maximumSide / Math.max(width, height));
  if (scale < 1) transformer.resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
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

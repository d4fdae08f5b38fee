import { Transformer } from '@napi-rs/image';
import { AppError } from '../kit/errors.ts';

export type Picture = { bytes: Buffer; extension: 'jpg' | 'png' | 'webp'; content_type: string; width: number; height: number };

const maximumPixels = 40_000_000;
const maximumSide = 2048;

/** The kind of picture by its first bytes; what the sender calls it is not asked. */
function kindOf(bytes: Buffer): 'jpg' | 'png' | 'webp' | 'gif' | undefined {
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpg';
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return 'png';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP') return 'webp';
  if (/^GIF8[79]a/.test(bytes.toString('latin1', 0, 6))) return 'gif';
  return undefined;
}

/**
 * A picture decoded and encoded anew, turned as its camera meant it, without metadata, at most 2048 pixels a side. A GIF becomes a PNG.
 * @throws AppError 400 `upload.not_a_picture`, `upload.too_many_pixels`
 */
export async function reencode(bytes: Buffer): Promise<Picture> {
  const kind = kindOf(bytes);
  if (!kind) throw new AppError(400, 'upload.not_a_picture');
  try {
    const { width, height } = await new Transformer(bytes).metadata();
    if (width * height > maximumPixels) throw new AppError(400, 'upload.too_many_pixels');
    const transformer = new Transformer(bytes).rotate();
    const scale = Math.min(1, maximumSide / Math.max(width, height));
    if (scale < 1) transformer.resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
    const encoded = kind === 'jpg' ? await transformer.jpeg(88) : kind === 'webp' ? await transformer.webp(88) : await transformer.png();
    const size = await new Transformer(encoded).metadata();
    const extension = kind === 'gif' ? 'png' : kind;
    return {
      bytes: encoded,
      extension,
      content_type: `image/${extension === 'jpg' ? 'jpeg' : extension}`,
      width: size.width,
      height: size.height,
    };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(400, 'upload.not_a_picture');
  }
}

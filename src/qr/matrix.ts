import patterns from 'qrcode/lib/core/alignment-pattern.js';
import encoder from 'qrcode/lib/core/qrcode.js';
import { type ErrorLevel, errorLevels } from './design.ts';

/** `dark[y * size + x]` is 1 for a dark module; `size` is without the quiet zone; `alignments` are the centres of the 5 × 5 alignment marks. */
export type QrMatrix = { size: number; version: number; level: ErrorLevel; dark: Uint8Array; alignments: { x: number; y: number }[] };

/** Thrown when no symbol can hold the text; `code` is a translation key. */
export class QrTextError extends Error {
  code: 'qr.text_empty' | 'qr.text_too_long';
  constructor(code: QrTextError['code']) {
    super(code);
    this.code = code;
  }
}

const create = (text: string, level: ErrorLevel, version?: number) => {
  try {
    return encoder.create(text, { errorCorrectionLevel: level, version });
  } catch {
    return undefined;
  }
};

/**
 * The modules of the smallest symbol that holds the text, at least at the given error level: a higher level
 * is taken when it fits into the same symbol. Throws QrTextError.
 */
export function createMatrix(text: string, minLevel: ErrorLevel, minVersion = 1): QrMatrix {
  if (text === '') throw new QrTextError('qr.text_empty');
  const smallest = create(text, minLevel);
  if (!smallest) throw new QrTextError('qr.text_too_long');
  const version = Math.max(smallest.version, minVersion);
  const levels = errorLevels.slice(errorLevels.indexOf(minLevel)).reverse();
  for (const level of levels) {
    const created = create(text, level, version);
    if (!created) continue;
    const alignments = patterns.getPositions(version).map(([y, x]) => ({ x, y }));
    return { size: created.modules.size, version, level, dark: created.modules.data, alignments };
  }
  throw new QrTextError('qr.text_too_long');
}

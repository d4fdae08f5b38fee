const known = new Map<string, number>();
let drawing: CanvasRenderingContext2D | null | undefined;

/** So wide, in pixels, stand words in one line of a table's cell, in the face that this machine has for them. */
export function wordsWidth(words: string): number {
  const found = known.get(words);
  if (found !== undefined) return found;
  drawing ??= document.createElement('canvas').getContext('2d');
  if (!drawing) return 0;
  drawing.font = `13px ${getComputedStyle(document.body).fontFamily}`;
  const { width } = drawing.measureText(words);
  known.set(words, width);
  return width;
}

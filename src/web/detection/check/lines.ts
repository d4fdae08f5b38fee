/** One address that was pasted, by its line. */
export type PastedLine = { number: number; text: string };

/** The lines of a text that say something, each once, and the numbers of those that repeat an earlier one. */
export function readLines(typed: unknown): { lines: PastedLine[]; repeated: number[] } {
  const seen = new Set<string>();
  const lines: PastedLine[] = [];
  const repeated: number[] = [];
  for (const [at, line] of String(typed ?? '')
    .split(/\r?\n/)
    .entries()) {
    const text = line.trim();
    if (text === '') continue;
    if (seen.has(text)) repeated.push(at + 1);
    else lines.push({ number: at + 1, text });
    seen.add(text);
  }
  return { lines, repeated };
}

export type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string };

/** Longer texts differ as a whole: comparing every line with every other one would take too long. */
const maxCells = 4_000_000;

/** What changed from one text to another, line by line: as few lines as possible. */
export function diffLines(before: string, after: string): DiffLine[] {
  const [one, other] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  const middle = diffMiddle(one.slice(start, one.length - end), other.slice(start, other.length - end));
  return [...same(one.slice(0, start)), ...middle, ...same(end === 0 ? [] : one.slice(-end))];
}

function diffMiddle(one: readonly string[], other: readonly string[]): DiffLine[] {
  const width = other.length + 1;
  const isShort = (one.length + 1) * width <= maxCells;
  // How many lines are common from these two places on.
  const common = new Uint32Array(isShort ? (one.length + 1) * width : 0);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = isShort ? one.length - 1 : -1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1)
      common[row * width + column] =
        one[row] === other[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < one.length || column < other.length) {
    const [text, otherText] = [one[row], other[column]];
    if (isShort && text !== undefined && text === otherText) {
      lines.push({ kind: 'same', text });
      row += 1;
      column += 1;
    } else if (text !== undefined && (otherText === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'removed', text });
      row += 1;
    } else if (otherText !== undefined) {
      lines.push({ kind: 'added', text: otherText });
      column += 1;
    }
  }
  return lines;
}

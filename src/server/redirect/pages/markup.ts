/** What is filled in later: different from page to page of a kind, `press` from visit to visit. */
export type Gap = 'title' | 'url' | 'press';

/** HTML with gaps: one more piece than there are gaps. Where they lie is told by no text, because an operator could write any. */
export interface Markup {
  pieces: readonly string[];
  gaps: readonly Gap[];
}

export const gap = (name: Gap): Markup => ({ pieces: ['', ''], gaps: [name] });

/** Puts texts, which are HTML already, and parts with gaps together. */
export function markup(strings: TemplateStringsArray, ...values: readonly (string | Markup)[]): Markup {
  const gaps: Gap[] = [];
  const pieces: string[] = [];
  let piece = strings[0] ?? '';
  for (const [index, value] of values.entries()) {
    if (typeof value === 'string') piece += value;
    else {
      const [first = '', ...rest] = value.pieces;
      piece += first;
      for (const [place, next] of rest.entries()) {
        pieces.push(piece);
        gaps.push(value.gaps[place] ?? 'title');
        piece = next;
      }
    }
    piece += strings[index + 1] ?? '';
  }
  return { pieces: [...pieces, piece], gaps };
}

/** Fills every gap with text that is HTML already. */
export const fillGaps = ({ pieces, gaps }: Markup, textOf: (name: Gap) => string): string =>
  pieces.map((piece, index) => piece + (gaps[index] === undefined ? '' : textOf(gaps[index]))).join('');

/** Sheets of labels. All lengths are millimetres, from the page's upper left. */
export type SheetGrid = {
  page_width: number;
  page_height: number;
  columns: number;
  rows: number;
  label_width: number;
  label_height: number;
  margin_left: number;
  margin_top: number;
  gap_x: number;
  gap_y: number;
};

const a4 = { page_width: 210, page_height: 297 };
const letter = { page_width: 215.9, page_height: 279.4 };

/** Sheets as they are sold, by columns × rows. */
export const sheetPresets = {
  a4_3x8: { ...a4, columns: 3, rows: 8, label_width: 70, label_height: 37, margin_left: 0, margin_top: 0.5, gap_x: 0, gap_y: 0 },
  a4_3x7: { ...a4, columns: 3, rows: 7, label_width: 63.5, label_height: 38.1, margin_left: 7.25, margin_top: 15.15, gap_x: 2.5, gap_y: 0 },
  a4_2x7: { ...a4, columns: 2, rows: 7, label_width: 99.1, label_height: 38.1, margin_left: 4.65, margin_top: 15.15, gap_x: 2.5, gap_y: 0 },
  a4_4x11: { ...a4, columns: 4, rows: 11, label_width: 48.3, label_height: 25.4, margin_left: 8.4, margin_top: 8.8, gap_x: 0, gap_y: 0 },
  a4_4x5: { ...a4, columns: 4, rows: 5, label_width: 45, label_height: 52, margin_left: 12, margin_top: 12.5, gap_x: 2, gap_y: 3 },
  a4_2x3: { ...a4, columns: 2, rows: 3, label_width: 90, label_height: 88, margin_left: 12.5, margin_top: 12.5, gap_x: 5, gap_y: 4 },
  letter_3x10: {
    ...letter,
    columns: 3,
    rows: 10,
    label_width: 66.7,
    label_height: 25.4,
    margin_left: 4.8,
    margin_top: 12.7,
    gap_x: 3.1,
    gap_y: 0,
  },
} as const satisfies Record<string, SheetGrid>;
export type SheetPreset = keyof typeof sheetPresets;

export const sheetLimits = {
  page: { min: 30, max: 1200 },
  label: { min: 8, max: 1000 },
  count: { min: 1, max: 50 },
  space: { min: 0, max: 200 },
  copies: { min: 1, max: 100 },
  text: { min: 1.5, max: 12 },
} as const;
/** More would take minutes to draw and nobody prints them in one go. */
export const maxLabels = 5000;

/** What doesn't fit the page, as the name of the field to change; undefined where all does. */
export function gridFault(grid: SheetGrid): 'columns' | 'rows' | undefined {
  const { columns, rows, label_width, label_height, gap_x, gap_y, margin_left, margin_top, page_width, page_height } = grid;
  // Sheets are cut to a tenth of a millimetre.
  if (margin_left + columns * label_width + (columns - 1) * gap_x > page_width + 0.1) return 'columns';
  if (margin_top + rows * label_height + (rows - 1) * gap_y > page_height + 0.1) return 'rows';
  return undefined;
}

export type Place = { page: number; x: number; y: number };

/** Where the label of this number stands, row by row; the first sheet begins after `skipped` labels that are used up. */
export function placeOf(at: number, grid: SheetGrid, skipped = 0): Place {
  const place = at + skipped;
  const onPage = grid.columns * grid.rows;
  const [column, row] = [place % grid.columns, Math.floor((place % onPage) / grid.columns)];
  return {
    page: Math.floor(place / onPage),
    x: grid.margin_left + column * (grid.label_width + grid.gap_x),
    y: grid.margin_top + row * (grid.label_height + grid.gap_y),
  };
}

export const pagesOf = (labels: number, grid: SheetGrid, skipped = 0): number => Math.ceil((labels + skipped) / (grid.columns * grid.rows));

type Box = { x: number; y: number; width: number; height: number };
type LabelLayout = { code: Box; lines: (Box & { align: 'left' | 'center' })[] };

const padding = 1.8;
const lineHeight = 1.35;

/** The code and its lines of text in a label: the text below the code, or beside it where the label is much wider than high. */
export function layLabel(
  grid: Pick<SheetGrid, 'label_width' | 'label_height'>,
  ratio: number,
  lines: number,
  textSize: number,
): LabelLayout {
  const [width, height] = [grid.label_width - 2 * padding, grid.label_height - 2 * padding];
  const step = textSize * lineHeight;
  const isBeside = lines > 0 && grid.label_width >= grid.label_height * 1.45;
  // However much text there is, the code keeps half of the label.
  const shown = Math.min(lines, Math.floor((isBeside ? height : height / 2) / step));
  const room = isBeside ? { width: width * 0.55, height } : { width, height: height - shown * step };
  const codeHeight = Math.min(room.height, room.width / ratio);
  const code = { width: codeHeight * ratio, height: codeHeight };
  if (isBeside) {
    const left = padding + code.width + padding;
    const top = padding + (height - shown * step) / 2;
    return {
      code: { ...code, x: padding, y: padding + (height - code.height) / 2 },
      lines: Array.from({ length: shown }, (_, at) => ({
        x: left,
        y: top + at * step,
        width: grid.label_width - padding - left,
        height: step,
        align: 'left' as const,
      })),
    };
  }
  const top = padding + (height - code.height - shown * step) / 2;
  return {
    code: { ...code, x: padding + (width - code.width) / 2, y: top },
    lines: Array.from({ length: shown }, (_, at) => ({
      x: padding,
      y: top + code.height + at * step,
      width,
      height: step,
      align: 'center' as const,
    })),
  };
}

/** Lines outside of the grid, where a cutter is to be set: from and to, on all four sides. */
export function cutMarks(grid: SheetGrid): [number, number, number, number][] {
  const { columns, rows, label_width, label_height, gap_x, gap_y, margin_left, margin_top } = grid;
  const edges = (count: number, start: number, size: number, gap: number): number[] => [
    ...new Set(Array.from({ length: count }, (_, at) => [start + at * (size + gap), start + at * (size + gap) + size]).flat()),
  ];
  const [right, bottom] = [margin_left + columns * (label_width + gap_x) - gap_x, margin_top + rows * (label_height + gap_y) - gap_y];
  const [near, far] = [1, 4];
  return [
    ...edges(columns, margin_left, label_width, gap_x).flatMap((x): [number, number, number, number][] => [
      [x, margin_top - far, x, margin_top - near],
      [x, bottom + near, x, bottom + far],
    ]),
    ...edges(rows, margin_top, label_height, gap_y).flatMap((y): [number, number, number, number][] => [
      [margin_left - far, y, margin_left - near, y],
      [right + near, y, right + far, y],
    ]),
  ];
}

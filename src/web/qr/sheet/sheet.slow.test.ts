import { beforeAll, describe, expect, test } from 'vitest';
import { cornerDotStyles, cornerStyles, defaultQrDesign, dotStyles, type QrDesign } from '../../../qr/design.ts';
import { presets } from '../../../qr/presets.ts';
import type { Pixels } from '../drawing/pixels.ts';
import { decodeImageData } from '../reading/decode.ts';
import { prepareReaderInNode, sampleLogo } from '../testing/samples.ts';
import { nodePainter, readSheet } from '../testing/sheet.ts';
import { cutMarks, gridFault, layLabel, pagesOf, placeOf, type SheetGrid, type SheetPreset, sheetPresets } from './layout.ts';
import { renderSheet, type SheetLabel, type SheetOptions } from './sheet.ts';

beforeAll(prepareReaderInNode);

const pixelsPerPoint = 4;
const toPixels = (millimetres: number) => (millimetres / 25.4) * 72 * pixelsPerPoint;
const sheet = (grid: SheetGrid, changes: Partial<SheetOptions> = {}): SheetOptions => ({
  grid,
  copies: 1,
  skipped: 0,
  text_size: 3,
  cut_marks: true,
  ...changes,
});
const label = (at: number, design: QrDesign = defaultQrDesign): SheetLabel => ({
  content: `https://go.example.com/code-${at}`,
  design,
  lines: [`门店海报 ${at}`, `code-${at}`],
});

async function print(labels: SheetLabel[], options: SheetOptions) {
  const blob = await renderSheet(labels, options, { painter: nodePainter, pause: async () => {} });
  return readSheet(Buffer.from(await blob.arrayBuffer()), pixelsPerPoint);
}

function crop({ data, width }: Pixels, box: { x: number; y: number; width: number; height: number }): Pixels {
  const [left, top, w, h] = [box.x, box.y, box.width, box.height].map((value) => Math.floor(toPixels(value))) as [
    number,
    number,
    number,
    number,
  ];
  const out = new Uint8ClampedArray(w * h * 4);
  for (let y = 0; y < h; y += 1) out.set(data.subarray(((top + y) * width + left) * 4, ((top + y) * width + left + w) * 4), y * w * 4);
  return { data: out, width: w, height: h };
}

const readAt = async (pages: Awaited<ReturnType<typeof print>>, grid: SheetGrid, at: number, skipped = 0) => {
  const { page, x, y } = placeOf(at, grid, skipped);
  const pixels = pages[page]?.pixels;
  if (!pixels) return 'no such page';
  const found = await decodeImageData(crop(pixels, { x, y, width: grid.label_width, height: grid.label_height }));
  return found?.isValid ? found.text : 'unreadable';
};

describe.each(Object.entries(sheetPresets) as [SheetPreset, SheetGrid][])('the sheet %s', (_name, grid) => {
  test('fits its page, and every label on it is read where it stands, with its text', async () => {
    expect(gridFault(grid)).toBeUndefined();
    const number = grid.columns * grid.rows + 1;
    const labels = Array.from({ length: number }, (_, at) => label(at));
    const pages = await print(labels, sheet(grid));
    expect(pages).toHaveLength(2);
    expect(pages[0]?.widthMm).toBeCloseTo(grid.page_width, 1);
    expect(pages[0]?.heightMm).toBeCloseTo(grid.page_height, 1);
    for (const [at, { content }] of labels.entries()) expect(await readAt(pages, grid, at)).toBe(content);
    expect(pages[0]?.texts).toHaveLength((number - 1) * 2);
    expect(Math.min(...(pages[0]?.texts ?? [0]))).toBeGreaterThan(200);
  });
});

test('every preset, dot and corner style is read from a label of 30 mm, framed, branded and in colours', async () => {
  const looks: QrDesign[] = [
    ...presets.map(({ design }) => design),
    ...dotStyles.flatMap((dot_style) => cornerStyles.map((corner_style) => ({ ...defaultQrDesign, dot_style, corner_style }))),
    ...cornerDotStyles.map((corner_dot_style) => ({ ...defaultQrDesign, corner_dot_style })),
    { ...defaultQrDesign, error_level: 'H', logo: { src: sampleLogo, ratio: 0.25, padding: 1, rounded: true } },
  ];
  const grid = { ...sheetPresets.a4_4x5, label_width: 42, label_height: 42 };
  const labels = looks.map((design, at) => ({ ...label(at, design), lines: [] }));
  const pages = await print(labels, sheet(grid));
  for (const [at, { content }] of labels.entries()) expect([at, await readAt(pages, grid, at)]).toEqual([at, content]);
});

test('copies stand one after the other and are drawn once; a begun sheet goes on after its used labels', async () => {
  const grid = sheetPresets.a4_3x8;
  const one = await renderSheet([label(1)], sheet(grid), { painter: nodePainter });
  const many = await renderSheet([label(1)], sheet(grid, { copies: 48 }), { painter: nodePainter });
  expect(many.size - one.size).toBeLessThan(1500);
  const pages = await print([label(1), label(2)], sheet(grid, { copies: 3, skipped: 22 }));
  expect(pages).toHaveLength(2);
  for (const at of [0, 1, 2]) expect(await readAt(pages, grid, at, 22)).toBe(label(1).content);
  for (const at of [3, 4, 5]) expect(await readAt(pages, grid, at, 22)).toBe(label(2).content);
});

test('500 labels are drawn with a pause after each, can be stopped, and are a small file', async () => {
  let pauses = 0;
  const labels = Array.from({ length: 500 }, (_, at) => label(at));
  const pause = async () => {
    pauses += 1;
  };
  const file = await renderSheet(labels, sheet(sheetPresets.a4_3x8), { painter: nodePainter, pause });
  expect(pauses).toBe(500);
  expect(file.size).toBeLessThan(5_000_000);
  const controller = new AbortController();
  const stopped = renderSheet(labels, sheet(sheetPresets.a4_3x8), {
    painter: nodePainter,
    pause: async () => controller.abort(new Error('stopped')),
    signal: controller.signal,
  });
  await expect(stopped).rejects.toThrow('stopped');
  // Nothing here is about time: a busy machine takes half a minute to draw them.
});

test('the file says where each of its objects begins, and no picture or font of another program', async () => {
  const file = Buffer.from(
    await (await renderSheet([label(1)], sheet(sheetPresets.a4_3x8), { painter: nodePainter })).arrayBuffer(),
  ).toString('latin1');
  const table = Number(/startxref\n(\d+)/.exec(file)?.[1]);
  expect(file.slice(table, table + 4)).toBe('xref');
  const offsets = [...file.slice(table).matchAll(/^(\d{10}) 00000 n $/gm)].map((match) => Number(match[1]));
  expect(offsets.length).toBeGreaterThan(5);
  offsets.forEach((offset, at) => {
    expect(file.slice(offset, offset + 10)).toContain(`${at + 1} 0 obj`);
  });
  expect(file).not.toContain('/Font');
});

describe('the layout', () => {
  test('says what does not fit, and counts pages', () => {
    expect(gridFault({ ...sheetPresets.a4_3x8, columns: 4 })).toBe('columns');
    expect(gridFault({ ...sheetPresets.a4_3x8, rows: 9 })).toBe('rows');
    expect(pagesOf(24, sheetPresets.a4_3x8)).toBe(1);
    expect(pagesOf(24, sheetPresets.a4_3x8, 1)).toBe(2);
    expect(placeOf(25, sheetPresets.a4_3x8)).toEqual({ page: 1, x: 70, y: 0.5 });
  });

  test('keeps code and lines inside of the label, however many and however large', () => {
    for (const grid of Object.values(sheetPresets))
      for (const lines of [0, 1, 3, 9])
        for (const size of [1.5, 3, 12])
          for (const ratio of [1, 0.8, 1.2]) {
            const { code, lines: laid } = layLabel(grid, ratio, lines, size);
            for (const box of [code, ...laid]) {
              expect(Math.min(box.x, box.y, box.width, box.height)).toBeGreaterThan(0);
              expect(box.x + box.width).toBeLessThanOrEqual(grid.label_width);
              expect(box.y + box.height).toBeLessThanOrEqual(grid.label_height);
            }
          }
  });

  test('marks cuts outside of the labels only', () => {
    const grid = sheetPresets.a4_4x5;
    const [right, bottom] = [12 + 4 * 47 - 2, 12.5 + 5 * 55 - 3];
    for (const [x1, y1, x2, y2] of cutMarks(grid))
      expect(Math.max(x1, x2) <= 12 || Math.min(x1, x2) >= right || Math.max(y1, y2) <= 12.5 || Math.min(y1, y2) >= bottom).toBe(true);
  });
});

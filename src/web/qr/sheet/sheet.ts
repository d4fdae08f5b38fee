import type { QrDesign, QrLogo } from '../../../qr/design.ts';
import { drawSvg } from '../../../qr/svg.ts';
import { createDocument, type PdfDocument } from './document.ts';
import { cutMarks, layLabel, pagesOf, placeOf, type SheetGrid } from './layout.ts';
import { pdfColor, pdfPath } from './path.ts';

export type SheetLabel = { content: string; design: QrDesign /** What stands with the code. */; lines: readonly string[] };
export type SheetOptions = {
  grid: SheetGrid;
  copies: number;
  /** Labels of the first sheet that are used up. */
  skipped: number;
  /** The height of the letters, in millimetres. */
  text_size: number;
  cut_marks: boolean;
};

/** One byte a pixel: how much ink. */
export type Ink = { width: number; height: number; data: Uint8Array };
/** Four bytes a pixel. */
export type Picture = { width: number; height: number; data: Uint8ClampedArray };

/** Draws what only pictures can hold: letters of every script, and logos. Lengths are millimetres. */
export type Painter = {
  text: (text: string, box: { width: number; height: number; size: number; align: 'left' | 'center'; weight: number }) => Ink;
  logo: (logo: QrLogo, millimetres: number) => Promise<Picture>;
};

const pointsPerMm = 72 / 25.4;
const pt = (millimetres: number): string => String(Math.round(millimetres * pointsPerMm * 1000) / 1000);

/**
 * A PDF file with these labels on sheets. Codes are vectors; each is drawn once, however many copies there are. The work is done label by
 * label with pauses between them, so that the page stays alive.
 * @param tell gets how many labels are drawn
 * @throws QrTextError, QrLogoError, and the signal's reason
 */
export async function renderSheet(
  labels: readonly SheetLabel[],
  options: SheetOptions,
  {
    painter,
    tell,
    signal,
    pause = nextTurn,
  }: { painter: Painter; tell?: (done: number) => void; signal?: AbortSignal; pause?: () => Promise<void> },
): Promise<Blob> {
  const { grid, copies, skipped } = options;
  const document = createDocument();
  const total = labels.length * copies;
  const pages: string[] = Array.from({ length: pagesOf(total, grid, skipped) }, () => '');
  const used = pages.map(() => new Map<string, number>());
  for (const [at, label] of labels.entries()) {
    signal?.throwIfAborted();
    const form = await drawLabel(document, label, options, painter);
    for (let copy = 0; copy < copies; copy += 1) {
      const { page, x, y } = placeOf(at * copies + copy, grid, skipped);
      pages[page] += `q 1 0 0 1 ${pt(x)} ${pt(grid.page_height - y - grid.label_height)} cm /L${form} Do Q\n`;
      used[page]?.set(`L${form}`, form);
    }
    tell?.((at + 1) * copies);
    await pause();
  }
  const marks = options.cut_marks ? marksOf(grid) : '';
  const tree = document.reserve();
  const kids: number[] = [];
  for (const [at, content] of pages.entries()) {
    const stream = await document.addStream('', marks + content);
    const xobjects = [...(used[at] ?? [])].map(([name, id]) => `/${name} ${id} 0 R`).join(' ');
    kids.push(
      document.add(
        `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${pt(grid.page_width)} ${pt(grid.page_height)}] /Contents ${stream} 0 R /Resources << /XObject << ${xobjects} >> >> >>`,
      ),
    );
  }
  document.put(tree, `<< /Type /Pages /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] /Count ${kids.length} >>`);
  return document.finish(document.add(`<< /Type /Catalog /Pages ${tree} 0 R >>`));
}

/** Lets the browser show what it has to before the next label is drawn. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

const marksOf = (grid: SheetGrid): string =>
  `q 0.25 w 0.5 G\n${cutMarks(grid)
    .map(([x1, y1, x2, y2]) => `${pt(x1)} ${pt(grid.page_height - y1)} m ${pt(x2)} ${pt(grid.page_height - y2)} l S`)
    .join('\n')}\nQ\n`;

/** Makes a label a form of the document, its lower left at the origin, and gives the form's id. */
async function drawLabel(
  document: PdfDocument,
  { content, design, lines }: SheetLabel,
  options: SheetOptions,
  painter: Painter,
): Promise<number> {
  const { grid, text_size } = options;
  const drawing = drawSvg(content, design, { omitLogo: true, omitText: true });
  const { layout } = drawing;
  const shown = lines.filter((line) => line.trim() !== '');
  const place = layLabel(grid, layout.width / layout.height, shown.length, text_size);
  const unit = place.code.width / layout.width;
  const resources: string[] = [];
  const picture = async (image: Promise<number> | number, x: number, y: number, width: number, height: number): Promise<string> => {
    const id = await image;
    resources.push(`/I${id} ${id} 0 R`);
    return `q ${pt(width)} 0 0 ${pt(height)} ${pt(x)} ${pt(grid.label_height - y - height)} cm /I${id} Do Q\n`;
  };

  const { operators, shading } = paths(drawing.svg);
  const scale = String(Math.round(unit * pointsPerMm * 1e6) / 1e6);
  let body = `q ${scale} 0 0 -${scale} ${pt(place.code.x)} ${pt(grid.label_height - place.code.y)} cm\n${operators}\nQ\n`;
  if (drawing.logo && drawing.design.logo) {
    const { x, y, size } = drawing.logo;
    const logo = await painter.logo(drawing.design.logo, size * unit);
    body += await picture(addPicture(document, logo), place.code.x + x * unit, place.code.y + y * unit, size * unit, size * unit);
  }
  const { label } = layout;
  if (label) {
    const box = { width: label.width * unit, height: label.height * unit };
    const ink = painter.text(label.text, { ...box, size: label.fontSize * unit, align: 'center', weight: 600 });
    const [x, y] = [place.code.x + (label.x - label.width / 2) * unit, place.code.y + (label.y - label.height / 2) * unit];
    body += `${pdfColor(drawing.design.frame.text_color)} rg\n${await picture(addInk(document, ink), x, y, box.width, box.height)}`;
  }
  body += '0 g\n';
  for (const [at, line] of place.lines.entries()) {
    const ink = painter.text(shown[at] ?? '', { ...line, size: text_size, weight: at === 0 ? 600 : 400 });
    body += await picture(addInk(document, ink), line.x, line.y, line.width, line.height);
  }
  const entries = `/XObject << ${resources.join(' ')} >>${shading ? ` /Shading << /S0 ${shading} >>` : ''}`;
  return document.addStream(
    `/Type /XObject /Subtype /Form /BBox [0 0 ${pt(grid.label_width)} ${pt(grid.label_height)}] /Resources << ${entries} >>`,
    body,
  );
}

/** The paths of one of our drawings as PDF operators; a gradient is a shading through the path. */
function paths(svg: string): { operators: string; shading: string | undefined } {
  const gradient =
    /<linearGradient [^>]*x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)"[^>]*><stop offset="0" stop-color="([^"]+)"\/><stop offset="1" stop-color="([^"]+)"/.exec(
      svg,
    );
  const [, x1 = '', y1 = '', x2 = '', y2 = '', from = '', to = ''] = gradient ?? [];
  const shading = gradient
    ? `<< /ShadingType 2 /ColorSpace /DeviceRGB /Coords [${x1} ${y1} ${x2} ${y2}] /Extend [true true] /Function << /FunctionType 2 /Domain [0 1] /N 1 /C0 [${pdfColor(from)}] /C1 [${pdfColor(to)}] >> >>`
    : undefined;
  const operators: string[] = [];
  for (const [whole, x, y, fill = '', rule, d = ''] of svg.matchAll(
    /<g transform="translate\(([-\d.]+) ([-\d.]+)\)">|<path fill="([^"]+)"( fill-rule="evenodd")? d="([^"]*)"\/>|<\/g>/g,
  )) {
    if (whole === '</g>') operators.push('Q');
    else if (x !== undefined) operators.push(`q 1 0 0 1 ${x} ${y} cm`);
    else if (d !== '') {
      const star = rule ? '*' : '';
      operators.push(fill.startsWith('url(') ? `q\n${pdfPath(d)}\nW${star} n\n/S0 sh\nQ` : `${pdfColor(fill)} rg\n${pdfPath(d)}\nf${star}`);
    }
  }
  return { operators: operators.join('\n'), shading };
}

/** A picture of one bit a pixel that takes the colour set before. */
function addInk(document: PdfDocument, { width, height, data }: Ink): Promise<number> {
  const stride = Math.ceil(width / 8);
  const bits = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = y * stride + (x >> 3);
      if ((data[y * width + x] ?? 0) >= 128) bits[at] = (bits[at] ?? 0) | (0x80 >> (x & 7));
    }
  return document.addStream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ImageMask true /BitsPerComponent 1 /Decode [1 0]`,
    bits,
  );
}

async function addPicture(document: PdfDocument, { width, height, data }: Picture): Promise<number> {
  const [colors, alphas] = [new Uint8Array(width * height * 3), new Uint8Array(width * height)];
  for (let at = 0; at < alphas.length; at += 1) {
    for (let channel = 0; channel < 3; channel += 1) colors[at * 3 + channel] = data[at * 4 + channel] ?? 0;
    alphas[at] = data[at * 4 + 3] ?? 255;
  }
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8`;
  const mask = await document.addStream(`${image} /ColorSpace /DeviceGray`, alphas);
  return document.addStream(`${image} /ColorSpace /DeviceRGB /SMask ${mask} 0 R`, colors);
}

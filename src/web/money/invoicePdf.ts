import type { jsPDF } from 'jspdf';

/** What an invoice says, in the words of its reader. */
export type InvoiceWords = {
  title: string;
  /** Number and dates. */
  facts: readonly (readonly [label: string, value: string])[];
  seller: { label: string; lines: readonly string[] };
  buyer: { label: string; lines: readonly string[] };
  head: readonly [what: string, amount: string];
  items: readonly (readonly [what: string, amount: string])[];
  total: readonly [label: string, amount: string];
  /** How it was paid. */
  payment: readonly (readonly [label: string, value: string])[];
  /** Across the page, where it was taken back. */
  stamp: string | null;
};

type Style = { size?: number; bold?: boolean; align?: 'left' | 'right'; color?: string; width?: number };

/** Millimetres of an A4 page. */
const page = { width: 210, height: 297, margin: 22 } as const;
const right = page.width - page.margin;
const mmPerPoint = 25.4 / 72;
const dotsPerMm = 300 / 25.4;
const fontFamily = "system-ui, 'PingFang SC', 'Hiragino Sans GB', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans', sans-serif";
const [ink, soft, rule] = ['#16181d', '#5b6270', '#d5d9e0'];

const scratch = () => {
  const context = document.createElement('canvas').getContext('2d');
  if (!context) throw new Error('This browser has no canvas');
  return context;
};

/**
 * Writes lines onto a page. What Latin letters can say is text; the rest is pictures of 300 dpi, since the fonts built into readers have no
 * Chinese and those of the system may not be copied into a file.
 */
function penOn(pdf: jsPDF) {
  const measure = scratch();
  const fontOf = (size: number, bold: boolean) => `${bold ? 600 : 400} ${size * mmPerPoint * dotsPerMm}px ${fontFamily}`;
  const isLatin = (text: string) => /^[\n\x20-\x7e]*$/.test(text);

  function widthOf(text: string, size: number, bold: boolean): number {
    measure.font = fontOf(size, bold);
    return measure.measureText(text).width / dotsPerMm;
  }

  /** Breaks between words where there are any, within one where it is longer than a line. */
  function linesOf(text: string, width: number, size: number, bold: boolean): string[] {
    const lines: string[] = [];
    for (const paragraph of text.split('\n')) {
      let line = '';
      for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'word' }).segment(paragraph))
        for (const piece of widthOf(segment, size, bold) > width ? Array.from(segment) : [segment]) {
          if (line !== '' && widthOf(line + piece, size, bold) > width) {
            lines.push(line.trimEnd());
            line = piece.trimStart();
          } else line += piece;
        }
      lines.push(line);
    }
    return lines;
  }

  function picture(text: string, x: number, y: number, { size = 10, bold = false, align = 'left', color = ink }: Style): void {
    const width = widthOf(text, size, bold);
    const height = size * mmPerPoint;
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil((width + 1) * dotsPerMm);
    canvas.height = Math.ceil(height * 1.6 * dotsPerMm);
    const context = canvas.getContext('2d');
    if (!context || text === '') return;
    context.font = fontOf(size, bold);
    context.fillStyle = color;
    context.fillText(text, 0, height * 1.2 * dotsPerMm);
    const left = align === 'right' ? x - width : x;
    pdf.addImage(canvas, 'PNG', left, y - height * 1.2, canvas.width / dotsPerMm, canvas.height / dotsPerMm, undefined, 'SLOW');
  }

  /** @returns the baseline of the line that would follow */
  function write(text: string, x: number, y: number, style: Style = {}): number {
    const { size = 10, bold = false, align = 'left', color = ink, width = right - page.margin } = style;
    const step = size * mmPerPoint * 1.55;
    let at = y;
    const isText = isLatin(text);
    for (const line of linesOf(text, width, size, bold)) {
      if (isText) {
        pdf.setFont('helvetica', bold ? 'bold' : 'normal');
        pdf.setFontSize(size);
        pdf.setTextColor(color);
        pdf.text(line, x, at, { align });
      } else picture(line, x, at, style);
      at += step;
    }
    return at;
  }

  function line(y: number, color: string = rule): void {
    pdf.setDrawColor(color);
    pdf.setLineWidth(0.3);
    pdf.line(page.margin, y, right, y);
  }
  return { write, line };
}

/** An A4 page. Browser only. */
export async function renderInvoice(words: InvoiceWords): Promise<Blob> {
  const { jsPDF } = await import('jspdf');
  const pdf = new jsPDF({ unit: 'mm', format: 'a4', compress: true });
  pdf.setProperties({ title: words.title });
  const { write, line } = penOn(pdf);
  const middle = page.width / 2 + 4;
  const half = right - middle;

  write(words.title, page.margin, 34, { size: 22, bold: true });
  let y = 28;
  for (const [label, value] of words.facts) {
    write(label, middle, y, { size: 9, color: soft });
    y = write(value, right, y, { size: 9, align: 'right' });
  }
  line(48, ink);

  const parties = ([words.seller, words.buyer] as const).map(({ label, lines }, index) => {
    const x = index === 0 ? page.margin : middle;
    write(label, x, 58, { size: 9, color: soft });
    return lines.reduce((at, text, number) => write(text, x, at, { size: 10.5, bold: number === 0, width: half }), 65);
  });

  y = Math.max(...parties, 80) + 12;
  write(words.head[0], page.margin, y, { size: 9, color: soft });
  write(words.head[1], right, y, { size: 9, color: soft, align: 'right' });
  line(y + 3);
  y += 11;
  for (const [what, amount] of words.items) {
    write(amount, right, y, { align: 'right' });
    y = write(what, page.margin, y, { width: 115 }) + 2.5;
  }
  line(y - 1);
  write(words.total[0], page.margin, y + 7, { size: 13, bold: true });
  write(words.total[1], right, y + 7, { size: 13, bold: true, align: 'right' });

  y += 24;
  for (const [label, value] of words.payment) {
    write(label, page.margin, y, { size: 9, color: soft });
    y = write(value, page.margin + 42, y, { size: 9, width: right - page.margin - 42 }) + 1;
  }
  if (words.stamp !== null) write(words.stamp, page.margin, y + 12, { size: 16, bold: true, color: '#b42318' });
  return pdf.output('blob');
}

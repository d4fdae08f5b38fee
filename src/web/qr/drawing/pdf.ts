import { pdfWidthMm, type QrDesign } from '../../../qr/design.ts';
import { baselineShift, fontFamily, fontWeight, type Label } from '../../../qr/frame.ts';
import { drawSvg } from '../../../qr/svg.ts';
import { contextOf, createCanvas, drawLogo } from './canvas.ts';

type PdfOptions = {
  /** The page's width, frame included. */
  widthMm: number;
};

const printDotsPerMm = 600 / 25.4;
const maxCanvasPixels = 4096;

/** Pixels for a length of the page, at print resolution as far as a canvas can hold them. */
const pixelsFor = (mm: number) => Math.max(1, Math.min(maxCanvasPixels, Math.round(mm * printDotsPerMm)));

/** The frame's text as a picture: the fonts built into PDF readers have no Chinese, and the system's may not be copied into a file. */
function drawLabel(label: Label, color: string, mmPerUnit: number): HTMLCanvasElement {
  const width = pixelsFor(label.width * mmPerUnit);
  const scale = width / label.width;
  const canvas = createCanvas(width, Math.max(1, Math.round(label.height * scale)));
  const context = contextOf(canvas);
  context.font = `${fontWeight} ${label.fontSize * scale}px ${fontFamily}`;
  context.fillStyle = color;
  context.textAlign = 'center';
  context.fillText(label.text, canvas.width / 2, canvas.height / 2 + label.fontSize * baselineShift * scale);
  return canvas;
}

/**
 * The design as a PDF page of exactly its size: symbol and frame as vectors, logo and frame text as pictures of 600 dpi.
 * Browser only. Throws QrTextError and QrLogoError.
 */
export async function renderPdf(text: string, design: QrDesign, options: PdfOptions): Promise<Blob> {
  const drawing = drawSvg(text, design, { omitLogo: true, omitText: true });
  const { layout, logo } = drawing;
  const width = Math.min(pdfWidthMm.max, Math.max(pdfWidthMm.min, options.widthMm));
  const mmPerUnit = width / layout.width;
  const height = layout.height * mmPerUnit;
  const [{ jsPDF }, { svg2pdf }] = await Promise.all([import('jspdf'), import('svg2pdf.js')]);
  const pdf = new jsPDF({
    unit: 'mm',
    format: [width, height],
    orientation: width > height ? 'landscape' : 'portrait',
    compress: true,
    putOnlyUsedFonts: true,
  });
  const element = new DOMParser().parseFromString(drawing.svg, 'image/svg+xml').documentElement;
  await svg2pdf(element, pdf, { x: 0, y: 0, width, height, loadImages: false });
  const place = (canvas: HTMLCanvasElement, x: number, y: number, w: number, h: number) =>
    pdf.addImage(canvas, 'PNG', x * mmPerUnit, y * mmPerUnit, w * mmPerUnit, h * mmPerUnit, undefined, 'SLOW');
  if (logo && drawing.design.logo) {
    const picture = await drawLogo(drawing.design.logo, Math.min(1024, pixelsFor(logo.size * mmPerUnit)));
    place(picture, logo.x, logo.y, logo.size, logo.size);
  }
  const { label } = layout;
  if (label) {
    const picture = drawLabel(label, drawing.design.frame.text_color, mmPerUnit);
    place(picture, label.x - label.width / 2, label.y - label.height / 2, label.width, label.height);
  }
  return pdf.output('blob');
}

import { pdfWidthMm, type QrDesign } from '../../qr/design.ts';
import { renderSvg } from '../../qr/svg.ts';
import { withInlineLogo } from './drawing/logo.ts';
import { renderPng } from './drawing/png.ts';

export const downloadFormats = ['png', 'svg', 'pdf'] as const;
export type DownloadFormat = (typeof downloadFormats)[number];

/** Of four bytes each at most: file systems count 255 bytes. */
const maxNameLength = 60;
// Names that Windows keeps for devices, whatever their extension.
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** A file name that every system accepts, from whatever the user called the code; letters of all languages stay. */
export function safeFileName(name: string, extension: string): string {
  const characters = Array.from(name.slice(0, 1000).toWellFormed(), (character) =>
    /[\p{L}\p{M}\p{N}\p{S} ._()-]/u.test(character) && !/[<>|`^~$+=\ufffd]/.test(character) ? character : ' ',
  );
  const words = characters
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[. ]+/, '');
  const cut = Array.from(words)
    .slice(0, maxNameLength)
    .join('')
    .replace(/[. ]+$/, '');
  return `${cut === '' || reserved.test(cut) ? `qr ${cut}`.trim() : cut}.${extension}`;
}

/** The finished file in the wanted format; a PDF page is `widthMm` wide. Browser only. Throws QrTextError and QrLogoError. */
export async function renderFile(
  text: string,
  design: QrDesign,
  format: DownloadFormat,
  widthMm: number = pdfWidthMm.usual,
): Promise<Blob> {
  if (format === 'png') return renderPng(text, design);
  if (format === 'svg') return new Blob([renderSvg(text, await withInlineLogo(design))], { type: 'image/svg+xml' });
  const { renderPdf } = await import('./drawing/pdf.ts');
  return renderPdf(text, design, { widthMm });
}

/** Offers a file to the user as the browser's own download. */
export function saveBlob(blob: Blob, fileName: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  link.click();
  // The browser reads the file after this call; a minute is ample for it to begin.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Draws the code and saves it as `name` with the format's extension. Throws QrTextError and QrLogoError. */
export async function downloadQr(text: string, design: QrDesign, format: DownloadFormat, name: string, widthMm?: number): Promise<void> {
  saveBlob(await renderFile(text, design, format, widthMm), safeFileName(name, format));
}

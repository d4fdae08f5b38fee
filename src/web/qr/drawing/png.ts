import { type QrDesign, toQrDesign } from '../../../qr/design.ts';
import { drawDesign } from './canvas.ts';

/** The design as a PNG, `design.size` pixels wide. Browser only. Throws QrTextError and QrLogoError. */
export async function renderPng(text: string, design: QrDesign): Promise<Blob> {
  const canvas = await drawDesign(text, design, toQrDesign(design).size);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser could not encode the image'))), 'image/png');
  });
}

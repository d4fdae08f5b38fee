import { createRoot } from 'react-dom/client';
import type { QrDesign } from '../../../qr/design.ts';
import { renderSvg } from '../../../qr/svg.ts';
import { type DownloadFormat, renderFile } from '../download.ts';
import { QrImage } from '../QrImage.tsx';
import { verifyDesign, verifyScan } from '../reading/verify.ts';

const toBase64 = async (blob: Blob) => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

/** What the page of the browser test offers to the test. */
export const testingPage = {
  file: async (text: string, design: QrDesign, format: DownloadFormat, widthMm?: number) =>
    toBase64(await renderFile(text, design, format, widthMm)),
  verifyDesign,
  verifySvg: (text: string, design: QrDesign, expected: string) => verifyScan(renderSvg(text, design), expected),
  isWellFormed: (svg: string) => new DOMParser().parseFromString(svg, 'image/svg+xml').querySelector('parsererror') === null,
  codeOfFailure: (action: Promise<unknown>) =>
    action.then(
      () => 'none',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : String(error)),
    ),
  show: (text: string, design: QrDesign) => {
    const box = document.createElement('div');
    document.body.replaceChildren(box);
    createRoot(box).render(<QrImage text={text} alt="code" design={design} width={200} />);
  },
};

Object.assign(window, { testingPage });

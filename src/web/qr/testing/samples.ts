import { readFileSync } from 'node:fs';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import type { Pixels } from '../drawing/pixels.ts';
import { prepareReader } from '../reading/decode.ts';

/** Loads the reader from the package, as the browser loads it from our origin. */
export function prepareReaderInNode(): void {
  const file = readFileSync(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  prepareReader(new Uint8Array(file).buffer);
}

/** An SVG drawn on white paper, turned by `degrees` in the middle of a sheet that is large enough for it. */
export async function rasteriseInNode(svg: string, { width, degrees = 0 }: { width?: number; degrees?: number } = {}): Promise<Pixels> {
  const image = await loadImage(Buffer.from(svg));
  const [w, h] = [width ?? image.width, Math.round(((width ?? image.width) * image.height) / image.width)];
  const sheet = degrees === 0 ? { width: w, height: h } : { width: Math.ceil(Math.hypot(w, h)), height: Math.ceil(Math.hypot(w, h)) };
  const context = createCanvas(sheet.width, sheet.height).getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.translate(sheet.width / 2, sheet.height / 2);
  context.rotate((degrees * Math.PI) / 180);
  context.drawImage(image, -w / 2, -h / 2, w, h);
  return context.getImageData(0, 0, sheet.width, sheet.height);
}

const toDataUrl = (svg: string) => `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;

/** A full square and a ring, as logos come. */
export const sampleLogo = toDataUrl(
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64"><path fill="#f43f5e" d="M0 0h64v64H0z"/><circle cx="32" cy="32" r="18" fill="none" stroke="#fff" stroke-width="8"/></svg>',
);

export const sampleTexts = {
  short: 'https://go.example.com/a8f3k2m9',
  long: `https://landing.example.com/spring/campaign?${'utm_source=poster&city=shanghai&'.repeat(8)}`.slice(0, 200),
  chinese: 'https://例子.测试/活动/春季新品?门店=上海南京东路&海报=三号',
} as const;

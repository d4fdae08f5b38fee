import { inflateSync } from 'node:zlib';
import { createCanvas } from '@napi-rs/canvas';
import type { Pixels } from '../drawing/pixels.ts';

export type PdfPage = { widthMm: number; heightMm: number; pictures: { width: number; height: number }[]; vectors: Pixels };

const pointsPerMm = 72 / 25.4;

function streamsOf(file: Buffer): Buffer[] {
  const source = file.toString('latin1');
  return Array.from(source.matchAll(/(?<!end)stream\r?\n/g), (match) => {
    const start = match.index + match[0].length;
    return file.subarray(start, source.indexOf('endstream', start));
  });
}

/**
 * Draws the paths of a page of one of our PDF files and nothing else, so that a test can read the code from them alone.
 * Pictures are listed, not drawn; gradients become black.
 */
export function readPdf(file: Buffer, pixelsPerPoint = 4): PdfPage {
  const source = file.toString('latin1');
  const [, , width = 0, height = 0] = (/\/MediaBox \[([^\]]+)\]/.exec(source)?.[1] ?? '').trim().split(/\s+/).map(Number);
  const canvas = createCanvas(Math.round(width * pixelsPerPoint), Math.round(height * pixelsPerPoint));
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.setTransform(pixelsPerPoint, 0, 0, -pixelsPerPoint, 0, canvas.height);
  const color = (channels: number[]) => `rgb(${channels.map((channel) => Math.round(channel * 255)).join(' ')})`;
  const pending: { clip?: 'nonzero' | 'evenodd' } = {};
  const fill = (rule: 'nonzero' | 'evenodd') => {
    context.fill(rule);
    context.beginPath();
  };
  const operators = new Map<string, (operands: number[]) => void>([
    ['q', () => context.save()],
    ['Q', () => context.restore()],
    ['cm', ([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]) => context.transform(a, b, c, d, e, f)],
    ['m', ([x = 0, y = 0]) => context.moveTo(x, y)],
    ['l', ([x = 0, y = 0]) => context.lineTo(x, y)],
    ['c', ([a = 0, b = 0, c = 0, d = 0, x = 0, y = 0]) => context.bezierCurveTo(a, b, c, d, x, y)],
    ['re', ([x = 0, y = 0, w = 0, h = 0]) => context.rect(x, y, w, h)],
    ['h', () => context.closePath()],
    ['f', () => fill('nonzero')],
    ['f*', () => fill('evenodd')],
    ['rg', (channels) => Object.assign(context, { fillStyle: color(channels) })],
    ['g', ([grey = 0]) => Object.assign(context, { fillStyle: color([grey, grey, grey]) })],
    ['W', () => Object.assign(pending, { clip: 'nonzero' })],
    ['W*', () => Object.assign(pending, { clip: 'evenodd' })],
    [
      'n',
      () => {
        if (pending.clip) context.clip(pending.clip);
        pending.clip = undefined;
        context.beginPath();
      },
    ],
    [
      'sh',
      () => {
        context.fillStyle = '#000000';
        context.fillRect(-1e5, -1e5, 2e5, 2e5);
      },
    ],
  ]);
  const [content] = streamsOf(file);
  let operands: number[] = [];
  for (const token of inflateSync(content ?? '')
    .toString('latin1')
    .split(/\s+/)) {
    if (/^[+-]?[\d.]+(?:e-?\d+)?$/.test(token)) operands.push(Number(token));
    else {
      operators.get(token)?.(operands);
      operands = [];
    }
  }
  const pictures = Array.from(
    source.matchAll(/\/Subtype \/Image\s+\/Width (\d+)\s+\/Height (\d+)\s+\/ColorSpace \/DeviceRGB/g),
    (match) => ({
      width: Number(match[1]),
      height: Number(match[2]),
    }),
  );
  return {
    widthMm: width / pointsPerMm,
    heightMm: height / pointsPerMm,
    pictures,
    vectors: context.getImageData(0, 0, canvas.width, canvas.height),
  };
}

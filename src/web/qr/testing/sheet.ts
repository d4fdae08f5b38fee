import { inflateSync } from 'node:zlib';
import { type Canvas, createCanvas, loadImage, type SKRSContext2D } from '@napi-rs/canvas';
import type { Pixels } from '../drawing/pixels.ts';
import type { Ink, Painter } from '../sheet/sheet.ts';

/** Draws text and logos in Node, as the browser's painter does there. */
export const nodePainter: Painter = {
  text(text, { width, height, size, align, weight }): Ink {
    const scale = 600 / 25.4;
    const canvas = createCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
    const context = canvas.getContext('2d');
    context.font = `${weight} ${size * scale}px sans-serif`;
    context.textAlign = align;
    context.textBaseline = 'middle';
    context.fillText(text, align === 'left' ? 0 : canvas.width / 2, canvas.height / 2);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const ink = new Uint8Array(canvas.width * canvas.height);
    for (let at = 0; at < ink.length; at += 1) ink[at] = data[at * 4 + 3] ?? 0;
    return { width: canvas.width, height: canvas.height, data: ink };
  },
  async logo({ src }, millimetres) {
    const side = Math.max(16, Math.round(millimetres * 12));
    const context = createCanvas(side, side).getContext('2d');
    context.drawImage(await loadImage(Buffer.from(src.slice(src.indexOf(',') + 1), 'base64')), 0, 0, side, side);
    const { data } = context.getImageData(0, 0, side, side);
    return { width: side, height: side, data };
  },
};

type PdfObject = { entries: string; stream: Buffer | undefined };

function objectsOf(file: Buffer): Map<number, PdfObject> {
  const source = file.toString('latin1');
  const objects = new Map<number, PdfObject>();
  for (const match of source.matchAll(/(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const stream = source.indexOf('\nstream\n', start);
    const end = source.indexOf('\nendobj', start);
    if (stream < 0 || stream > end) {
      objects.set(Number(match[1]), { entries: source.slice(start, end), stream: undefined });
      continue;
    }
    const entries = source.slice(start, stream);
    const length = Number(/\/Length (\d+)/.exec(entries)?.[1]);
    objects.set(Number(match[1]), { entries, stream: inflateSync(file.subarray(stream + 8, stream + 8 + length)) });
  }
  return objects;
}

export type SheetPage = {
  widthMm: number;
  heightMm: number;
  pixels: Pixels /** Ink of the pictures of text. */;
  texts: number[];
  canvas: Canvas;
};

/** Draws every page of a sheet: paths, shadings (as black), pictures of text and logos. */
export function readSheet(file: Buffer, pixelsPerPoint = 4): SheetPage[] {
  const objects = objectsOf(file);
  const pages = [...objects.values()].filter(({ entries }) => entries.includes('/Type /Page '));
  return pages.map(({ entries }) => {
    const [, , width = 0, height = 0] = (/\/MediaBox \[([^\]]+)\]/.exec(entries)?.[1] ?? '').split(' ').map(Number);
    const canvas = createCanvas(Math.round(width * pixelsPerPoint), Math.round(height * pixelsPerPoint));
    const context = canvas.getContext('2d');
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.setTransform(pixelsPerPoint, 0, 0, -pixelsPerPoint, 0, canvas.height);
    const texts: number[] = [];
    const content = objects.get(Number(/\/Contents (\d+)/.exec(entries)?.[1]));
    draw(content?.stream ?? Buffer.alloc(0), context, objects, texts);
    return {
      widthMm: (width * 25.4) / 72,
      heightMm: (height * 25.4) / 72,
      texts,
      canvas,
      pixels: context.getImageData(0, 0, canvas.width, canvas.height),
    };
  });
}

function draw(content: Buffer, context: SKRSContext2D, objects: Map<number, PdfObject>, texts: number[]): void {
  let clip: 'nonzero' | 'evenodd' | undefined;
  let operands: string[] = [];
  const numbers = () => operands.map(Number) as [number, number, number, number, number, number];
  const color = () => `rgb(${operands.map((channel) => Math.round(Number(channel) * 255)).join(' ')})`;
  const fill = (rule: 'nonzero' | 'evenodd') => {
    context.fill(rule);
    context.beginPath();
  };
  const operators = new Map<string, () => void>([
    ['q', () => context.save()],
    ['Q', () => context.restore()],
    ['cm', () => context.transform(...numbers())],
    ['m', () => context.moveTo(numbers()[0], numbers()[1])],
    ['l', () => context.lineTo(numbers()[0], numbers()[1])],
    ['c', () => context.bezierCurveTo(...numbers())],
    ['h', () => context.closePath()],
    ['f', () => fill('nonzero')],
    ['f*', () => fill('evenodd')],
    ['rg', () => Object.assign(context, { fillStyle: color() })],
    [
      'g',
      () =>
        Object.assign(context, {
          fillStyle: `rgb(${Array(3)
            .fill(Math.round(Number(operands[0]) * 255))
            .join(' ')})`,
        }),
    ],
    ['w', () => Object.assign(context, { lineWidth: Number(operands[0]) })],
    [
      'S',
      () => {
        context.stroke();
        context.beginPath();
      },
    ],
    [
      'W',
      () => {
        clip = 'nonzero';
      },
    ],
    [
      'W*',
      () => {
        clip = 'evenodd';
      },
    ],
    [
      'n',
      () => {
        if (clip) context.clip(clip);
        clip = undefined;
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
    [
      'Do',
      () => {
        const found = objects.get(Number(/\d+/.exec(operands[0] ?? '')?.[0]));
        if (!found?.stream) throw new Error(`there is no ${operands[0]}`);
        if (found.entries.includes('/Subtype /Form')) {
          context.save();
          draw(found.stream, context, objects, texts);
          context.restore();
        } else drawPicture(found, context, texts);
      },
    ],
  ]);
  for (const token of content.toString('latin1').split(/\s+/)) {
    if (/^(?:[+-]?[\d.]+|\/\w+)$/.test(token)) operands.push(token);
    else if (token !== '') {
      operators.get(token)?.();
      operands = [];
    }
  }
}

function drawPicture({ entries, stream }: PdfObject, context: SKRSContext2D, texts: number[]): void {
  const [width = 1, height = 1] = [/\/Width (\d+)/, /\/Height (\d+)/].map((pattern) => Number(pattern.exec(entries)?.[1]));
  const isMask = entries.includes('/ImageMask true');
  const picture = createCanvas(width, height);
  const image = picture.getContext('2d').createImageData(width, height);
  const { data } = image;
  let inked = 0;
  for (let at = 0; at < width * height; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const ink = isMask ? ((stream?.[y * Math.ceil(width / 8) + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1 : 1;
    inked += isMask ? ink : 0;
    for (let channel = 0; channel < 3; channel += 1) data[at * 4 + channel] = isMask ? 0 : (stream?.[at * 3 + channel] ?? 0);
    data[at * 4 + 3] = ink * 255;
  }
  if (isMask) texts.push(inked);
  picture.getContext('2d').putImageData(image, 0, 0);
  context.save();
  // A picture stands the other way up than the page's axis.
  context.transform(1, 0, 0, -1, 0, 1);
  context.drawImage(picture, 0, 0, 1, 1);
  context.restore();
}

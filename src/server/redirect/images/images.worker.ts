import { createCanvas, loadImage } from '@napi-rs/canvas';
import { type QrDesign, toQrDesign } from '../../../qr/design.ts';
import { fontFamily, fontWeight } from '../../../qr/frame.ts';
import { inlineSide, needsInlining, placeInSquare } from '../../../qr/logo.ts';
import { renderSvg } from '../../../qr/svg.ts';
import { serveTasks } from '../../kit/bounded/child.ts';
import type { ImageAnswer, ImageTask } from './images.program.ts';

/** As the browser inlines it: a small PNG, free of scripts and of addresses. Undefined where it is no picture. */
async function inlineLogo(bytes: Uint8Array): Promise<string | undefined> {
  try {
    const image = await loadImage(bytes);
    const canvas = createCanvas(inlineSide, inlineSide);
    const context = canvas.getContext('2d');
    const { x, y, width, height } = placeInSquare(image, inlineSide);
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, x, y, width, height);
    return canvas.toDataURL('image/png');
  } catch {
    return undefined;
  }
}

/** The design with a logo that stands inside the drawing; one that is elsewhere is left out, because nothing is fetched here. */
async function standingAlone(design: QrDesign, picture: Uint8Array | null): Promise<QrDesign> {
  const { logo } = design;
  if (logo === null || !needsInlining(design)) return design;
  const bytes = logo.src.startsWith('data:') ? await (await fetch(logo.src)).bytes() : picture;
  const src = bytes === null ? undefined : await inlineLogo(bytes);
  return { ...design, logo: src === undefined ? null : { ...logo, src } };
}

const letterSide = 32;

function lookOf(letter: string): string {
  const canvas = createCanvas(letterSide, letterSide);
  const context = canvas.getContext('2d');
  context.font = `${fontWeight} ${letterSide / 2}px ${fontFamily}`;
  context.fillText(letter, 0, letterSide - 8);
  return Buffer.from(context.getImageData(0, 0, letterSide, letterSide).data).toString('base64');
}

/** What is drawn for a letter that no font has: no font has this one. */
const unassigned = '\u{10fffe}';
/** Spaces, joiners and marks have no look of their own. */
const isSeen = (letter: string): boolean => !/[\s\p{M}\p{Cf}]/u.test(letter);

function lacksLetters(text: string): boolean {
  const missing = lookOf(unassigned);
  return [...new Set(text)].some((letter) => isSeen(letter) && lookOf(letter) === missing);
}

async function pngOf(svg: string): Promise<Uint8Array> {
  const image = await loadImage(Buffer.from(svg));
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0, image.width, image.height);
  return canvas.encode('png');
}

serveTasks<ImageTask, ImageAnswer>(async ({ text, design: stored, picture, format, size, margin }) => {
  const saved = toQrDesign(stored === null ? null : JSON.parse(stored));
  const design = await standingAlone({ ...saved, size: size ?? saved.size, margin: margin ?? saved.margin }, picture);
  if (format === 'svg') return { bytes: Buffer.from(renderSvg(text, design)), lacks_letters: false };
  // Boxes in the place of letters are worse on paper than none.
  const lacks_letters = lacksLetters(design.frame.text);
  const shown = lacks_letters ? { ...design, frame: { ...design.frame, text: '' } } : design;
  return { bytes: await pngOf(renderSvg(text, shown)), lacks_letters };
});

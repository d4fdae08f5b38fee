import { Transformer } from '@napi-rs/image';
import { Resvg } from '@resvg/resvg-js';
import { type QrDesign, toQrDesign } from '../../../qr/design.ts';
import { fontFamily, fontWeight } from '../../../qr/frame.ts';
import { inlineSide, needsInlining } from '../../../qr/logo.ts';
import { renderSvg } from '../../../qr/svg.ts';
import { serveTasks } from '../../kit/bounded/child.ts';
import type { ImageAnswer, ImageTask } from './images.program.ts';

const pngOf = (svg: string): Buffer => new Resvg(svg, { font: { loadSystemFonts: svg.includes('<text') } }).render().asPng();

const drawingOf = (side: number, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${side} ${side}">${content}</svg>`;

/** As the browser inlines it: a small PNG, whole and centred in a square, free of scripts and of addresses. */
function inlineLogo(bytes: Uint8Array, type: string): string | undefined {
  try {
    // The one kind of pictures that the drawer of SVG does not read.
    const isWebp = type === 'image/webp';
    const address = `data:${isWebp ? 'image/png' : type};base64,${Buffer.from(isWebp ? new Transformer(bytes).pngSync() : bytes).toString('base64')}`;
    const logo = drawingOf(inlineSide, `<image width="${inlineSide}" height="${inlineSide}" href="${address}"/>`);
    return `data:image/png;base64,${pngOf(logo).toString('base64')}`;
  } catch {
    // Not a picture.
    return undefined;
  }
}

/** The design with a logo that stands inside the drawing; one that is elsewhere is left out, because nothing is fetched here. */
async function standingAlone(design: QrDesign, picture: ImageTask['picture']): Promise<QrDesign> {
  const { logo } = design;
  if (logo === null || !needsInlining(design)) return design;
  const [, type = ''] = /^data:(image\/[a-z+]+)/i.exec(logo.src) ?? [];
  const found = type === '' ? picture : { bytes: await (await fetch(logo.src)).bytes(), type: type.toLowerCase() };
  const src = found === null ? undefined : inlineLogo(found.bytes, found.type);
  return { ...design, logo: src === undefined ? null : { ...logo, src } };
}

const letterSide = 24;
const lookOf = (letter: string): string =>
  pngOf(
    drawingOf(letterSide, `<text y="20" font-size="18" font-family="${fontFamily}" font-weight="${fontWeight}">${letter}</text>`),
  ).toString('base64');

/** What is drawn for a letter that no font has: no font has this one. */
const unassigned = '&#x10fffd;';
/** Spaces, joiners and marks have no look of their own. */
const isSeen = (letter: string): boolean => !/[\s\p{M}\p{Cf}]/u.test(letter);

function lacksLetters(text: string): boolean {
  const letters = [...new Set(text)].filter(isSeen);
  if (letters.length === 0) return false;
  const missing = lookOf(unassigned);
  return letters.some((letter) => lookOf(`&#${letter.codePointAt(0)};`) === missing);
}

serveTasks<ImageTask, ImageAnswer>(async ({ text, design: stored, picture, format, size, margin }) => {
  const saved = toQrDesign(stored === null ? null : JSON.parse(stored));
  const design = await standingAlone({ ...saved, size: size ?? saved.size, margin: margin ?? saved.margin }, picture);
  if (format === 'svg') return { bytes: Buffer.from(renderSvg(text, design)), lacks_letters: false };
  // Boxes in the place of letters are worse on paper than none.
  const lacks_letters = lacksLetters(design.frame.text);
  const shown = lacks_letters ? { ...design, frame: { ...design.frame, text: '' } } : design;
  return { bytes: pngOf(renderSvg(text, shown)), lacks_letters };
});

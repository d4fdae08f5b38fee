import { beforeAll, describe, expect, test } from 'vitest';
import { cornerDotStyles, cornerStyles, defaultQrDesign, dotStyles, errorLevels, type QrDesign } from '../../../qr/design.ts';
import { presets } from '../../../qr/presets.ts';
import { renderSvg } from '../../../qr/svg.ts';
import { blur, lowerContrast, type Pixels, shrink } from '../drawing/pixels.ts';
import { prepareReaderInNode, rasteriseInNode, sampleLogo, sampleTexts } from '../testing/samples.ts';
import { decodeImageData } from './decode.ts';

beforeAll(prepareReaderInNode);

const read = async (image: Pixels) => {
  const reading = await decodeImageData(image);
  return reading?.isValid ? reading.text : `unreadable (${reading?.text ?? 'nothing found'})`;
};

describe.for(presets.map(({ id, design }) => [id, design] as const))('the preset %s', ([, design]) => {
  test.for(Object.entries(sampleTexts))('is read with a %s text: plain, small, blurred, tilted and pale', async ([, text]) => {
    const svg = renderSvg(text, design);
    const large = await rasteriseInNode(svg);
    expect(large.width).toBe(design.size);
    expect(await read(large)).toBe(text);
    const small = shrink(large, 0.3);
    expect(await read(small)).toBe(text);
    expect(await read(blur(small))).toBe(text);
    expect(await read(lowerContrast(small, 0.4))).toBe(text);
    expect(await read(await rasteriseInNode(svg, { width: 600, degrees: 15 }))).toBe(text);
    expect(await read(blur(blur(await rasteriseInNode(svg, { width: 600, degrees: -15 }))))).toBe(text);
  });

  test('is read with a logo at level H', async () => {
    const logo = { src: sampleLogo, ratio: 0.25, padding: 1, rounded: true };
    const image = await rasteriseInNode(renderSvg(sampleTexts.short, { ...design, error_level: 'H', logo }));
    expect(await read(image)).toBe(sampleTexts.short);
    expect(await read(blur(shrink(image, 0.3)))).toBe(sampleTexts.short);
  });
});

test.for(dotStyles)('dots %s are read with every corner and at every level', async (dot_style) => {
  for (const corner_style of cornerStyles) {
    for (const corner_dot_style of cornerDotStyles) {
      for (const error_level of errorLevels) {
        const design: QrDesign = { ...defaultQrDesign, size: 360, dot_style, corner_style, corner_dot_style, error_level };
        expect(await read(await rasteriseInNode(renderSvg(sampleTexts.short, design)))).toBe(sampleTexts.short);
      }
    }
  }
});

test.for(['none', 'top', 'bottom', 'box'] as const)('the frame %s leaves the code readable on any ground', async (kind) => {
  for (const background of ['#ffffff', 'transparent']) {
    const frame = { kind, text: '扫一扫 Scan me', text_color: '#ffffff', frame_color: '#000000' };
    expect(await read(await rasteriseInNode(renderSvg(sampleTexts.short, { ...defaultQrDesign, background, frame })))).toBe(
      sampleTexts.short,
    );
  }
});

test('texts of every kind come back unchanged', async () => {
  const texts = [
    '1',
    'A',
    '0123456789012345',
    'HTTPS://GO.EXAMPLE.COM/A8',
    '群聊',
    '👨‍👩‍👧 家',
    'مرحبا',
    'naïve ÿ ß',
    '<script>&"\'',
    'a'.repeat(1000),
  ];
  for (const text of texts) expect(await read(await rasteriseInNode(renderSvg(text, defaultQrDesign)))).toBe(text);
});

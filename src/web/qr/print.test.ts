import { beforeAll, describe, expect, test } from 'vitest';
import { cornerDotStyles, cornerStyles, defaultQrDesign, dotStyles, type QrDesign } from '../../qr/design.ts';
import { presets } from '../../qr/presets.ts';
import { renderSvg } from '../../qr/svg.ts';
import { blur, lowerContrast, shrink } from './drawing/pixels.ts';
import { decodeImageData } from './reading/decode.ts';
import { prepareReaderInNode, rasteriseInNode } from './testing/samples.ts';

beforeAll(prepareReaderInNode);

/** An address as live codes have them. */
const text = 'https://scan.example.com/a8f3k2m9?s=dzSGR2obA-Kuwnf-';

const looks: [string, QrDesign][] = [
  ...presets.map(({ id, design }): [string, QrDesign] => [`preset ${id}`, design]),
  ...dotStyles.map((dot_style): [string, QrDesign] => [`dots ${dot_style}`, { ...defaultQrDesign, dot_style }]),
  ...cornerStyles.map((corner_style): [string, QrDesign] => [`corners ${corner_style}`, { ...defaultQrDesign, corner_style }]),
  ...cornerDotStyles.map((corner_dot_style): [string, QrDesign] => [
    `corner dots ${corner_dot_style}`,
    { ...defaultQrDesign, corner_dot_style },
  ]),
];

describe.for(looks)('%s, printed', ([, design]) => {
  test.for([15, -15])('is read out of focus, turned by %s°, at 30 % of its size and pale, all at once', async (degrees) => {
    const printed = await rasteriseInNode(renderSvg(text, design), { width: 1024, degrees });
    const seen = lowerContrast(blur(shrink(printed, 0.3)), 0.4);
    const reading = await decodeImageData(seen);
    expect(reading?.isValid ? reading.text : 'unreadable').toBe(text);
  });
});

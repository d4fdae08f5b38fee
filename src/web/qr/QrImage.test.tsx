import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { defaultQrDesign } from '../../qr/design.ts';
import { renderSvg } from '../../qr/svg.ts';
import { QrImage } from './QrImage.tsx';

const sourceOf = (markup: string) => /src="([^"]*)"/.exec(markup)?.[1]?.replaceAll('&#x27;', "'").replaceAll('&amp;', '&') ?? '';

test('a code is an image with a name and the drawing as its address', () => {
  const markup = renderToStaticMarkup(<QrImage text="https://go.example.com/a" alt="Code of the spring poster" width={64} />);
  expect(markup).toContain('alt="Code of the spring poster"');
  expect(markup).toContain('width="64"');
  const source = sourceOf(markup);
  expect(source).toMatch(/^data:image\/svg\+xml,/);
  const drawing = decodeURIComponent(source.slice(source.indexOf(',') + 1));
  expect(drawing.replaceAll("'", '"')).toBe(renderSvg('https://go.example.com/a', defaultQrDesign));
});

test('a framed and branded code has no apostrophe of its own, which would end the attributes of the address', () => {
  const frame = { ...defaultQrDesign.frame, kind: 'box' as const, text: "it's <'quoted'>" };
  expect(renderSvg('x', { ...defaultQrDesign, frame, logo: { src: "/it's.png", ratio: 0.2, padding: 1, rounded: true } })).not.toContain(
    "'",
  );
});

test('the address is little longer than the drawing', () => {
  const markup = renderToStaticMarkup(<QrImage text="https://go.example.com/a" alt="" />);
  expect(markup.length).toBeLessThan(renderSvg('https://go.example.com/a', defaultQrDesign).length * 1.2 + 200);
});

test('a text that no code can hold shows the fallback', () => {
  expect(renderToStaticMarkup(<QrImage text="" alt="x" fallback={<b>none</b>} />)).toBe('<b>none</b>');
  expect(renderToStaticMarkup(<QrImage text={'a'.repeat(9999)} alt="x" />)).toBe('');
});

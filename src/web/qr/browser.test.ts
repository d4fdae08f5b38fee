import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadImage } from '@napi-rs/canvas';
import { type Browser, chromium, type Page } from '@playwright/test';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultQrDesign, type QrDesign } from '../../qr/design.ts';
import { presets } from '../../qr/presets.ts';
import type { DownloadFormat } from './download.ts';
import { decodeImageData } from './reading/decode.ts';
import type { testingPage as TestingPage } from './testing/page.tsx';
import { readPdf } from './testing/pdf.ts';
import { prepareReaderInNode, rasteriseInNode, sampleLogo, sampleTexts } from './testing/samples.ts';

declare const testingPage: typeof TestingPage;

const text: string = sampleTexts.short;
const logo = { src: sampleLogo, ratio: 0.22, padding: 1, rounded: true };
const ownLogo = { ...logo, src: '/logo.svg' };
const contentTypes: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};
const policy =
  "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'";

let folder: string;
let server: Server;
let browser: Browser;
let page: Page;
let origin: string;
let requested: string[];
let complaints: string[];

async function buildPage(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'qr-page-'));
  const entry = JSON.stringify(fileURLToPath(new URL('testing/page.tsx', import.meta.url)));
  await writeFile(join(folder, 'entry.js'), `import ${entry};`);
  await writeFile(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><head><title>QR</title><link rel="icon" href="data:,"></head><body><script type="module" src="./entry.js"></script></body></html>',
  );
  await build({ root: folder, configFile: false, logLevel: 'warn', build: { outDir: 'dist', chunkSizeWarningLimit: 5000 } });
}

async function servePage(): Promise<string> {
  server = createServer(async (request, response) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const body = path === '/logo.svg' ? sampleLogoFile() : await readFile(join(folder, 'dist', path)).catch(() => undefined);
    response.writeHead(body ? 200 : 404, {
      'content-type': contentTypes[extname(path)] ?? 'application/octet-stream',
      'content-security-policy': policy,
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port');
  return `http://127.0.0.1:${address.port}`;
}

const sampleLogoFile = () => Buffer.from(sampleLogo.slice(sampleLogo.indexOf(',') + 1), 'base64');

async function findBrowser(): Promise<{ executablePath: string; args: string[] }> {
  const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
  if (system) return { executablePath: system, args: ['--no-sandbox'] };
  const { default: packaged } = await import('@sparticuz/chromium');
  return { executablePath: await packaged.executablePath(), args: packaged.args };
}

beforeAll(async () => {
  prepareReaderInNode();
  await buildPage();
  origin = await servePage();
  browser = await chromium.launch(await findBrowser());
  page = await browser.newPage();
  requested = [];
  complaints = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(origin);
});

afterAll(async () => {
  await browser?.close();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  if (folder) await rm(folder, { recursive: true, force: true });
});

const fileOf = async (design: QrDesign, format: DownloadFormat, widthMm?: number) =>
  Buffer.from(
    await page.evaluate(([value, d, f, w]) => testingPage.file(value, d, f, w), [text, design, format, widthMm] as const),
    'base64',
  );

const read = async (image: Parameters<typeof decodeImageData>[0]) => {
  const reading = await decodeImageData(image);
  return reading?.isValid ? reading.text : undefined;
};

const readPng = async (png: Buffer) =>
  // A PNG inside an SVG takes the same way through the drawing as everything else in these tests.
  read(await rasteriseInNode(await wrapPng(png)));

async function wrapPng(png: Buffer): Promise<string> {
  const { width, height } = await loadImage(png);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/></svg>`;
}

describe('in the browser', () => {
  test('drawing and PNG need neither the PDF libraries nor the reader', async () => {
    await fileOf(defaultQrDesign, 'png');
    await fileOf(defaultQrDesign, 'svg');
    const names = requested.map((url) => new URL(url).pathname);
    expect(names.some((name) => name.endsWith('.js'))).toBe(true);
    expect(names.filter((name) => /pdf|zxing|decode|check|\.wasm/.test(name))).toEqual([]);
  });

  test.for(presets.map(({ id, design }) => [id, design] as const))('the preset %s reads back from PNG, SVG and PDF', async ([, design]) => {
    const png = await fileOf(design, 'png');
    expect(await loadImage(png)).toMatchObject({ width: design.size });
    expect(await readPng(png)).toBe(text);
    const svg = (await fileOf(design, 'svg')).toString();
    expect(await page.evaluate((value) => testingPage.isWellFormed(value), svg)).toBe(true);
    expect(await read(await rasteriseInNode(svg))).toBe(text);
    expect(await read(readPdf(await fileOf(design, 'pdf')).vectors)).toBe(text);
    const report = await page.evaluate(([value, d]) => testingPage.verifyDesign(value, d), [text, design] as const);
    expect(report).toEqual({ ok: true, safe: true, warnings: [] });
  });

  test('a PDF page has the width asked for, and only text and logo are pictures', async () => {
    const plain = readPdf(await fileOf(defaultQrDesign, 'pdf', 42));
    expect(plain.widthMm).toBeCloseTo(42, 1);
    expect(plain.heightMm).toBeCloseTo(42, 1);
    expect(plain.pictures).toEqual([]);
    const frame = { kind: 'bottom' as const, text: '扫一扫', text_color: '#ffffff', frame_color: '#111827' };
    const branded = readPdf(await fileOf({ ...defaultQrDesign, error_level: 'H', logo, frame }, 'pdf', 100));
    expect(branded.pictures).toHaveLength(2);
    expect(branded.heightMm).toBeGreaterThan(110);
    // The text's box is 0.8 × 100 mm less its round ends: at least 1,300 dots at 600 dpi.
    expect(Math.max(...branded.pictures.map(({ width }) => width))).toBeGreaterThan(1300);
    expect(await read(branded.vectors)).toBe(text);
  });

  test('frame text is drawn, not lost', async () => {
    const frame = (value: string) => ({
      ...defaultQrDesign,
      frame: { kind: 'box' as const, text: value, text_color: '#ffffff', frame_color: '#000000' },
    });
    for (const format of ['png', 'pdf'] as const) {
      const [short, long] = [await fileOf(frame('I'), format), await fileOf(frame('Scan me for the offer'), format)];
      expect(long.length - short.length, format).toBeGreaterThan(1000);
    }
  });

  test('a logo of our own origin is copied into every file', async () => {
    const design: QrDesign = { ...defaultQrDesign, error_level: 'H', logo: ownLogo };
    expect((await fileOf(design, 'svg')).toString()).toContain('href="data:image/png;base64,');
    expect(readPdf(await fileOf(design, 'pdf')).pictures).toHaveLength(1);
    const [withLogo, without] = [await fileOf(design, 'png'), await fileOf({ ...design, logo: null }, 'png')];
    expect(withLogo.equals(without)).toBe(false);
    expect(await readPng(withLogo)).toBe(text);
  });

  test('a logo that cannot be had is an error with a code, not a file without it', async () => {
    for (const src of ['/missing.png', 'https://foreign.example/logo.png', 'data:image/png;base64,AAAA']) {
      for (const format of ['png', 'svg', 'pdf'] as const) {
        const design: QrDesign = { ...defaultQrDesign, logo: { ...logo, src } };
        const code = await page.evaluate(([value, d, f]) => testingPage.codeOfFailure(testingPage.file(value, d, f)), [
          text,
          design,
          format,
        ] as const);
        // A PNG data URL goes into an SVG as it is.
        expect(code, `${src} ${format}`).toBe(format === 'svg' && src.startsWith('data:') ? 'none' : 'qr.logo_unreadable');
      }
    }
  });

  test('the check says what is wrong with a design', async () => {
    const check = (changes: Partial<QrDesign>, value = text) =>
      page.evaluate(([v, d]) => testingPage.verifyDesign(v, d), [value, { ...defaultQrDesign, ...changes }] as const);
    expect(await check({ foreground: { kind: 'solid', color: '#f0f0f0' } })).toMatchObject({ warnings: ['low_contrast'] });
    expect(await check({ logo: { ...logo, ratio: 0.3 }, error_level: 'L' }, sampleTexts.long)).toEqual({
      ok: false,
      safe: false,
      reason: 'unreadable',
      warnings: ['logo_too_big'],
    });
    expect(await check({ margin: 2 })).toMatchObject({ ok: true, warnings: ['quiet_zone'] });
    expect(await check({ size: 128 }, sampleTexts.long)).toMatchObject({ warnings: ['too_dense'] });
    expect(await page.evaluate(([v, d]) => testingPage.verifySvg(v, d, `${v}x`), [text, defaultQrDesign] as const)).toMatchObject({
      ok: false,
      reason: 'different',
    });
  });

  test('a preview shows the code, with its logo as soon as that is loaded', async () => {
    await page.evaluate(([v, d]) => testingPage.show(v, d), [text, { ...defaultQrDesign, error_level: 'H', logo: ownLogo }] as const);
    const image = page.getByRole('img', { name: 'code' });
    await page.waitForFunction(() => document.querySelector('img')?.src.includes('data:image/png'));
    expect(await image.evaluate((element) => element instanceof HTMLImageElement && element.naturalWidth)).toBe(1024);
    const shot = await image.screenshot();
    expect(await readPng(shot)).toBe(text);
  });

  test('nothing was asked of another origin, and the page ran under a strict policy', () => {
    const foreign = requested.filter((url) => !url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:'));
    expect(foreign.filter((url) => url !== 'https://foreign.example/logo.png')).toEqual([]);
    expect(requested.some((url) => url.endsWith('.wasm'))).toBe(true);
    expect(
      complaints.filter((line) => !/React DevTools|foreign\.example|missing\.png|404|Content Security Policy.*img-src/.test(line)),
    ).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

const web = fileURLToPath(new URL('../../src/web/', import.meta.url));

/**
 * Parts of the app by their place in `files`: what the login needs beyond the entry, what all other pages need, and each
 * screen; `alone` are the screens that do without the words of `screens.ts`.
 */
export type Parts = {
  files: string[];
  login: number[];
  office: number[];
  screens: Record<string, number[]>;
  alone: string[];
  languages: Record<string, { start: number[]; office: number[]; screens: number[] }>;
};

const none: Parts = { files: [], login: [], office: [], screens: {}, alone: [], languages: {} };

const importOf = String.raw`(lazy|lazyAlone)\(\s*async \(\) => \(\{\s*default: \(await import\('\./([^']+)'\)\)`;
/** The lines of `routes.tsx` that name the component of a screen: by itself, or by a name that was given to it before. */
const screenLine = new RegExp(String.raw`^ {2}(\w+): (?:${importOf}|(\w+),$)`, 'gm');
const nameLine = new RegExp(String.raw`^const (\w+) = ${importOf}`, 'gm');
/** Pages that are no screens of the tree, by what stands for one in their address. */
const furtherPages: Readonly<Record<string, string>> = { qr_code: 'QrCodePage', order_payment: 'OrderPaymentPage' };

export type Page = { file: string; isAlone: boolean };

/** The file of each page, by the name it has in the address. */
export function pagesOf(routes: string): [path: string, page: Page][] {
  const pageOf = (loader: string | undefined, file: string | undefined): Page | undefined =>
    file === undefined ? undefined : { file, isAlone: loader === 'lazyAlone' };
  const named = new Map([...routes.matchAll(nameLine)].map(([, name = '', loader, file]) => [name, pageOf(loader, file)]));
  const screens = [...routes.matchAll(screenLine)].map(
    ([, path = '', loader, file, name = '']) => [path, pageOf(loader, file) ?? named.get(name)] as const,
  );
  const further = Object.entries(furtherPages).map(([path, name]) => [path, named.get(name)] as const);
  return [...screens, ...further].filter((page): page is [string, Page] => page[1] !== undefined);
}

/** antd's name for the words of a language. */
const antdLocale = (language: string): string => `antd/es/locale/${language.replace('-', '_')}.js`;

/** What a page needs of a build, beyond what it loads anyway. */
export function partsOf(bundle: Rolldown.OutputBundle, routes: string): Parts {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const isAt = (path: string) => (id: string) => id.replaceAll('\\', '/').endsWith(path);
  // A module whose chunk holds others, too, is imported by a chunk of its own that leads there.
  const holding = (path: string) =>
    chunks.find(({ facadeModuleId }) => facadeModuleId !== null && isAt(path)(facadeModuleId)) ??
    chunks.find((chunk) => chunk.moduleIds.some(isAt(path)));
  const withImports = (chunk: Rolldown.OutputChunk | undefined, found = new Set<string>()): Set<string> => {
    if (!chunk || found.has(chunk.fileName)) return found;
    found.add(chunk.fileName);
    for (const name of chunk.imports) withImports(byName.get(name), found);
    for (const name of chunk.viteMetadata?.importedCss ?? []) found.add(name);
    return found;
  };
  const loaded = withImports(chunks.find((chunk) => chunk.isEntry));
  const files: string[] = [];
  const numberOf = (name: string) => (files.includes(name) ? files.indexOf(name) : files.push(name) - 1);
  const partOf = (path: string, without: ReadonlySet<string> = loaded) =>
    [...withImports(holding(path))].filter((name) => !without.has(name)).map(numberOf);
  const office = new Set([...loaded, ...withImports(holding('src/web/routes.tsx'))]);
  const languages = readLanguages(chunks);
  const pages = pagesOf(routes);
  return {
    login: partOf('src/web/login/LoginPage.tsx'),
    office: partOf('src/web/routes.tsx'),
    screens: Object.fromEntries(pages.map(([path, { file }]) => [path, partOf(`src/web/${file}`, office)])),
    alone: pages.filter(([, { isAlone }]) => isAlone).map(([path]) => path),
    languages: Object.fromEntries(
      languages.map((language) => [
        language,
        {
          start: partOf(`src/locales/${language}/start.ts`),
          office: [...partOf(`src/locales/${language}/index.ts`), ...partOf(antdLocale(language), office)],
          screens: partOf(`src/locales/${language}/screens.ts`),
        },
      ]),
    ),
    files: files.map((name) => `/${name}`),
  };
}

function readLanguages(chunks: readonly Rolldown.OutputChunk[]): string[] {
  const ids = chunks.flatMap((chunk) => chunk.moduleIds);
  const found = ids.map((id) => /[\\/]src[\\/]locales[\\/]([^\\/]+)[\\/]start\.ts$/.exec(id)?.[1]);
  return found.filter((language) => language !== undefined);
}

/** Puts the script into the page that runs before the app does, with the table of what to load. */
export function startPage(): Plugin {
  return {
    name: 'start-page',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const parts = bundle ? partsOf(bundle, readFileSync(`${web}routes.tsx`, 'utf8')) : none;
        const script = readFileSync(`${web}start/early.js`, 'utf8').replace(/^\s*\/\/.*\n/gm, '');
        return html.replace('<!-- early -->', () => `<script>${script.replace('__PARTS__', () => JSON.stringify(parts))}</script>`);
      },
    },
  };
}

import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A file or link of a release, by its path in the folder of the product. */
export interface Content {
  path: string;
  /** Where a link leads, as it is written there. */
  link?: string;
}

/** What a release runs on and is read with; the web app is in it as it was built. */
const ours = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'package.json', 'package-lock.json'],
  ...[
    'deploy',
    'docs',
    'migrations',
    'scripts/run.mjs',
    'scripts/lib',
    'simulators',
    'src/contract',
    'src/locales',
    'src/qr',
    'src/server',
    'dist/web',
  ],
];
const notOurs = /\.test\.tsx?$|(^|\/)\.|\/testing$/;

/** Declarations, maps, sources that were compiled, parts for builds, and binaries of another runtime: nothing that Node opens. */
const neverOpened = /\.(d\.[cm]?ts|[cm]?ts|map|md|markdown|flow|tsbuildinfo|a|h|bare)$|\.browser\.(m|c)?js$/i;
/** Folders at the top of a package that are about the package. */
const aboutPackage = /^(tests?|__tests__|benchmarks?|examples?|\.github)$/;
/** Of zxing-wasm only its reader is used, of Drizzle one database, of others nothing in a browser; Node takes one form of packages that come in two. */
const unused = new RegExp(
  `^node_modules/(${[
    'zxing-wasm/dist/([^/]+/)?(full|writer)/',
    'drizzle-orm/(gel|mysql|singlestore|sqlite)[^/]*/',
    '(drizzle-orm|zod)/.*[.]cjs$',
    '@(aws-sdk|smithy)/[^/]+/dist-es/',
    'dayjs/esm/',
    'yaml/browser/',
    'pngjs/browser[.]js$',
    // Sources of a part that is not compiled.
    'cpu-features/deps/',
  ].join('|')})`,
);

/** Of PostgreSQL's libraries those for languages that are not in it, for building, and for texts in what no client of ours speaks. */
const unusedOfPostgres =
  /\/native\/lib\/(lib(ecpg|pgtypes)[^/]*$|postgresql\/(pgxs\/|\w*pl(perl|python3|tcl)\.so$|(?!utf8_and_(gbk|gb18030|win|iso8859|iso8859_1)\.so$)(\w+_and_\w+|euc2004_sjis2004)\.so$))/;

interface LockEntry {
  dev?: boolean;
  optional?: boolean;
}

/** Everything that goes into a release, sorted: the sources that run, the built web app, and the lock file's packages that are not for development. */
export function contentsOf(root: string): Content[] {
  const own = sourcesOf(root, ours);
  const packages = productionPackages(root).flatMap((path) => [...filesBelow(root, path, (name) => isOpened(path, name))]);
  const all = [...own, ...packages];
  const paths = new Set(all.map(({ path }) => path));
  const commands = [...filesBelow(root, 'node_modules/.bin', () => true)].filter(
    ({ path, link }) => link && paths.has(posix.join(posix.dirname(path), link)),
  );
  return [...all, ...commands].sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** The files that are the product's own. */
export const sourcesOf = (root: string, paths: readonly string[]): Content[] =>
  paths.flatMap((path) => [...filesBelow(root, path, (name) => !notOurs.test(name))]);

/** @throws where a package that the lock file demands is not installed */
function productionPackages(root: string): string[] {
  const { packages }: { packages: Record<string, LockEntry> } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .filter(([path, { optional }]) => {
      if (lstatSync(join(root, path), { throwIfNoEntry: false })) return true;
      // Those of other machines.
      if (optional) return false;
      throw new Error(`${path} of the lock file is not installed.`);
    })
    .map(([path]) => path);
}

function isOpened(packagePath: string, name: string): boolean {
  const inside = name.slice(packagePath.length + 1);
  // Packages within packages have entries of their own in the lock file.
  return (
    !aboutPackage.test(inside) && inside !== 'node_modules' && !neverOpened.test(name) && !unused.test(name) && !unusedOfPostgres.test(name)
  );
}

function* filesBelow(root: string, path: string, isWanted: (path: string) => boolean): Generator<Content> {
  const entry = lstatSync(join(root, path));
  if (entry.isSymbolicLink()) yield { path, link: readlinkSync(join(root, path)) };
  else if (!entry.isDirectory()) yield { path };
  else
    for (const name of readdirSync(join(root, path))) {
      const below = `${path}/${name}`;
      if (isWanted(below)) yield* filesBelow(root, below, isWanted);
    }
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';

export interface BrowserProgram {
  executable: string;
  env: Record<string, string>;
}

const systemPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** No sandbox, because tests also run as root in containers; nothing that reaches out by itself, because a test must not depend on it. */
export const browserFlags = [
  '--no-sandbox',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
];

/** The machine's Chromium, else the one that npm brought. */
export const browserProgram = async (): Promise<BrowserProgram> => systemBrowser() ?? (await bundledBrowser());

/** Starts it, outside of journeys, whose runner does it by itself. The caller closes it. */
export async function launchBrowser(program?: BrowserProgram): Promise<Browser> {
  const { executable, env } = program ?? (await browserProgram());
  return chromium.launch({ executablePath: executable, args: browserFlags, env });
}

const ownEnv = () => Object.fromEntries(Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** The machine's own Chromium or Chrome, when there is one that starts. */
export function systemBrowser(): BrowserProgram | undefined {
  const executable = systemPaths.find((path) => existsSync(path) && starts({ executable: path, env: ownEnv() }));
  return executable ? { executable, env: ownEnv() } : undefined;
}

/** The Chromium inside `@sparticuz/chromium` (Linux), unpacked once per version into node_modules. */
export async function bundledBrowser(): Promise<BrowserProgram> {
  const folder = await unpacked();
  const executable = join(folder, 'chromium');
  const fonts: Record<string, string> = existsSync('/etc/fonts/fonts.conf') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') };
  const plain = { executable, env: { ...ownEnv(), ...fonts } };
  if (starts(plain)) return plain;
  // Small systems lack a few libraries, which the package brings too.
  return { executable, env: { ...plain.env, LD_LIBRARY_PATH: join(folder, 'al2023', 'lib') } };
}

async function unpacked(): Promise<string> {
  const home = dirname(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')));
  const { version }: { version: string } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));
  const folder = join(cache, `chromium-${version}`);
  if (existsSync(folder)) return folder;

  // The package unpacks into the system's temporary folder, where it takes a half-written file of another process for a whole one.
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(`${folder}.`);
  const before = process.env.TMPDIR;
  process.env.TMPDIR = unfinished;
  try {
    const { default: bundle, inflate } = await import('@sparticuz/chromium');
    await bundle.executablePath();
    await inflate(join(home, 'bin', 'al2023.tar.br'));
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
  return folder;
}

function starts({ executable, env }: BrowserProgram) {
  return spawnSync(executable, ['--version', '--no-sandbox'], { env, stdio: 'ignore' }).status === 0;
}

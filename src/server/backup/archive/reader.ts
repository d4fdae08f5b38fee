import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { extract as extractTar } from 'tar-stream';
import { StartError } from '../../kit/start-error.ts';
import { checksumsName, manifestName } from './format.ts';

/** Lists of names and checksums are read whole; the others are files. */
const maxTextLength = 256 * 2 ** 20;

/** The types of tar-stream leave open that a chunk is a buffer. */
type Entry = { name: string; isFolder: boolean; content: AsyncIterable<Buffer> };

/** Calls `take` for each entry in its order. A name that could lead out of a folder, a link or a device ends it. */
async function readEntries(path: string, contentLength: number, signal: AbortSignal, take: (entry: Entry) => Promise<void>): Promise<void> {
  const extract = extractTar();
  const reading = async () => {
    for await (const entry of extract) {
      const { name, type } = entry.header;
      const isFolder = type === 'directory';
      const plain = isFolder ? name.replace(/\/$/, '') : name;
      if ((!isFolder && type !== 'file') || !isSafeName(plain)) throw new StartError(`${path} holds an entry that no backup has: ${name}`);
      await take({ name: plain, isFolder, content: entry as AsyncIterable<unknown> as AsyncIterable<Buffer> });
      entry.resume();
    }
  };
  const source = createReadStream(path, { end: contentLength - 1 });
  await Promise.all([pipeline(source, createZstdDecompress(), extract, { signal }), reading()]);
}

/** Relative, with no part that leads elsewhere and no character that a terminal or a checksum list would take for another. */
export const isSafeName = (name: string): boolean =>
  name.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && !/[\p{Cc}\\]/u.test(part));

class Enough extends Error {}

/** The text of the manifest, which every backup begins with. */
export async function readManifestText(path: string, contentLength: number): Promise<string> {
  let text: string | undefined;
  const stop = new AbortController();
  try {
    await readEntries(path, contentLength, stop.signal, async ({ name, content }) => {
      if (name === manifestName) text = (await readWhole(content)).toString('utf8');
      throw new Enough();
    });
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  } finally {
    stop.abort();
  }
  if (text === undefined) throw new StartError(`${path} is no backup of Livecode: it has no ${manifestName}.`);
  return text;
}

/**
 * Writes the entries into a new folder and compares each with its checksum.
 * @returns paths of the files, relative to the folder
 * @throws {StartError} where a checksum is missing or differs
 */
export async function extractArchive(path: string, contentLength: number, folder: string, signal: AbortSignal): Promise<string[]> {
  const found = new Map<string, string>();
  let expected = new Map<string, string>();
  await readEntries(path, contentLength, signal, async ({ name, isFolder, content }) => {
    const target = join(folder, name);
    if (isFolder) {
      await mkdir(target, { recursive: true, mode: 0o700 });
      return;
    }
    if (name === checksumsName) {
      expected = parseChecksums((await readWhole(content)).toString('utf8'));
      return;
    }
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    found.set(name, await writeEntry(target, content));
  });
  const wrong = [...new Set([...found.keys(), ...expected.keys()])].find((name) => found.get(name) !== expected.get(name));
  if (wrong !== undefined || found.size === 0)
    throw new StartError(`${path} is damaged: the checksum of ${wrong ?? 'all'} does not match.`);
  return [...found.keys()];
}

async function writeEntry(target: string, content: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256');
  const file = await open(target, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      hash.update(chunk);
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
    }
  } finally {
    await file.close();
  }
  return hash.digest('hex');
}

async function readWhole(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    length += chunk.length;
    if (length > maxTextLength) throw new StartError('The list of what the backup holds is longer than any that Livecode writes.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseChecksums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type Header, pack as packTar } from 'tar-stream';
import { syncFolder } from '../kit/visits/journal/files.ts';
import { checksumsName, encodeFooter, roomFor } from './archive.format.ts';

const pieceBytes = 2 ** 20;

export interface ArchiveWriter {
  addFolder(name: string): Promise<void>;
  addBytes(name: string, bytes: Buffer): Promise<void>;
  /**
   * Adds what an open file holds. A header tells the length before the data: what a file grows by meanwhile is left out, and zeros take
   * the place of what it loses. Answers the length.
   */
  addFile(name: string, file: FileHandle): Promise<number>;
  /** Ends the archive and gives it its name, once the disk holds it. */
  finish(): Promise<{ bytes: number; sha256: string }>;
  /** Leaves nothing behind. Does nothing after `finish`. */
  discard(): Promise<void>;
}

/** Begins an archive under a temporary name beside `path`, readable by its owner only. */
export async function createArchive(path: string, signal: AbortSignal): Promise<ArchiveWriter> {
  const temporary = `${path}.${process.pid}.part`;
  const file = await open(temporary, 'wx', 0o600);
  const pack = packTar({ highWaterMark: pieceBytes });
  const whole = createHash('sha256');
  const checksums: string[] = [];
  let bytes = 0;
  let unpackedBytes = 0;
  let isFinished = false;

  const write = async (chunk: Buffer) => {
    whole.update(chunk);
    for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
    bytes += chunk.length;
  };
  const compressor = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await write(chunk);
  };
  // A stream of streamx, which is one of Node's in all but its type.
  const flow = pipeline(pack as unknown as Readable, gather, compressor, sink, { signal });
  flow.catch(() => {});

  /** Where the archive cannot be written its entries fail, too: the reason is what is thrown. */
  const awaited = async (work: Promise<unknown>) => {
    try {
      await Promise.race([work, flow]);
    } catch (error) {
      await flow;
      throw error;
    }
  };
  const begin = async (header: Partial<Header> & Pick<Header, 'name'>) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    promise.catch(() => {});
    // An archive that cannot be written takes no entry: then the reason is thrown.
    if (pack.destroying) await flow;
    const entry = pack.entry(header, (error) => (error ? reject(error) : resolve()));
    entry.on('error', reject);
    return { entry, done: promise };
  };
  const note = (name: string, size: number, sha256: string) => {
    checksums.push(`${sha256}  ${name}\n`);
    unpackedBytes += roomFor(size);
  };
  const headerOf = (name: string, size: number) => ({ name, size, mode: 0o600, type: 'file' as const, mtime: new Date() });

  const addBytes: ArchiveWriter['addBytes'] = async (name, content) => {
    const { entry, done } = await begin(headerOf(name, content.length));
    entry.end(content);
    await awaited(done);
    note(name, content.length, createHash('sha256').update(content).digest('hex'));
  };

  return {
    addBytes,
    async addFolder(name) {
      const { done } = await begin({ name: `${name}/`, mode: 0o700, type: 'directory', mtime: new Date() });
      await awaited(done);
      unpackedBytes += roomFor(0);
    },
    async addFile(name, source) {
      const { size } = await source.stat();
      if (size <= pieceBytes) {
        await addBytes(name, await readPiece(source, 0, size));
        return size;
      }
      const hash = createHash('sha256');
      const { entry, done } = await begin(headerOf(name, size));
      for (let at = 0; at < size; at += pieceBytes) {
        const piece = await readPiece(source, at, Math.min(pieceBytes, size - at));
        hash.update(piece);
        if (!entry.write(piece)) await awaited(once(entry, 'drain'));
      }
      entry.end(null);
      await awaited(done);
      note(name, size, hash.digest('hex'));
      return size;
    },
    async finish() {
      await addBytes(checksumsName, Buffer.from(checksums.join('')));
      pack.finalize();
      await flow;
      await write(encodeFooter(whole.copy(), unpackedBytes));
      await file.sync();
      await file.close();
      signal.throwIfAborted();
      await rename(temporary, path);
      isFinished = true;
      await syncFolder(dirname(path));
      return { bytes, sha256: whole.digest('hex') };
    },
    async discard() {
      if (isFinished) return;
      pack.destroy(new Error('The archive was given up.'));
      await flow.catch(() => {});
      await file.close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** Thousands of small files make thousands of small chunks, each of which would cost the compressor a turn. */
async function* gather(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    length += chunk.length;
    if (length < pieceBytes) continue;
    yield Buffer.concat(held);
    held = [];
    length = 0;
  }
  yield Buffer.concat(held);
}

/** Exactly so many bytes, with zeros for what is not there. */
async function readPiece(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const piece = Buffer.alloc(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(piece, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return piece;
}

import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { type Header, type Pack, pack as packTar } from 'tar-stream';
import { checksumsName, encodeFooter, roomFor } from './format.ts';
import type { ArchiveTarget, Written } from './target.ts';

const pieceBytes = 2 ** 20;

export interface ArchiveWriter {
  addFolder(name: string): Promise<void>;
  addBytes(name: string, bytes: Buffer): Promise<void>;
  /**
   * Adds what an open file holds. A header tells the length before the data: what a file grows by meanwhile is left out, and zeros take
   * the place of what it loses. Answers the length.
   */
  addFile(name: string, file: FileHandle): Promise<number>;
  /** Ends the archive, which has its name then. */
  finish(): Promise<Written>;
  /** Leaves nothing behind. Does nothing after `finish`. */
  discard(): Promise<void>;
}

export function createArchive(target: ArchiveTarget, signal: AbortSignal): ArchiveWriter {
  const pack = packTar({ highWaterMark: pieceBytes });
  const checksums: string[] = [];
  let unpackedBytes = 0;
  let isFinished = false;

  const output = writeThrough(target);
  const compressor = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  // A stream of streamx, which is one of Node's in all but its type.
  const flow = pipeline(pack as unknown as Readable, gather, compressor, output.sink, { signal });
  flow.catch(() => {});
  const { begin, awaited } = openEntries(pack, flow);

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
      await output.write(encodeFooter(output.hash.copy(), unpackedBytes));
      await target.finish(signal);
      isFinished = true;
      return target.written?.() ?? { bytes: output.bytes(), sha256: output.hash.digest('hex') };
    },
    async discard() {
      if (isFinished) return;
      pack.destroy(new Error('The archive was given up.'));
      await flow.catch(() => {});
      await target.discard();
    },
  };
}

/** Writes chunks to the target, counted and hashed. */
function writeThrough(target: ArchiveTarget) {
  const hash = createHash('sha256');
  let bytes = 0;
  const write = async (chunk: Buffer) => {
    hash.update(chunk);
    await target.write(chunk);
    bytes += chunk.length;
  };
  const sink = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) await write(chunk);
  };
  return { hash, write, sink, bytes: () => bytes };
}

/** Entries of the archive, whose faults are those of the whole flow where that failed. */
function openEntries(pack: Pack, flow: Promise<void>) {
  return {
    async begin(header: Partial<Header> & Pick<Header, 'name'>) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      promise.catch(() => {});
      // An archive that cannot be written takes no entry: then the reason is thrown.
      if (pack.destroying) await flow;
      const entry = pack.entry(header, (error) => (error ? reject(error) : resolve()));
      entry.on('error', reject);
      return { entry, done: promise };
    },
    /** Where the archive cannot be written its entries fail, too: the reason is what is thrown. */
    async awaited(work: Promise<unknown>) {
      try {
        await Promise.race([work, flow]);
      } catch (error) {
        await flow;
        throw error;
      }
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

import { Worker } from 'node:worker_threads';
import { type QrKind, qrKinds, recogniseQr } from '../../contract/qr-kind.ts';
import type { ReadAnswer, ReadRequest } from './qr-reader.worker.ts';

/** What a picture's QR code says; `none` without one that can be read. Nulls where nobody could look. */
export type QrFinding = { qr_text: string | null; qr_kind: QrKind | null };

/** Reading takes some ten milliseconds; a picture that takes so much longer is made to. */
const defaultTimeout = 4_000;
/** Of so many pictures that wait, each takes its turn; more would hold the memory of all of them. */
const mostWaiting = 24;
const longestText = 2_000;

type Job = { bytes: Uint8Array; resolve: (texts: readonly string[] | null) => void };

/**
 * Reads QR codes in a thread of its own, one picture after the other, so that nothing else waits while a picture is searched. The thread
 * starts with the first picture and doesn't keep the process alive.
 */
export function createQrReader({ timeoutMilliseconds = defaultTimeout }: { timeoutMilliseconds?: number } = {}) {
  const waiting: Job[] = [];
  let worker: Worker | undefined;
  let isBusy = false;
  let lastId = 0;

  function thread(): Worker {
    if (worker) return worker;
    const started = new Worker(new URL('./qr-reader.worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: 256 } });
    // Also what arrives when nobody asks: an error event without a listener would end the process.
    started.on('error', () => {});
    started.on('exit', () => {
      if (worker === started) worker = undefined;
    });
    started.unref();
    worker = started;
    return started;
  }

  /** The texts in one picture; none where it takes too long, null where the thread dies of it. */
  function readOne(bytes: Uint8Array): Promise<readonly string[] | null> {
    return new Promise((resolve) => {
      const current = thread();
      const id = ++lastId;
      const finish = (texts: readonly string[] | null): void => {
        clearTimeout(timer);
        current.off('message', hear);
        current.off('exit', die);
        resolve(texts);
      };
      const hear = (answer: ReadAnswer): void => {
        if (answer.id === id) finish(answer.texts);
      };
      const die = (): void => finish(null);
      const timer = setTimeout(() => {
        if (worker === current) worker = undefined;
        finish([]);
        void current.terminate();
      }, timeoutMilliseconds);
      current.on('message', hear);
      current.on('exit', die);
      current.postMessage({ id, bytes } satisfies ReadRequest);
    });
  }

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    for (let job = waiting.shift(); job; job = waiting.shift()) job.resolve(await readOne(job.bytes).catch(() => null));
    isBusy = false;
  }

  return {
    /** What the QR code in a picture is; where it holds several, the one that says most: a group before a person before an address. */
    async find(bytes: Uint8Array): Promise<QrFinding> {
      if (waiting.length >= mostWaiting) return { qr_text: null, qr_kind: null };
      const texts = await new Promise<readonly string[] | null>((resolve) => {
        waiting.push({ bytes, resolve });
        void work();
      });
      return texts === null ? { qr_text: null, qr_kind: null } : findingOf(texts);
    },
    async stop(): Promise<void> {
      await worker?.terminate();
    },
  };
}
export type QrReader = ReturnType<typeof createQrReader>;

function findingOf(texts: readonly string[]): QrFinding {
  const findings = texts.map((text) => ({ qr_text: text.slice(0, longestText).replaceAll('\0', ''), qr_kind: recogniseQr(text).kind }));
  const [best] = findings.toSorted((one, other) => qrKinds.indexOf(one.qr_kind) - qrKinds.indexOf(other.qr_kind));
  return best ?? { qr_text: null, qr_kind: 'none' };
}

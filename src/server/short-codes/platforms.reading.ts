import { Worker } from 'node:worker_threads';
import type { Reading } from '../../contract/platform-config.ts';
import { AppError } from '../kit/errors.ts';
import { type GuardedAnswer, guardedUrl } from '../kit/guarded-client.ts';
import type { GuardedNetwork } from '../kit/guarded-network.ts';
import type { ReadingResult, ReadingTask } from './platforms.reading.worker.ts';

const readingMilliseconds = 2_000;
const longestLink = 2048;
const workerFile = new URL('./platforms.reading.worker.ts', import.meta.url);

/**
 * Looks for the text in a thread that is ended when it takes too long: an operator's expression on somebody else's answer may need
 * longer than the universe has, and nothing else may wait for it.
 */
function readInThread(task: ReadingTask): Promise<ReadingResult> {
  const worker = new Worker(workerFile, { workerData: task, env: {}, resourceLimits: { maxOldGenerationSizeMb: 128, stackSizeMb: 4 } });
  return new Promise<ReadingResult>((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError(502, 'platform.slow_reading')), readingMilliseconds);
    worker.once('message', (result: ReadingResult) => {
      clearTimeout(timer);
      resolve(result);
    });
    // Out of memory or too deeply nested: the answer is to blame, not this server.
    worker.once('error', () => {
      clearTimeout(timer);
      reject(new AppError(502, 'platform.slow_reading'));
    });
  }).finally(() => worker.terminate());
}

/** The text at the place of an answer that the reading names, with its prefix; throws `platform.*` where there is none. */
export async function readAnswer({ kind, path = '', prefix = '' }: Reading, answer: GuardedAnswer): Promise<string> {
  const found = kind === 'location' ? readLocation(answer) : await readBody(kind, path, answer);
  const text = found?.trim() ?? '';
  if (text === '') throw new AppError(502, 'platform.nothing_read');
  return `${prefix}${text}`;
}

function readLocation({ status, headers, url }: GuardedAnswer): string | null {
  const location = headers.location;
  if (status >= 400) throw new AppError(502, 'platform.status', { params: { status } });
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : null;
}

async function readBody(kind: 'json' | 'regex' | 'body', path: string, { status, body }: GuardedAnswer): Promise<string | null> {
  if (status < 200 || status > 299) throw new AppError(502, 'platform.status', { params: { status } });
  if (kind === 'body') return body;
  const result = await readInThread({ kind, path, body });
  if ('fault' in result) throw new AppError(502, `platform.${result.fault}`);
  return result.found;
}

/**
 * The link as it is kept: whatever a platform answered, only a plain web address that doesn't lead inside becomes one.
 * @param destination what the link should be for: an answer that only repeats it is none
 */
export function judgeLink(text: string, { destination, network }: { destination?: string; network: GuardedNetwork }): string {
  const refused = new AppError(502, 'platform.not_a_link', { params: { text: text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 80) } });
  if (text.length > longestLink || /[\s\p{Cc}\p{Cf}\\<>"'`]/u.test(text)) throw refused;
  let link: string;
  try {
    const { hash } = new URL(text);
    link = `${guardedUrl(text).href}${hash}`;
    network.checkHost(link);
  } catch {
    throw refused;
  }
  if (destination !== undefined && link === new URL(destination).href) throw new AppError(502, 'platform.same_link');
  return link;
}

import type { Reading } from '../../contract/links/platform-config.ts';
import { TaskFault } from '../kit/bounded/processes.ts';
import type { BoundedProgram } from '../kit/bounded/program.ts';
import { boundedTasks } from '../kit/bounded/tasks.ts';
import { AppError } from '../kit/calls/errors.ts';
import { type GuardedAnswer, guardedUrl } from '../kit/network/guarded-client.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { ReadingResult, ReadingTask } from './url-key-platform.reading.worker.ts';

const timeoutMilliseconds = 2_000;
const costBytes = 100_000_000;
const maxLink = 2048;

const readingProgram: BoundedProgram<ReadingTask, ReadingResult> = {
  file: new URL('./url-key-platform.reading.worker.ts', import.meta.url),
  heapMegabytes: 128,
};

/**
 * Looks for the text in a process that is ended when it takes too long: an operator's expression on a platform's answer may need
 * longer than the universe has, and nothing else may wait for it.
 */
function readAside(task: ReadingTask, source: string): Promise<ReadingResult> {
  return boundedTasks.run(readingProgram, { key: `platform:${source}`, costBytes, timeoutMilliseconds }, task).catch((error: unknown) => {
    if (!(error instanceof TaskFault)) throw error;
    // Out of time or memory, or too deeply nested: the answer is to blame, unless this server is too busy.
    throw error.reason === 'busy' ? new AppError(503, 'unavailable') : new AppError(502, 'platform.slow_reading');
  });
}

/**
 * The text at the place of an answer that the reading names, with its prefix; throws `platform.*` where there is none.
 * @param source what was asked: answers of one are read one at a time
 */
export async function readAnswer({ kind, path = '', prefix = '' }: Reading, answer: GuardedAnswer, source: string): Promise<string> {
  const found = kind === 'location' ? readLocation(answer) : await readBody({ kind, path }, answer, source);
  const text = found?.trim() ?? '';
  if (text === '') throw new AppError(502, 'platform.nothing_read');
  return `${prefix}${text}`;
}

function readLocation({ status, headers, url }: GuardedAnswer): string | null {
  const location = headers.location;
  if (status >= 400) throw new AppError(502, 'platform.status', { params: { status } });
  return location !== undefined && URL.canParse(location, url) ? new URL(location, url).href : null;
}

type BodyReading = { kind: 'json' | 'regex' | 'body'; path: string };

async function readBody({ kind, path }: BodyReading, { status, body }: GuardedAnswer, source: string): Promise<string | null> {
  if (status < 200 || status > 299) throw new AppError(502, 'platform.status', { params: { status } });
  if (kind === 'body') return body;
  const result = await readAside({ kind, path, body }, source);
  if ('fault' in result) throw new AppError(502, `platform.${result.fault}`);
  return result.found;
}

/**
 * The link as it is kept: whatever a platform answered, only a plain web address that doesn't lead inside becomes one.
 * @param destination what the link should be for: an answer that only repeats it is none
 */
export function judgeLink(text: string, { destination, network }: { destination?: string; network: GuardedNetwork }): string {
  const refused = new AppError(502, 'platform.not_a_link', { params: { text: text.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 80) } });
  if (text.length > maxLink || /[\s\p{Cc}\p{Cf}\\<>"'`]/u.test(text)) throw refused;
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

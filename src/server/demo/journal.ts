import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeRecord, maximumRecordLength } from '../kit/visits/journal/record.ts';
import { maximumSegmentLength, segmentName, sourceName } from '../kit/visits/journal/segment.ts';
import { type DemoVisitedCode, visitsOf } from './visits.ts';

/** No process has this id, so that the loader knows at once that nobody writes these segments any more. */
const nobodysProcess = 99_999_999;

/**
 * Writes the visits as journal segments, for the loader to load like any other.
 * @returns visits left of each target with a threshold
 */
export async function writeDemoJournal(
  folder: string,
  codes: readonly DemoVisitedCode[],
  { now, host }: { now: Date; host: string },
): Promise<Map<number, number>> {
  await mkdir(folder, { recursive: true });
  const source = sourceName('demo', now.getTime(), nobodysProcess);
  const buffer = Buffer.alloc(maximumSegmentLength / 4);
  let [number, used] = [1, 0];
  const flush = async (): Promise<void> => {
    const path = join(folder, segmentName(source, number));
    await writeFile(`${path}.part`, buffer.subarray(0, used));
    await rename(`${path}.part`, path);
    number += 1;
    used = 0;
  };
  for (const record of visitsOf(codes, now.getTime(), host)) {
    if (used + maximumRecordLength > buffer.length) await flush();
    used = encodeRecord(buffer, used, used, record);
  }
  if (used > 0) await flush();
  return new Map(
    codes.flatMap((code) => code.targets.flatMap((target) => (target.remaining === null ? [] : [[target.id, target.remaining] as const]))),
  );
}

import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { outcomes } from '../../contract/enums.ts';
import { encodeRecord, maximumRecordLength, type VisitRecord } from '../kit/journal/record.ts';
import { maximumSegmentLength, newSource, segmentName } from '../kit/journal/segment.ts';
import { hourShares, newVisitor, pick, randomSource } from './visitors.ts';

export type DemoVisitTarget = {
  live_code_id: number;
  file_name: string;
  daily: number;
  age: number;
  rotation_mode: 1 | 2 | 3;
  isClosed: boolean;
  isMessengerOnly: boolean;
  targets: { id: number; weight: number; remaining: number | null }[];
};

type Random = () => number;
const day = 86_400_000;
/** China has one time zone and no summer time. */
const chinaOffset = 8 * 3_600_000;
/** No process has this id, so that the loader knows at once that nobody writes these segments any more. */
const nobodysProcess = 99_999_999;

/** The moments of one day's visits: more at noon and in the evening, fewer at the weekend, growing slowly over the months. */
function momentsOf(dayStart: number, code: DemoVisitTarget, daysAgo: number, random: Random): number[] {
  const weekday = new Date(dayStart + chinaOffset).getUTCDay();
  const mood = (weekday === 0 || weekday === 6 ? 0.72 : 1.06) * (0.8 + random() * 0.4) * (1.25 - daysAgo / 180);
  const hours = hourShares.map((share, hour) => ({ share, hour }));
  return Array.from(
    { length: Math.round(code.daily * mood) },
    () => dayStart + pick(random, hours, ({ share }) => share).hour * 3_600_000 + Math.floor(random() * 3_600_000),
  );
}

/** The target that serves this visit by the code's rotation; what a threshold has left goes down with it. */
function serve(code: DemoVisitTarget, turn: number, random: Random): number | undefined {
  const open = code.targets.filter((target) => target.remaining === null || target.remaining > 0);
  const chosen =
    code.rotation_mode === 1
      ? open[0]
      : code.rotation_mode === 2
        ? pick(random, open, (target) => target.weight)
        : open[turn % open.length];
  if (chosen && chosen.remaining !== null) chosen.remaining -= 1;
  return chosen?.id;
}

const outcomeNumber = (outcome: (typeof outcomes)[number]): number => outcomes.indexOf(outcome);

function* visitsOf(codes: readonly DemoVisitTarget[], now: number, host: string): Generator<VisitRecord> {
  const random = randomSource(20_260_101);
  const known: { ip: string; user_agent: string }[] = [];
  const today = Math.floor((now + chinaOffset) / day) * day - chinaOffset;
  for (let daysAgo = 90; daysAgo >= 0; daysAgo--) {
    const visits = codes
      .filter((code) => code.age >= daysAgo)
      .flatMap((code) => momentsOf(today - daysAgo * day, code, daysAgo, random).map((at) => ({ at, code })))
      .filter(({ at }) => at < now)
      .sort((one, other) => one.at - other.at);
    for (const [turn, { at, code }] of visits.entries()) {
      const returning = random() < 0.28 ? known[Math.floor(random() * known.length)] : undefined;
      const visitor = returning ?? newVisitor(random);
      if (!returning) known[known.length < 4000 ? known.length : Math.floor(random() * 4000)] = visitor;
      const isRefusedAsForeign = code.isMessengerOnly && !visitor.user_agent.includes('MicroMessenger');
      const target_id = code.isClosed || isRefusedAsForeign ? undefined : serve(code, turn, random);
      const outcome = code.isClosed ? 'closed' : isRefusedAsForeign ? 'not_messenger' : target_id === undefined ? 'exhausted' : 'passed';
      yield {
        at,
        live_code_id: code.live_code_id,
        target_id: target_id ?? 0,
        lease_id: 0,
        outcome: outcomeNumber(outcome),
        open_log: true,
        host,
        path: `/${code.file_name}`,
        referer: '',
        language: random() < 0.95 ? 'zh-CN' : 'en-US',
        ...visitor,
      };
    }
  }
}

/**
 * Writes the visits as journal segments, for the loader to load like any other.
 * @returns visits left of each target with a threshold
 */
export async function writeDemoJournal(
  folder: string,
  codes: readonly DemoVisitTarget[],
  { now, host }: { now: Date; host: string },
): Promise<Map<number, number>> {
  await mkdir(folder, { recursive: true });
  const source = newSource('demo', now.getTime(), nobodysProcess);
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

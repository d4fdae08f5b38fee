import { isPassed, isRefused, type Looked } from './scan.ts';

/** Addresses as hashes, and a mark for those that came lately. */
export type RecentAddresses = { hashes: Float64Array; isPresent: Uint8Array };
/** The last minutes, from `first` on, of which `present` begins those that count as now; who came after what files have. Moments in milliseconds since 1970. */
export type RecentTask = { first: number; minutes: number; present: number; later: RecentAddresses };
/** Visits that passed and that were refused by minute, and how many addresses were here. */
export type Recent = { visits: Uint32Array; refused: Uint32Array; visitors: number; visitors_now: number };

const minuteLength = 60_000;

/** Tells how many different addresses there are, and how many of them were here lately. */
function createAddressSet() {
  let hashes = new Float64Array(2 ** 14);
  let isPresent = new Uint8Array(hashes.length);
  let visitors = 0;
  let present = 0;

  function placeOf(hash: number): number {
    let place = (hash >>> 0) & (hashes.length - 1);
    // 0 is a place without any.
    while (hashes[place] !== 0 && hashes[place] !== hash + 1) place = (place + 1) & (hashes.length - 1);
    return place;
  }

  function grow(): void {
    const [before, marks] = [hashes, isPresent];
    hashes = new Float64Array(before.length * 2);
    isPresent = new Uint8Array(hashes.length);
    for (let from = 0; from < before.length; from += 1) {
      if (before[from] === 0) continue;
      const place = placeOf((before[from] as number) - 1);
      hashes[place] = before[from] as number;
      isPresent[place] = marks[from] as number;
    }
  }

  return {
    add(hash: number, isNow: number): void {
      const place = placeOf(hash);
      const isNew = hashes[place] === 0;
      hashes[place] = hash + 1;
      present += isNow & ~(isPresent[place] as number);
      isPresent[place] = (isPresent[place] as number) | isNow;
      if (!isNew) return;
      visitors += 1;
      if (visitors * 2 > hashes.length) grow();
    },
    counts: () => ({ visitors, visitors_now: present }),
  };
}

/** Sums up visits of one day that are looked at, which came since the first minute. */
export function createRecent({ first, minutes, present, later }: RecentTask) {
  const sums = { visits: new Uint32Array(minutes), refused: new Uint32Array(minutes) };
  const addresses = createAddressSet();
  return {
    /** `from` is the start of the day; `hashes` are those of its addresses by number. */
    add({ picked, rows }: Looked, from: number, hashes: Float64Array): void {
      const [at, visitor, outcome] = [picked.wide('at'), picked.wide('visitor'), picked.bytes('outcome')];
      const [start, now] = [first - from, present - from];
      for (let index = 0; index < rows.length; index += 1) {
        const row = rows[index] as number;
        const moment = at[row] as number;
        const what = outcome[row] as number;
        const minute = Math.floor((moment - start) / minuteLength);
        sums.visits[minute] = (sums.visits[minute] as number) + (isPassed[what] as number);
        sums.refused[minute] = (sums.refused[minute] as number) + (isRefused[what] as number);
        if (isPassed[what] === 1) addresses.add(hashes[visitor[row] as number] as number, moment >= now ? 1 : 0);
      }
    },
    done(): Recent {
      for (let index = 0; index < later.hashes.length; index += 1)
        addresses.add(later.hashes[index] as number, later.isPresent[index] as number);
      return { ...sums, ...addresses.counts() };
    },
  };
}

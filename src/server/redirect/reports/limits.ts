import { canonicalCidr } from '../../kit/network/ip.ts';
import { createLruCache } from '../memory/lru-cache.ts';

/** Reports that one network may send in a while, to each process. */
const maxReports = 5;
const periodMilliseconds = 10 * 60_000;
const rememberedNetworks = 20_000;

/** Counts a report of an address; false where its network has sent too many lately. A household's IPv6 addresses are one network. */
export type ReportLimit = (ip: string, now: number) => boolean;

export function createReportLimit(): ReportLimit {
  const counted = createLruCache<{ number: number; until: number }>(rememberedNetworks);
  return (ip, now) => {
    const network = ip.includes(':') ? (canonicalCidr(`${ip}/64`) ?? ip) : ip;
    const known = counted.get(network);
    const count =
      known && now < known.until && known.until - now <= periodMilliseconds ? known : { number: 0, until: now + periodMilliseconds };
    if (count.number >= maxReports) return false;
    count.number += 1;
    counted.set(network, count);
    return true;
  };
}

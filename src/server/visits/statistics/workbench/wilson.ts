import type { Estimate } from '../../../../contract/visits/historical-statistics.ts';

/** The quantile of the normal distribution beyond which 2.5 % lie on each side. */
const z = 1.959964;

/** A share that was counted, and between what bounds it lies with a certainty of 95 % (Wilson's score interval); null without anything counted. */
export function estimateOf(hits: number, of: number): Estimate | null {
  if (of <= 0) return null;
  const share = Math.min(hits / of, 1);
  const spread = (z * z) / of;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (z * Math.sqrt((share * (1 - share)) / of + spread / (4 * of))) / (1 + spread);
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half), of };
}

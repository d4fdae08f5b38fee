import type { Breakdowns, Dimension } from '../../../contract/visits/statistics.ts';
import type { Part } from '../../kit/charts/types.ts';

/** Dimensions whose values are words of ours, to be translated; the others name things. */
const translated: Partial<Record<Dimension, string>> = { carrier: 'carriers', source: 'sources' };

/** One breakdown as parts of a chart; an empty value stays empty, which the charts call "unknown". */
export const dimensionParts = (breakdowns: Breakdowns, dimension: Dimension): Part[] =>
  breakdowns[dimension].map(({ value, visits }) => {
    const group = translated[dimension];
    return { key: value, label: group && value ? `qr_code_list.${group}.${value}` : value, value: visits };
  });

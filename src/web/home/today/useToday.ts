import { useState } from 'react';
import { useSearchParams } from 'react-router';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { todayStatistics } from '../../../contract/visits/statistics.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { codesIn } from '../../kit/codes/codes.ts';
import { useLiveFigures } from '../../kit/socket/liveFigures.ts';

export type Today = OutputOf<(typeof todayStatistics)['calls']['inquire']>;

const pollMilliseconds = 5_000;
/** The chosen codes, kept in the address, so that reload, Back and a sent link show the same. */
export function useChosenCodes(): [number[], (ids: readonly number[]) => void] {
  const [params, setParams] = useSearchParams();
  function choose(ids: readonly number[]) {
    setParams((present) => {
      const next = new URLSearchParams(present);
      if (ids.length > 0) next.set('codes', ids.join('-'));
      else next.delete('codes');
      return next;
    });
  }
  return [codesIn(params.get('codes')), choose];
}

/** Today's figures of the chosen codes, or of all; asked for again when there are newer visits while the page is in sight, unless paused. */
export function useToday(codes: readonly number[]) {
  const [isPaused, setIsPaused] = useState(false);
  const refetchInterval = useLiveFigures('today_statistics', isPaused ? false : pollMilliseconds);
  const query = useCall(api.today_statistics.inquire, codes.length > 0 ? { live_code_ids: [...codes] } : {}, {
    refetchInterval,
    refetchOnWindowFocus: !isPaused,
  });
  function pause(next: boolean) {
    setIsPaused(next);
    if (!next) void query.refetch();
  }
  return { query, isPaused, pause };
}

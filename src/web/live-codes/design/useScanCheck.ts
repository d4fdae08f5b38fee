import { useQuery } from '@tanstack/react-query';
import type { QrDesign } from '../../../qr/design.ts';
import { useDebounced } from '../../kit/useDebounced.ts';
import { type ScanReport, verifyDesign } from '../../qr/reading/verify.ts';

export type ScanCheck = {
  /** The last finished check; undefined before the first. */
  report: ScanReport | undefined;
  isChecking: boolean;
  error: unknown;
};

/** Reads the drawn code back after each change, once the hand rests. */
export function useScanCheck(text: string | null, design: QrDesign): ScanCheck {
  const key = JSON.stringify(design);
  const settled = useDebounced(key, 350);
  const check = useQuery({
    queryKey: ['qr scan check', text, settled],
    queryFn: () => verifyDesign(text ?? '', JSON.parse(settled) as QrDesign),
    enabled: text !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
    placeholderData: (previous) => previous,
  });
  return { report: check.data, isChecking: settled !== key || check.isFetching, error: check.error };
}

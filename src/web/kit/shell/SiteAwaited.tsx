import type { ReactNode } from 'react';
import { api } from '../calls/api.ts';
import { useCall } from '../calls/query.ts';
import { Failure } from '../feedback.ts';

/** Stands for what cannot begin before the site is known: its children, and in their place why the site could not be read. */
export function SiteAwaited({ children = null }: { children?: ReactNode }) {
  const { data, error, refetch, isFetching } = useCall(api.website.info, {}, { staleTime: 300_000 });
  return !data && error ? <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} /> : children;
}

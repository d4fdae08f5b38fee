import {
  keepPreviousData,
  MutationCache,
  type Query,
  QueryCache,
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useQuery,
} from '@tanstack/react-query';
import type { WebsiteInfo } from '../../../contract/system/website.ts';
import { ApiFailure, maintenanceCode, preparingCode, type Question } from './request.ts';

/** Failures that asking again cannot mend. */
const isFinal = (error: unknown) =>
  error instanceof ApiFailure && ((error.status >= 400 && error.status < 500) || error.code === maintenanceCode);

/** The first call that is refused for it leads the page to the maintenance message; nobody waits for the next look at the site's state. */
function followMaintenance(error: unknown): void {
  if (!(error instanceof ApiFailure) || error.code !== maintenanceCode) return;
  queryClient.setQueryData<WebsiteInfo>(['website', 'info', {}], (known) => known && { ...known, maintenance: true });
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: followMaintenance }),
  mutationCache: new MutationCache({ onError: followMaintenance }),
  defaultOptions: {
    queries: { staleTime: 5_000, retry: (count, error) => !isFinal(error) && count < 1, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

const failures = new WeakMap<Query, Error>();
/** Without this the cache forgets what failed as soon as it is asked again, and its message would give way to an empty place meanwhile. */
queryClient.getQueryCache().subscribe((event) => {
  if (event.type !== 'updated') return;
  const { query, action } = event;
  if (action.type === 'error') failures.set(query, action.error);
  const error = failures.get(query);
  if (action.type === 'fetch' && error && query.state.data === undefined) query.setState({ error, status: 'error' });
});

/** What is being made ready, and what nobody answered, is asked for again until it is there; what was refused otherwise would be again. */
const againMilliseconds: Record<string, number> = { [preparingCode]: 2_000, network: 10_000, unavailable: 10_000 };

type CallOptions<O> = Omit<UseQueryOptions<O, ApiFailure>, 'queryKey' | 'queryFn'>;

/** Reads a call: the key is group, action and input; the answer to the former input stays visible while the next one loads. */
export function useCall<I extends object, O>(
  endpoint: Question<I, O>,
  input: I,
  options: CallOptions<O> = {},
): UseQueryResult<O, ApiFailure> {
  const { refetchInterval = false } = options;
  return useQuery<O, ApiFailure>({
    placeholderData: keepPreviousData as never,
    ...options,
    refetchInterval: (query) => {
      const again = againMilliseconds[query.state.error?.code ?? ''];
      if (again !== undefined) return again;
      return typeof refetchInterval === 'function' ? refetchInterval(query) : refetchInterval;
    },
    queryKey: [endpoint.group, endpoint.action, input],
    queryFn: ({ signal }) => endpoint(input, { signal }),
  });
}

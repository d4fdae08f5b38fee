import {
  keepPreviousData,
  MutationCache,
  QueryCache,
  QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { App } from 'antd';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { groups } from '../../../contract/api.ts';
import type { WebsiteInfo } from '../../../contract/system/website.ts';
import { useText } from '../texts/text.ts';
import { ApiFailure, type Endpoint, isUnanswered, maintenanceCode, newRequestId } from './api.ts';
import { failureText } from './failure.ts';

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

type CallOptions<O> = Omit<UseQueryOptions<O, ApiFailure>, 'queryKey' | 'queryFn'>;

/** Reads a call: the key is group, action and input; the answer to the former input stays visible while the next one loads. */
export function useCall<I extends object, O>(
  endpoint: Endpoint<I, O>,
  input: I,
  options: CallOptions<O> = {},
): UseQueryResult<O, ApiFailure> {
  return useQuery<O, ApiFailure>({
    placeholderData: keepPreviousData as never,
    ...options,
    queryKey: [endpoint.group, endpoint.action, input],
    queryFn: ({ signal }) => endpoint(input, { signal }),
  });
}

export type GroupName = keyof typeof groups;

export type ActionOptions<I, O> = {
  /** Message key of the toast on success (default "Successful operation"); false shows none. */
  success?: string | false;
  /** Further groups whose answers are stale afterwards; the call's own group always is. */
  invalidates?: readonly GroupName[];
  onSuccess?: (output: O, input: I) => void;
  /** Called on failure; returning true says that the failure is shown already and needs no toast. */
  onFailure?: (failure: ApiFailure) => boolean;
};

export type Action<I, O> = {
  /** Makes the call; resolves to its output, or to undefined when it failed (the failure was shown). */
  run: (input: I) => Promise<O | undefined>;
  isRunning: boolean;
  failure: ApiFailure | null;
};

/** The same `request_id` is sent again while the same input is repeated after a failure without an answer. */
function useRequestId() {
  const pending = useRef<{ input: string; id: string } | null>(null);
  return {
    for(input: unknown) {
      const text = JSON.stringify(input);
      if (pending.current?.input !== text) pending.current = { input: text, id: newRequestId() };
      return pending.current.id;
    },
    settled() {
      pending.current = null;
    },
  };
}

export function useAction<I extends object, O>(endpoint: Endpoint<I, O>, options: ActionOptions<I, O> = {}): Action<I, O> {
  const { t } = useTranslation();
  const text = useText();
  const { message } = App.useApp();
  const client = useQueryClient();
  const requestId = useRequestId();
  const mutation = useMutation<O, ApiFailure, I>({ mutationFn: (input) => endpoint(input, { request_id: requestId.for(input) }) });

  async function run(input: I): Promise<O | undefined> {
    try {
      const output = await mutation.mutateAsync(input);
      requestId.settled();
      for (const group of [endpoint.group, ...(options.invalidates ?? [])]) void client.invalidateQueries({ queryKey: [group] });
      if (options.success !== false) void message.success(options.success ? text(options.success) : t('common.success'));
      options.onSuccess?.(output, input);
      return output;
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      // What came to nobody's ears may have been done: sent again with the same id, it is not done twice.
      if (!isUnanswered(error)) requestId.settled();
      const shown = options.onFailure?.(error) ?? false;
      // A session that ended has its own question; a toast beside it would only repeat it.
      if (!shown && error.status !== 401) void message.error(failureText(error));
      return undefined;
    }
  }

  return { run, isRunning: mutation.isPending, failure: mutation.error };
}

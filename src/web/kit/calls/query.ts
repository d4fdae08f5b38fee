import { useMutation, useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { groups } from '../../../contract/api.ts';
import { doneWords } from '../feedback/doneWords.ts';
import { loadDoneMessages } from '../texts/i18n.ts';
import { useText } from '../texts/text.ts';
import { useDone } from '../undo/useDone.tsx';
import { failureText } from './failure.ts';
import { ApiFailure, type Endpoint, isUnanswered, newRequestId } from './request.ts';

export { queryClient, useCall } from './queries.ts';

export type GroupName = keyof typeof groups;

export type ActionOptions<I, O> = {
  /** Message key of the toast on success (default: what the call did, to what or to how many); false shows none. */
  success?: string | false;
  /** Further groups whose answers are stale afterwards; the call's own group always is. */
  invalidates?: readonly GroupName[];
  onSuccess?: (output: O, input: I) => void;
  /** Called on failure; returning true says that the failure is shown already and needs no toast. */
  onFailure?: (failure: ApiFailure) => boolean;
};

/** What the words of success need to know besides input and output. */
type Subject<I, O> = {
  /** What the one row is called, or is called from now on. */
  name?: string | ((output: O) => string) | undefined;
  /** The input of the same call that takes this one back; it is offered with the words. */
  undo?: I | undefined;
};

type Action<I, O> = {
  /** Makes the call; resolves to its output, or to undefined when it failed (the failure was shown). */
  run: (input: I, subject?: Subject<I, O>) => Promise<O | undefined>;
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

/** A request that takes longer says that it is under way. */
const slowMilliseconds = 800;

export function useAction<I extends object, O>(endpoint: Endpoint<I, O>, options: ActionOptions<I, O> = {}): Action<I, O> {
  const { t } = useTranslation();
  const text = useText();
  const { message } = App.useApp();
  const done = useDone();
  const client = useQueryClient();
  const requestId = useRequestId();
  const slowKey = `requesting ${useId()}`;
  const mutation = useMutation<O, ApiFailure, I>({ mutationFn: (input) => endpoint(input, { request_id: requestId.for(input) }) });

  /** Words of acts come with the first of them; a text of the screen's own is there already. */
  async function wordsOf(key: string): Promise<string> {
    if (key.startsWith('done.')) await loadDoneMessages().catch(() => {});
    return text(key);
  }

  function tell(output: O, input: I, { name, undo }: Subject<I, O>) {
    if (options.success === false) return;
    const takeBack = undo && (() => void make(undo, () => void done(wordsOf('done.undone'))));
    const called = typeof name === 'function' ? name(output) : name;
    const words = options.success ? wordsOf(options.success) : doneWords(endpoint, input, output, called);
    void done(words, takeBack, { call: endpoint, input });
  }

  const run = (input: I, subject: Subject<I, O> = {}) => make(input, (output) => tell(output, input, subject));

  async function make(input: I, tellOf: (output: O) => void): Promise<O | undefined> {
    const slow = setTimeout(() => void message.loading({ key: slowKey, content: t('common.requesting'), duration: 0 }), slowMilliseconds);
    try {
      const output = await mutation.mutateAsync(input);
      requestId.settled();
      for (const group of [endpoint.group, ...(options.invalidates ?? [])]) {
        // A first answer that is under way may have been read before the change, and would be taken for a new one.
        void client.cancelQueries({ queryKey: [group] });
        void client.invalidateQueries({ queryKey: [group] });
      }
      // What other screens held of the time before is asked for anew when they are opened, however soon that is.
      void client.invalidateQueries({ type: 'inactive', refetchType: 'none' });
      tellOf(output);
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
    } finally {
      clearTimeout(slow);
      message.destroy(slowKey);
    }
  }

  return { run, isRunning: mutation.isPending, failure: mutation.error };
}

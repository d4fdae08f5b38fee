import { notifyStatus } from '../../../contract/enums.ts';
import { api } from '../calls/api.ts';
import { useCall } from '../calls/query.ts';
import { useSession } from '../calls/session.tsx';

export const messagePollMilliseconds = 10_000;

const firstUnviewed = { notify_status: notifyStatus.unviewed, page: 1, page_size: 1 } as const;
/** Where the poll's answer stands among the answers that are kept. */
export const unviewedKey = ['message_list', 'inquire', firstUnviewed] as const;

/**
 * The newest message that the user has not viewed, asked for every 10 s while the page is in sight; `total` says how many there are.
 * Who acts as somebody else must not view that user's messages in his place, and who must set up a second factor may not ask yet.
 */
export function useUnviewed() {
  const { state, impersonator, mustEnrol } = useSession();
  const isOwn = state === 'ready' && impersonator === null && !mustEnrol;
  return useCall(api.message_list.inquire, firstUnviewed, {
    enabled: isOwn,
    refetchInterval: messagePollMilliseconds,
    placeholderData: undefined,
    staleTime: messagePollMilliseconds,
  });
}

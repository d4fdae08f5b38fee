import { api } from '../calls/api.ts';
import { useSession } from '../calls/session.tsx';

/**
 * Tells that the user has seen what these messages are about, so that it is told him no more elsewhere: he closed or followed them. That a
 * page showed them says nothing, since nobody may sit before it.
 */
export function useSeePushes(): (message_ids: number[]) => void {
  const { allows, impersonator } = useSession();
  return (message_ids) => {
    // What is lost here is told once more.
    const isOwn = impersonator === null;
    if (isOwn && message_ids.length > 0 && allows('shield_push')) void api.shield_push.seen({ message_ids }).catch(() => {});
  };
}

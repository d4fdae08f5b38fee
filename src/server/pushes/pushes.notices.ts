import { languageOfUser } from '../kit/calls/user-language.ts';
import { translate } from '../kit/messages/messages.ts';
import { sendSystemMessage } from '../kit/messages/site-messages.ts';
import type { Database } from '../kit/postgres/database.ts';

type Stopped = { owner_id: number; kind: string; name: string; target: string };

/** Tells the owner that his channel was switched off. */
export async function tellOfStop(db: Database, { owner_id, kind, name, target }: Stopped): Promise<void> {
  const language = await languageOfUser(db, owner_id);
  const channel = [translate(language, `shield_push.kind_${kind}`), name || target].filter(Boolean).join(' ');
  await sendSystemMessage(db, {
    user_ids: [owner_id],
    kind: 'alert',
    place: 'pushes',
    title: translate(language, 'push_text.notice.stopped'),
    content: translate(language, 'push_text.notice.failing', { channel }),
  });
}

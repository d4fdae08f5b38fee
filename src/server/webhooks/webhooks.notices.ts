import { languageOfUser } from '../kit/calls/user-language.ts';
import { translate } from '../kit/messages/messages.ts';
import { sendSystemMessage } from '../kit/messages/site-messages.ts';
import type { Database } from '../kit/postgres/database.ts';

type Stop = { owner_id: number; url: string; why: 'gone' | 'failing' };

/** Tells the owner that his webhook was switched off. */
export async function tellOfStop(db: Database, { owner_id, url, why }: Stop): Promise<void> {
  const language = await languageOfUser(db, owner_id);
  await sendSystemMessage(db, {
    user_ids: [owner_id],
    kind: 'alert',
    place: 'webhooks',
    title: translate(language, 'webhook.notice.stopped'),
    content: translate(language, `webhook.notice.${why}`, { url }),
  });
}

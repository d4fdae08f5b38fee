import { notify } from '../kit/messages/notify.ts';
import type { Database } from '../kit/postgres/database.ts';

type Stop = { owner_id: number; url: string; why: 'gone' | 'failing' };

/** Tells the owner that his webhook was switched off. */
export async function tellOfStop(db: Database, { owner_id, url, why }: Stop): Promise<void> {
  await notify(db, owner_id, {
    kind: 'alert',
    place: 'webhooks',
    words: ({ say }) => ({ title: say('webhook.notice.stopped'), content: say(`webhook.notice.${why}`, { url }) }),
  });
}

import { notify, type Speech } from '../kit/messages/notify.ts';
import type { Database } from '../kit/postgres/database.ts';

type Stopped = { owner_id: number; kind: string; name: string; target: string };

/** Tells the owner that his channel was switched off. */
export async function tellOfStop(db: Database, { owner_id, kind, name, target }: Stopped): Promise<void> {
  const words = ({ say }: Speech) => {
    const channel = [say(`shield_push.kind_${kind}`), name || target].filter(Boolean).join(' ');
    return { title: say('push_text.notice.stopped'), content: say('push_text.notice.failing', { channel }) };
  };
  await notify(db, owner_id, { kind: 'alert', place: 'pushes', words });
}

import type { EventType } from '../../contract/events.ts';
import type { Context } from '../kit/context.ts';
import { emitEvents } from '../kit/events.ts';

type Told = { id: number; host: string; type: number; holder_id: number | null; enabled: boolean };
type DomainEvent = Extract<EventType, 'domain.created' | 'domain.changed' | 'domain.removed'>;

/** Tells what happened to domains. A domain of the platform pool has no owner: whoever acted on it is told. */
export const tellOfDomains = (type: DomainEvent, domains: readonly Told[], { db, actor }: Context): Promise<void> =>
  emitEvents(
    db,
    domains.map(({ id, host, type: domain_type, holder_id, enabled }) => ({
      type,
      owner_id: holder_id ?? actor.user_id,
      data: { id, host, type: domain_type, holder_id, enabled },
    })),
  );

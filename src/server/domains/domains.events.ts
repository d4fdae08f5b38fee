import type { EventType } from '../../contract/events.ts';
import type { Context } from '../kit/calls/context.ts';
import { emitEvents } from '../kit/messages/events.ts';

type Told = { id: number; host: string; type: number; holder_id: number | null; enabled: boolean };
type DomainEvent = Extract<EventType, 'domain.created' | 'domain.changed' | 'domain.removed'>;
type Tell = Pick<Context, 'db' | 'actor'>;

const dataOf = ({ id, host, type, holder_id, enabled }: Told) => ({ id, host, type, holder_id, enabled });

/** Tells what happened to domains. A domain of the platform pool has no owner: the user who acted on it is told. */
export const tellOfDomains = (type: DomainEvent, domains: readonly Told[], { db, actor }: Tell): Promise<void> =>
  emitEvents(
    db,
    domains.map((domain) => ({ type, owner_id: domain.holder_id ?? actor.user_id, data: dataOf(domain) })),
  );

/** Tells those who held domains until now that they hold them no more; whose they are instead is none of their business. */
export const tellFormerHolders = (former: readonly Told[], { db }: Pick<Tell, 'db'>): Promise<void> =>
  emitEvents(
    db,
    former.flatMap(({ holder_id: owner_id, ...domain }) =>
      owner_id === null ? [] : [{ type: 'domain.changed' as const, owner_id, data: dataOf({ ...domain, holder_id: null }) }],
    ),
  );

import { type SQL, sql } from 'drizzle-orm';
import { certificateWarningDays, registrationWarningDays } from '../../contract/domains/domain-check.ts';
import type { EventType } from '../../contract/events.ts';
import { platformOwners } from '../detection/detection.public.ts';
import { registrationExpiresAt } from '../domains/domains.public.ts';
import { domain_check } from '../domains/domains.table.ts';
import { claim } from '../kit/jobs/leased-rows.ts';
import { emitEvents } from '../kit/messages/events.ts';
import { type Database, transact } from '../kit/postgres/database.ts';

/** What of a domain expires. */
type Expiry = {
  type: Extract<EventType, `domain.${string}_expiring`>;
  /** Days before the expiry at which the domain's holder is told, once each. */
  days: readonly number[];
  expires_at: SQL;
  /** The columns of `domain_check` that say for which expiry, and how many days before it, he was told. */
  told: 'certificate_told' | 'registration_told';
};
const expiries: readonly Expiry[] = [
  {
    type: 'domain.certificate_expiring',
    days: [certificateWarningDays, 7, 3, 1],
    expires_at: sql`${domain_check.certificate_expires_at}`,
    told: 'certificate_told',
  },
  {
    type: 'domain.registration_expiring',
    days: [registrationWarningDays, 30, 14, 7, 3, 1],
    expires_at: registrationExpiresAt,
    told: 'registration_told',
  },
];
const domainsAtOnce = 500;

type Expiring = { domain_id: number; host: string; holder_id: number | null; expires_at: string; days: number };

/** Emits events for certificates and registrations whose end came closer since it was told of last. Answers how many. */
export async function tellOfExpiries(db: Database): Promise<number> {
  let told = 0;
  for (const expiry of expiries)
    for (let number = domainsAtOnce; number === domainsAtOnce; told += number) number = await transact(db, (tx) => tellOfSome(tx, expiry));
  return told;
}

async function tellOfSome(tx: Database, { type, days, expires_at, told }: Expiry): Promise<number> {
  const [toldExpiry, toldDays] = [sql.identifier(`${told}_expiry`), sql.identifier(`${told}_days`)];
  const expiring = await claim<Expiring>(tx, {
    table: 'domain_check',
    key: 'domain_id',
    // `reached`: the smallest number of days that the expiry is within.
    due: sql`
      SELECT domain_check.domain_id, domain.host, domain.holder_id, ending.at, step.reached
      FROM domain_check JOIN domain ON domain.id = domain_check.domain_id
        LEFT JOIN domain_registration ON domain_registration.name = domain_check.registered_name
        CROSS JOIN LATERAL (SELECT ${expires_at} AS at) AS ending
        CROSS JOIN LATERAL (SELECT min(day)::int AS reached FROM unnest(${sql.param(days)}::int[]) AS day
          WHERE ending.at <= now() + make_interval(days => day)) AS step
      WHERE ending.at > now() AND step.reached IS NOT NULL AND domain.enabled AND domain.frozen_at IS NULL
        AND (domain_check.${toldExpiry} IS DISTINCT FROM ending.at OR domain_check.${toldDays} > step.reached)
      ORDER BY ending.at, domain_check.domain_id LIMIT ${domainsAtOnce}`,
    set: sql`${toldExpiry} = due.at, ${toldDays} = due.reached`,
    returning: sql`due.domain_id, due.host, due.holder_id, due.at AS expires_at,
      ceil(extract(epoch FROM due.at - now()) / 86400)::int AS days`,
  });
  const operators = expiring.some(({ holder_id }) => holder_id === null) ? await platformOwners(tx) : [];
  await emitEvents(
    tx,
    expiring.flatMap(({ domain_id: id, host, holder_id, expires_at: at, days: left }) =>
      (holder_id === null ? operators : [holder_id]).map((owner_id) => ({
        type,
        owner_id,
        data: { id, host, expires_at: new Date(at).toISOString(), days: left },
      })),
    ),
  );
  return expiring.length;
}

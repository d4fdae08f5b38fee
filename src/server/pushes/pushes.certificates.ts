import { sql } from 'drizzle-orm';
import { platformOwners } from '../detection/detection.public.ts';
import { claim } from '../kit/jobs/claim.ts';
import { emitEvents } from '../kit/messages/events.ts';
import { type Database, transact } from '../kit/postgres/database.ts';

/** Days before the expiry of a certificate at which its domain's holder is told, once each. */
const days = [14, 7, 3, 1];
const domainsAtOnce = 500;

type Expiring = { domain_id: number; host: string; holder_id: number | null; expires_at: string; days: number };

/** Emits `domain.certificate_expiring` for what came closer since it was told of last. Answers for how many domains. */
export async function tellOfCertificates(db: Database): Promise<number> {
  for (let told = 0; ; ) {
    const number = await transact(db, tellOfSome);
    told += number;
    if (number < domainsAtOnce) return told;
  }
}

/** The smallest number of days that the expiry is within. */
const reached = sql`(SELECT min(day) FROM unnest(${sql.param(days)}::int[]) AS step (day)
  WHERE domain_check.certificate_expires_at <= now() + make_interval(days => day))`;

async function tellOfSome(tx: Database): Promise<number> {
  const expiring = await claim<Expiring>(tx, {
    table: 'domain_check',
    key: 'domain_id',
    due: sql`
      SELECT domain_check.domain_id, domain.host, domain.holder_id FROM domain_check JOIN domain ON domain.id = domain_check.domain_id
      WHERE domain_check.certificate_expires_at > now() AND ${reached} IS NOT NULL AND domain.enabled AND domain.frozen_at IS NULL
        AND (domain_check.certificate_told_expiry IS DISTINCT FROM domain_check.certificate_expires_at
          OR domain_check.certificate_told_days > ${reached})
      ORDER BY domain_check.certificate_expires_at, domain_check.domain_id LIMIT ${domainsAtOnce}`,
    set: sql`certificate_told_expiry = certificate_expires_at, certificate_told_days = ${reached}`,
    returning: sql`due.domain_id, due.host, due.holder_id, certificate_expires_at AS expires_at,
      ceil(extract(epoch FROM certificate_expires_at - now()) / 86400)::int AS days`,
  });
  const operators = expiring.some(({ holder_id }) => holder_id === null) ? await platformOwners(tx) : [];
  await emitEvents(
    tx,
    expiring.flatMap(({ domain_id: id, host, holder_id, expires_at, days: left }) =>
      (holder_id === null ? operators : [holder_id]).map((owner_id) => ({
        type: 'domain.certificate_expiring' as const,
        owner_id,
        data: { id, host, expires_at: new Date(expires_at).toISOString(), days: left },
      })),
    ),
  );
  return expiring.length;
}

import { type SQL, sql } from 'drizzle-orm';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../kit/calls/errors.ts';
import { languageOf, translate } from '../kit/messages/messages.ts';
import { canonicalIp, createCidrSet } from '../kit/network/ip.ts';
import type { Bus } from '../kit/postgres/bus.ts';
import { cachedValue } from '../kit/postgres/cached-value.ts';
import type { Database } from '../kit/postgres/database.ts';
import { ip_black } from './ip-black.table.ts';

type Options = { db: Database; bus: Bus; maxAgeMilliseconds?: number | undefined };

/** The server itself: whatever is on the list, the operator on the machine can still get in and correct it. */
export const loopback = createCidrSet(['127.0.0.0/8', '::1']);

export const isInForce: SQL = sql`(${ip_black.expires_at} IS NULL OR ${ip_black.expires_at} > now())`;

const flushMilliseconds = 2000;
/** Hits of more addresses than these between two flushes are not counted. */
const maxAddresses = 10_000;

async function readBlacklist(db: Database) {
  const { rows } = await db.execute<{ network: string; seconds: number | null }>(
    sql`SELECT network::text, extract(epoch FROM expires_at - now())::float8 AS seconds FROM ip_black WHERE ${isInForce}`,
  );
  const soonest = rows.reduce((least, { seconds }) => Math.min(least, seconds ?? Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY);
  return { set: createCidrSet(rows.map((row) => row.network)), validUntil: performance.now() + soonest * 1000 };
}

/** Pages and health are answered without the database: they wait for a newer list no longer than this, and pass without one. */
const pagePatienceMilliseconds = 250;

/** Refuses every request, page or call, of an address on the list. Changes of the list work within a second. */
export function guardAgainstBlacklist(app: FastifyInstance, { db, bus, maxAgeMilliseconds }: Options): void {
  const blacklist = cachedValue({
    read: () => readBlacklist(db),
    validUntil: (value) => value.validUntil,
    bus,
    topics: ['ip_black'],
    log: app.log,
    maxAgeMilliseconds,
  });
  const hits = new Map<string, number>();

  async function flush(): Promise<void> {
    if (hits.size === 0) return;
    const counted = JSON.stringify([...hits]);
    hits.clear();
    await db
      .execute(sql`
        UPDATE ip_black SET hits = hits + found.number, last_hit_at = now() FROM (
          SELECT ip_black.id, sum((hit.value->>1)::bigint) AS number FROM json_array_elements(${counted}::json) AS hit
          JOIN ip_black ON ip_black.network >>= (hit.value->>0)::inet AND ${isInForce} GROUP BY ip_black.id
        ) AS found WHERE found.id = ip_black.id`)
      .catch((error) => app.log.warn({ error: String(error) }, 'hits of the blacklist were not counted'));
  }
  const timer = setInterval(flush, flushMilliseconds);
  timer.unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    await flush();
  });

  app.addHook('onRequest', async (request, reply) => {
    const ip = canonicalIp(request.ip);
    if (ip === null || loopback.has(ip)) return;
    const list = isCall(request) ? await blacklist() : await blacklist(pagePatienceMilliseconds).catch(() => undefined);
    if (!list?.set.has(ip)) return;
    if (hits.has(ip) || hits.size < maxAddresses) hits.set(ip, (hits.get(ip) ?? 0) + 1);
    return refuse(request, reply);
  });
}

const isCall = ({ url }: FastifyRequest): boolean => url.startsWith('/api/');

function refuse(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isCall(request)) throw new AppError(403, 'ip_black.refused');
  const language = languageOf(request.headers['accept-language']);
  return reply.status(403).type('text/plain; charset=utf-8').send(translate(language, 'errors.ip_black.refused'));
}

import { inArray } from 'drizzle-orm';
import type { visitorList } from '../../../contract/visits/visitor.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { invalidField } from '../../kit/calls/errors.ts';
import { canonicalIp } from '../../kit/network/ip.ts';
import { visit_blacklist } from '../visits.table.ts';
import { protecting, type Refused, storeBlocked } from './blacklist.ts';
import { visitorPage } from './visitors.ts';

/** The addresses as they are kept; 400 names the first that is none, or that must stay open. */
function canonical(ips: readonly string[], refused?: Refused): string[] {
  const known = ips.map((text, index) => {
    const ip = canonicalIp(text.trim());
    if (ip === null) throw invalidField(`ips.${index}`, 'invalid_ip');
    if (refused?.(ip) !== undefined) throw invalidField(`ips.${index}`, 'protected_address');
    return ip;
  });
  return [...new Set(known)].sort();
}

type Blocked = { ips: readonly string[]; remark?: string | undefined; expires_at?: string | null | undefined };

/** Refuses visits from single addresses, for every screen that shows visitors. */
export async function blockAddresses({ ips, remark = '', expires_at = null }: Blocked, context: Context, refused: Refused) {
  const networks = canonical(ips, refused);
  await storeBlocked(networks, { remark, expires_at }, context);
  context.audit({ after: { networks, remark, expires_at } });
  return { affected: networks.length };
}

/** @param trustedProxies networks of our own proxies, which never get on the blacklist */
export const visitorService = (trustedProxies: readonly string[]): Service<typeof visitorList> => ({
  inquire: async (input, { db, now, settings }) => visitorPage(db, input, { now, time_zone: (await settings()).time_zone }),

  blacklist: (input, context) => blockAddresses(input, context, protecting(trustedProxies)),

  async allow({ ips }, { db, audit }) {
    const removed = await db
      .delete(visit_blacklist)
      .where(inArray(visit_blacklist.network, canonical(ips)))
      .returning();
    audit({ before: removed });
    return { affected: removed.length };
  },
});

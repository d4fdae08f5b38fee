import { inArray, sql } from 'drizzle-orm';
import type { visitorList } from '../../contract/visitor.ts';
import type { Service } from '../kit/context.ts';
import { invalidField } from '../kit/errors.ts';
import { canonicalIp } from '../kit/ip.ts';
import { visitorPage } from './visitors.ts';
import { visit_blacklist } from './visits.table.ts';

/** The addresses as they are kept; 400 names the first that is none. */
function canonical(ips: readonly string[]): string[] {
  const known = ips.map((text, index) => {
    const ip = canonicalIp(text.trim());
    if (ip === null) throw invalidField(`ips.${index}`, 'invalid_ip');
    return ip;
  });
  return [...new Set(known)].sort();
}

export const visitorService: Service<typeof visitorList> = {
  inquire: async (input, { db, now, settings }) => visitorPage(db, input, { now, time_zone: (await settings()).time_zone }),

  async blacklist({ ips, remark = '', expires_at = null }, { db, now, audit }) {
    const networks = canonical(ips);
    if (expires_at !== null && Date.parse(expires_at) <= now.getTime()) throw invalidField('expires_at', 'in_the_past');
    await db
      .insert(visit_blacklist)
      .values(networks.map((network) => ({ network, remark, expires_at })))
      .onConflictDoUpdate({ target: visit_blacklist.network, set: { remark: sql`excluded.remark`, expires_at: sql`excluded.expires_at` } });
    audit({ after: { networks, remark, expires_at } });
    return { affected: networks.length };
  },

  async allow({ ips }, { db, audit }) {
    const removed = await db
      .delete(visit_blacklist)
      .where(inArray(visit_blacklist.network, canonical(ips)))
      .returning();
    audit({ before: removed });
    return { affected: removed.length };
  },
};

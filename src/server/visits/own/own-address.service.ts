import { and, asc, eq } from 'drizzle-orm';
import { maxOwnAddresses, type ownAddresses } from '../../../contract/visits/own-address.ts';
import { refuseImpersonator, type Service } from '../../kit/calls/context.ts';
import { AppError, invalidField } from '../../kit/calls/errors.ts';
import { canonicalCidr, canonicalIp, createCidrSet, networkOf, readNetwork } from '../../kit/network/ip.ts';
import { lockOwner } from './lock-owner.ts';
import { own_address } from './own-visit.table.ts';

/** An office, a household: with a wider network somebody would leave out visitors without knowing it. */
const minPrefix = { 4: 24, 6: 48 } as const;

function readOwnNetwork(text: string): string {
  const [network, canonical] = [readNetwork(text), canonicalCidr(text)];
  if (network === null || canonical === null) throw invalidField('network', 'invalid_network');
  if (network.prefix < minPrefix[network.family]) throw invalidField('network', 'too_wide_network');
  return canonical;
}

/** Providers give a household a whole network of IPv6, in which its devices change their addresses. */
const presentOf = (ip: string): string => networkOf(canonicalIp(ip) ?? ip);

export const ownAddressService: Service<typeof ownAddresses> = {
  async inquire(_input, context) {
    refuseImpersonator(context);
    const { id, network, created_at } = own_address;
    const content = await context.db
      .select({ id, network, created_at })
      .from(own_address)
      .where(eq(own_address.owner_id, context.actor.user_id))
      .orderBy(asc(own_address.id));
    const is_present_named = createCidrSet(content.map((row) => row.network)).has(context.ip);
    return { content, present: presentOf(context.ip), is_present_named };
  },

  async add({ network }, context) {
    refuseImpersonator(context);
    const { db, actor } = context;
    const named = readOwnNetwork(network);
    await lockOwner(context);
    const [row] = await db
      .insert(own_address)
      .values({ owner_id: actor.user_id, network: named })
      .onConflictDoNothing()
      .returning({ id: own_address.id });
    if (!row) throw invalidField('network', 'network_named');
    if ((await db.$count(own_address, eq(own_address.owner_id, actor.user_id))) > maxOwnAddresses) {
      throw new AppError(409, 'own_address.too_many', { params: { maximum: maxOwnAddresses } });
    }
    context.audit({ after: { network: named } });
    return { id: row.id };
  },

  async remove({ id }, context) {
    refuseImpersonator(context);
    const removed = await context.db
      .delete(own_address)
      .where(and(eq(own_address.id, id), eq(own_address.owner_id, context.actor.user_id)))
      .returning({ network: own_address.network });
    context.audit({ before: removed[0] });
    return { affected: removed.length };
  },
};

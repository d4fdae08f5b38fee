import { and, eq } from 'drizzle-orm';
import type { noDomainName, nodomain } from '../../../contract/codes/codes-without-domain.ts';
import type { OutputOf, ParsedInputOf } from '../../../contract/kit/call.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { invalidField } from '../../kit/calls/errors.ts';
import { notify } from '../../kit/messages/notify.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { changeAll, changeDomains, lockLiveCodes } from '../batches/batches.ts';
import { codePageUrl } from '../live-codes.addresses.ts';
import { type DomainChoice, withDefaultDomains } from '../live-codes.rules.ts';
import { live_code } from '../live-codes.table.ts';
import { listDomainless } from './codes-without-domain.reads.ts';
import { isFaulty, readFaultyDomains } from './faulty-domains.ts';

type Assign = (typeof noDomainName)['calls']['assign'];
type Notify = (typeof nodomain)['calls']['notify'];

const namedCodes = 10;

async function assign({ ids, automatic, ...choice }: ParsedInputOf<Assign>, context: Context): Promise<OutputOf<Assign>> {
  const isChosen = choice.entry_domain_id !== undefined || choice.landing_domain_id !== undefined;
  if (!automatic) return { affected: (await changeDomains({ ids, ...choice }, context)).affected, left: 0 };
  if (isChosen) throw invalidField('automatic', 'invalid');
  return assignHealthy(ids, context);
}

type Locked = { id: number; owner_id: number; entry_domain_id?: unknown; landing_domain_id?: unknown };

/** Gives each of these codes its owner's first healthy domain, else the platform's, in the place of the faulty ones alone. */
async function assignHealthy(ids: readonly number[], context: Context): Promise<OutputOf<Assign>> {
  const { db } = context;
  const codes = await lockLiveCodes(ids, { entry_domain_id: null, landing_domain_id: null }, false, context);
  const faulty = await readFaultyDomains(db);
  const isBad = (id: unknown) => faulty.disabled.includes(Number(id)) || faulty.blocked.includes(Number(id));
  let [affected, left] = [0, 0];
  for (const [owner_id, own] of Map.groupBy(codes as Locked[], (code) => code.owner_id)) {
    const healthy = await withDefaultDomains({}, owner_id, db);
    const choiceOf = ({ entry_domain_id: entry, landing_domain_id: landing }: Locked): DomainChoice => ({
      ...((entry === null || isBad(entry)) && healthy.entry_domain_id !== null ? { entry_domain_id: healthy.entry_domain_id } : {}),
      ...(landing !== null && isBad(landing) && healthy.landing_domain_id !== null ? { landing_domain_id: healthy.landing_domain_id } : {}),
    });
    for (const [, alike] of Map.groupBy(own, (code) => Object.keys(choiceOf(code)).join(' '))) {
      const [first] = alike;
      const choice = first ? choiceOf(first) : {};
      if (Object.keys(choice).length === 0) left += alike.length;
      else affected += (await changeAll(alike, choice, 'domain_changed', { ...context, audit: () => {} })).affected;
    }
  }
  context.audit({ after: { affected, left } });
  return { affected, left };
}

/** Writes to each owner in his own language which of these codes have lost their domain. */
async function tellOwners({ ids }: ParsedInputOf<Notify>, { db, scope, audit }: Context): Promise<OutputOf<Notify>> {
  const faulty = await readFaultyDomains(db);
  const codes = await db
    .select({ id: live_code.id, name: live_code.name, owner_id: live_code.owner_id })
    .from(live_code)
    .where(and(isOneOf(live_code.id, ids), eq(live_code.removed, false), scope.changes(live_code.owner_id), isFaulty(faulty)))
    .orderBy(live_code.id);
  const byOwner = Map.groupBy(codes, (code) => code.owner_id);
  for (const [owner_id, own] of byOwner) {
    const names = own.slice(0, namedCodes).map(({ id, name }) => `${name} ${codePageUrl(id)}`);
    await notify(db, owner_id, {
      kind: 'info',
      place: 'codes_without_domain',
      words: ({ say }) => ({
        title: say('no_domain_name.message.title', { number: own.length }),
        content: say(`no_domain_name.message.${own.length > namedCodes ? 'content_more' : 'content'}`, {
          names: names.join('\n'),
          number: own.length,
        }),
      }),
    });
  }
  audit({ after: { codes: codes.map(({ id }) => id), owners: [...byOwner.keys()] } });
  return { affected: codes.length, owners: byOwner.size };
}

export const noDomainNameService: Service<typeof noDomainName> = {
  inquire: (input, context) => listDomainless(input, context),
  assign,
};

export const nodomainService: Service<typeof nodomain> = {
  inquire: (input, context) => listDomainless(input, context),
  assign,
  notify: tellOwners,
};

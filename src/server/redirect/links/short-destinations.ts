import { blockStatus, domainType } from '../../../contract/enums.ts';
import { asciiUrl } from '../../kit/visits/forwards.ts';
import { visitUrl } from '../../kit/visits/visit-address.ts';
import { redirectTo } from '../answers/replies.ts';
import type { Hosts } from '../memory/hosts.ts';
import type { Short } from '../memory/shorts.ts';
import type { Site } from '../memory/site.ts';
import type { Domain, Reply } from '../model.ts';
import { keptTarget } from './link-targets.ts';

const isWild = ({ host }: Domain): boolean => host.startsWith('*.');

/** Entry domains that are not known to be blocked, of a holder; under null those of the platform. */
type EntryDomains = ReadonlyMap<number | null, readonly Domain[]>;

/** Where the visitor of a short code is sent; undefined where nothing is left that it could lead to. */
export type Destination = (short: Short, site: Site, isLook: boolean) => Reply | undefined;

export function createDestinations(random: () => number): Destination {
  /** Made at the first visit that asks for it, and anew when domains changed. */
  const entries = new WeakMap<Hosts, EntryDomains>();
  let turn = 0;

  /** The owner's, else the platform's. */
  const healthyEntries = (hosts: Hosts, owner_id: number, isFit: (domain: Domain) => boolean): readonly Domain[] => {
    let found = entries.get(hosts);
    if (found === undefined) {
      found = Map.groupBy(
        hosts.all().filter(({ type, block_status }) => type === domainType.entry && block_status !== blockStatus.blocked),
        ({ holder_id }) => holder_id,
      );
      entries.set(hosts, found);
    }
    const own = (found.get(owner_id) ?? []).filter(isFit);
    return own.length > 0 ? own : (found.get(null) ?? []).filter(isFit);
  };

  /** Each in its turn, over all short codes of this process. */
  const nextOf = (domains: readonly Domain[], isLook: boolean): Domain | undefined => {
    const next = turn + 1;
    if (!isLook) turn = next;
    return domains[next % domains.length];
  };

  const randomLabel = (): string => `r${random().toString(36).slice(2, 10).padEnd(8, '0')}`;

  /** The host that the visitor of a short code goes to, a wildcard's as its `*.` is filled. */
  const entryOf = (short: Short, hosts: Hosts, isLook: boolean): string | undefined => {
    const own = short.entry_domain_id === null ? undefined : hosts.byId(short.entry_domain_id);
    if (short.domain_choice === 'random_label') {
      const wild = own && isWild(own) ? own : nextOf(healthyEntries(hosts, short.owner_id, isWild), isLook);
      if (wild) return wild.host.replace('*', randomLabel());
    }
    if (short.domain_choice !== 'healthy_pool' && own) return own.host;
    // A code whose own domain is gone is found on any other of its owner's.
    return (
      nextOf(
        healthyEntries(hosts, short.owner_id, () => true),
        isLook,
      ) ?? own
    )?.host;
  };

  return (short, { hosts, settings, signing_key }, isLook) => {
    const { url } = short;
    if (url !== null) return keptTarget(short, settings, () => asciiUrl(url))?.reply;
    const host = entryOf(short, hosts, isLook);
    if (host === undefined || short.file_name === null) return undefined;
    const code = { file_name: short.file_name, access_mode: short.access_mode ?? 1 };
    const address = visitUrl(code, { host, enabled: true }, { scheme: settings.visit_scheme, signingKey: signing_key });
    return address === null ? undefined : redirectTo(address);
  };
}

import { blockStatus, domainType, type GrantedOutcome, type Outcome } from '../../contract/enums.ts';
import type { Settings } from '../../contract/settings.ts';
import { asciiUrl, type ForwardPaths, forwardAddress } from '../kit/visits/forwards.ts';
import { visitUrl } from '../kit/visits/visit-address.ts';
import { keptRedirectTo, redirectTo } from './answers/replies.ts';
import type { Forward } from './memory/forwards.ts';
import type { Hosts } from './memory/hosts.ts';
import type { Memory } from './memory/memory.ts';
import { type Short, shortKey, shortOf } from './memory/shorts.ts';
import type { Site } from './memory/site.ts';
import type { Domain, LinkTarget, Reply } from './model.ts';
import { isAllowedJumpUrl } from './pages/escape.ts';
import { type AcceptedLanguage, isMessenger } from './requests.ts';

/** What of a request says which link it asks for. */
interface LinkRequest {
  at: number;
  ip: string;
  host: string;
  path: string;
  query: string;
  referer: string;
  user_agent: string;
  language: AcceptedLanguage;
  /** Whether the short code was asked of the database for this visit, which happens once. */
  is_loaded: boolean;
}

type Refusal = Exclude<Outcome, GrantedOutcome>;

/** What a link answers; or the key of the short code that has to be read first. */
export type LinkAnswer = { outcome: Outcome; short: Short | null; forward: Forward | null; reply: Reply } | { load: string };

export interface Links {
  /** Undefined where the request is for no link of ours, so that it may be for a live code. */
  answer(request: LinkRequest, domain: Domain, site: Site): LinkAnswer | undefined;
}

const isWild = ({ host }: Domain): boolean => host.startsWith('*.');

/** Entry domains that are not known to be blocked, of a holder; under null those of the platform. */
type EntryDomains = ReadonlyMap<number | null, readonly Domain[]>;

export function createLinks({ memory, random }: { memory: Memory; random: () => number }): Links {
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
  const nextOf = (domains: readonly Domain[]): Domain | undefined => {
    turn += 1;
    return domains[turn % domains.length];
  };

  const randomLabel = (): string => `r${random().toString(36).slice(2, 10).padEnd(8, '0')}`;

  /** The host that the visitor of a short code goes to, a wildcard's as its `*.` is filled. */
  const entryOf = (short: Short, hosts: Hosts): string | undefined => {
    const own = short.entry_domain_id === null ? undefined : hosts.byId(short.entry_domain_id);
    if (short.domain_choice === 'random_label') {
      const wild = own && isWild(own) ? own : nextOf(healthyEntries(hosts, short.owner_id, isWild));
      if (wild) return wild.host.replace('*', randomLabel());
    }
    if (short.domain_choice !== 'healthy_pool' && own) return own.host;
    // A code whose own domain is gone is found on any other of its owner's.
    return (nextOf(healthyEntries(hosts, short.owner_id, () => true)) ?? own)?.host;
  };

  const redirectionOf = (short: Short, { hosts, settings, signing_key }: Site): Reply | undefined => {
    const { url } = short;
    if (url !== null) return keptTarget(short, settings, () => asciiUrl(url))?.reply;
    const host = entryOf(short, hosts);
    if (host === undefined || short.file_name === null) return undefined;
    const code = { file_name: short.file_name, access_mode: short.access_mode ?? 1 };
    const address = visitUrl(code, { host, enabled: true }, { scheme: settings.visit_scheme, signingKey: signing_key });
    return address === null ? undefined : redirectTo(address);
  };

  const refusalOf = (short: Short, request: LinkRequest, site: Site): Refusal | undefined => {
    const { owner } = short;
    const { at } = request;
    if (!short.enabled || !owner.all_codes_open || (short.expires_at !== null && at >= short.expires_at)) return 'closed';
    if (owner.is_disabled || (owner.member_expires_at !== null && at >= owner.member_expires_at + site.grace_milliseconds)) {
      return 'owner_inactive';
    }
    return site.sources.size > 0 && site.sources.refuse(short.owner_id, request.referer) ? 'blocked_source' : undefined;
  };

  const answerShort = (request: LinkRequest, domain: Domain, site: Site): LinkAnswer => {
    const language = request.language.page;
    const name = shortOf(request.path);
    const key = shortKey(domain.id, name);
    const short = name === '' ? null : request.is_loaded ? memory.shorts.findKnown(key) : memory.shorts.find(key);
    if (short === undefined) return { load: key };
    const refuse = (outcome: Refusal): LinkAnswer => ({
      outcome,
      short,
      forward: null,
      reply: site.replies.refusal(outcome, {}, language),
    });
    if (short === null) return refuse('not_found');
    const refusal = refusalOf(short, request, site);
    if (refusal !== undefined) return refuse(refusal);
    const redirection = redirectionOf(short, site);
    if (redirection === undefined) return refuse('closed');
    if (short.page === null || !isMessenger(request.user_agent)) return { outcome: 'passed', short, forward: null, reply: redirection };
    const link = `${site.settings.visit_scheme}://${request.host}/${name}`;
    return { outcome: 'passed', short, forward: null, reply: site.replies.outside(short.page, link, language) };
  };

  const answerForward = (request: LinkRequest, paths: ForwardPaths<Forward>, site: Site): LinkAnswer | undefined => {
    const found = paths.find(request.path);
    if (found === undefined) return undefined;
    const { rule, rest } = found;
    const language = request.language.page;
    const isInactive =
      rule.owner_is_disabled || (rule.owner_expires_at !== null && request.at >= rule.owner_expires_at + site.grace_milliseconds);
    if (isInactive) {
      return { outcome: 'owner_inactive', short: null, forward: null, reply: site.replies.refusal('owner_inactive', {}, language) };
    }
    const { settings } = site;
    const query = rule.keep_query ? request.query : '';
    const target =
      rest === '' && query === ''
        ? keptTarget(rule, settings, () => forwardAddress(rule, '', ''), rule.status)
        : // What a visitor wrote into the query may be more than an address can bear.
          (targetOf(forwardAddress(rule, rest, query), settings, rule.status) ??
          targetOf(forwardAddress(rule, rest, ''), settings, rule.status));
    if (target === null || isItself(target, request)) return undefined;
    return { outcome: 'forwarded', short: null, forward: rule, reply: target.reply };
  };

  return {
    answer(request, domain, site) {
      const paths = site.forwards.get(domain.id);
      const forwarded = paths && answerForward(request, paths, site);
      if (forwarded !== undefined) return forwarded;
      return domain.type === domainType.short ? answerShort(request, domain, site) : undefined;
    },
  };
}

/** Null for an address that no visitor may be sent to. */
function targetOf(address: string, { jump_schemes }: Settings, status?: number, redirect = redirectTo): LinkTarget | null {
  if (!isAllowedJumpUrl(address, jump_schemes)) return null;
  const { host, pathname: path } = (/^https?:/i.test(address) && URL.parse(address)) || { host: '', pathname: '' };
  return { reply: redirect(address, status), host, path };
}

/** The target of a link whose address is the same for every visitor: judged and written out once, until settings or link change. */
function keptTarget(link: Short | Forward, settings: Settings, address: () => string, status?: number): LinkTarget | null {
  if (link.kept?.settings !== settings) link.kept = { settings, to: targetOf(address(), settings, status, keptRedirectTo) };
  return link.kept.to;
}

/** Whether a target is the very address that was asked for. */
const isItself = (target: LinkTarget, { host, path }: LinkRequest): boolean => target.path === path && target.host === host.toLowerCase();

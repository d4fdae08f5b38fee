import { domainType, type GrantedOutcome, type Outcome } from '../../../contract/enums.ts';
import { type ForwardPaths, forwardAddress } from '../../kit/visits/forwards.ts';
import type { Forward } from '../memory/forwards.ts';
import type { Memory } from '../memory/memory.ts';
import { type Short, shortKey, shortOf } from '../memory/shorts.ts';
import type { Site } from '../memory/site.ts';
import type { Domain, LinkTarget, Reply } from '../model.ts';
import { isMessenger } from '../requests.ts';
import { tellOwn } from '../visits/own.ts';
import type { Visit } from '../visits/visit.ts';
import { keptTarget, targetOf } from './link-targets.ts';
import { createDestinations, type Destination } from './short-destinations.ts';

/** What of a request says which link it asks for. */
type LinkRequest = Pick<
  Visit,
  | 'at'
  | 'ip'
  | 'asked_host'
  | 'path'
  | 'query'
  | 'referer'
  | 'user_agent'
  | 'page_language'
  | 'is_loaded'
  | 'is_look'
  | 'is_own'
  | 'note'
  | 'response'
>;

type Refusal = Exclude<Outcome, GrantedOutcome>;

/** What a link answers; or the key of the short code that has to be read first. */
export type LinkAnswer = { outcome: Outcome; short: Short | null; forward: Forward | null; reply: Reply } | { load: string };

export interface Links {
  /** Undefined where the request is for no link of ours, so that it may be for a live code. */
  answer(request: LinkRequest, domain: Domain, site: Site): LinkAnswer | undefined;
}

interface Parts {
  memory: Memory;
  destinationOf: Destination;
}

export function createLinks({ memory, random }: { memory: Memory; random: () => number }): Links {
  const parts: Parts = { memory, destinationOf: createDestinations(random) };
  return {
    answer(request, domain, site) {
      const paths = site.forwards.get(domain.id);
      const forwarded = paths && answerForward(request, paths, domain, site);
      if (forwarded !== undefined) return forwarded;
      return domain.type === domainType.short ? answerShort(parts, request, domain, site) : undefined;
    },
  };
}

function refusalOf(short: Short, request: LinkRequest, domain: Domain, site: Site): Refusal | undefined {
  const { owner } = short;
  const { at } = request;
  if (owner.is_frozen || domain.is_frozen) return 'frozen';
  if (!short.enabled || !owner.all_codes_open || (short.expires_at !== null && at >= short.expires_at)) return 'closed';
  if (owner.is_disabled || (owner.member_expires_at !== null && at >= owner.member_expires_at + site.grace_milliseconds)) {
    return 'owner_inactive';
  }
  return site.sources.size > 0 && site.sources.refuse(short.owner_id, request.referer) ? 'blocked_source' : undefined;
}

function answerShort({ memory, destinationOf }: Parts, request: LinkRequest, domain: Domain, site: Site): LinkAnswer {
  const language = request.page_language;
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
  const refusal = refusalOf(short, request, domain, site);
  if (refusal !== undefined) return refuse(refusal);
  tellOwn(request, short.owner, site);
  const redirection = destinationOf(short, site, request.is_look);
  if (redirection === undefined) return refuse('closed');
  if (short.page === null || !isMessenger(request.user_agent)) return { outcome: 'passed', short, forward: null, reply: redirection };
  const link = `${site.settings.visit_scheme}://${request.asked_host}/${name}`;
  return { outcome: 'passed', short, forward: null, reply: site.replies.outside(short.page, link, language) };
}

function answerForward(request: LinkRequest, paths: ForwardPaths<Forward>, domain: Domain, site: Site): LinkAnswer | undefined {
  const found = paths.find(request.path);
  if (found === undefined) return undefined;
  const { rule, rest } = found;
  const language = request.page_language;
  const refuse = (outcome: Refusal): LinkAnswer => ({
    outcome,
    short: null,
    forward: null,
    reply: site.replies.refusal(outcome, {}, language),
  });
  if (domain.is_frozen || rule.owner_is_frozen) return refuse('frozen');
  const isInactive =
    rule.owner_is_disabled || (rule.owner_expires_at !== null && request.at >= rule.owner_expires_at + site.grace_milliseconds);
  if (isInactive) return refuse('owner_inactive');
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
}

/** Whether a target is the very address that was asked for. */
const isItself = (target: LinkTarget, { asked_host, path }: LinkRequest): boolean =>
  target.path === path && target.host === asked_host.toLowerCase();

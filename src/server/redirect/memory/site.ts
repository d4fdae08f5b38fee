import { randomBytes } from 'node:crypto';
import { graceMilliseconds, type VisitSettings, visitSettingsOf } from '../../../contract/settings.visits.ts';
import { type CidrSet, createCidrSet } from '../../kit/network/ip.ts';
import { createReplies, type Replies } from '../answers/replies.ts';
import { createSnippets, loadSnippets, type SnippetBook, type StoredSnippet } from '../answers/snippets.ts';
import type { Domain } from '../model.ts';
import { type PageLanguage, pageLanguages } from '../pages/texts.ts';
import type { Query } from '../rotation/leases.queries.ts';
import { createForwards, type Forwards, loadForwards, type StoredForward } from './forwards.ts';
import { createHosts, type Hosts } from './hosts.ts';
import { type BlockedNetwork, loadBlacklist, loadDomains, loadSettingRows, loadSigningKey } from './load.ts';
import { type BlockedSource, createSources, loadBlockedSources, type Sources } from './sources.ts';

/** What is the same for all codes, as it is stored. */
export interface StoredSite {
  domains: Domain[];
  blacklist: BlockedNetwork[];
  settings: { key: string; value: unknown }[];
  /** Base64. */
  signing_key: string;
  forwards: StoredForward[];
  blocked_sources: BlockedSource[];
  snippets: StoredSnippet[];
}

/** The same, ready for use. A change makes a new one. */
export interface Site {
  stored: StoredSite;
  hosts: Hosts;
  blacklist: CidrSet;
  /** When the first entry of the blacklist ends: milliseconds since 1970, Infinity where none does. */
  blacklist_until: number;
  settings: VisitSettings;
  signing_key: Buffer;
  replies: Replies;
  grace_milliseconds: number;
  language: PageLanguage;
  forwards: Forwards;
  sources: Sources;
  snippets: SnippetBook;
}

export async function loadSite(query: Query): Promise<StoredSite> {
  const [domains, blacklist, settings, key, forwards, blocked_sources, snippets] = await Promise.all([
    loadDomains(query),
    loadBlacklist(query),
    loadSettingRows(query),
    loadSigningKey(query, () => randomBytes(32)),
    loadForwards(query),
    loadBlockedSources(query),
    loadSnippets(query),
  ]);
  return { domains, blacklist, settings, signing_key: key.toString('base64'), forwards, blocked_sources, snippets };
}

const siteKinds = ['domain', 'blacklist', 'setting', 'forward', 'source', 'snippet'];

/** Whether changes of these kinds concern what is the same for all codes. */
export const concernsSite = ({ forwards }: StoredSite, kinds: ReadonlySet<string>): boolean =>
  siteKinds.some((kind) => kinds.has(kind)) || (kinds.has('owner') && forwards.length > 0);

/** Reads again only the parts that changed. Which forwards serve depends on who holds their domain, and on him. */
export async function reloadSite(query: Query, stored: StoredSite, kinds: ReadonlySet<string>): Promise<StoredSite> {
  const isForwarding = kinds.has('forward') || kinds.has('domain') || (stored.forwards.length > 0 && kinds.has('owner'));
  const [domains, blacklist, settings, forwards, blocked_sources, snippets] = await Promise.all([
    kinds.has('domain') ? loadDomains(query) : stored.domains,
    kinds.has('blacklist') ? loadBlacklist(query) : stored.blacklist,
    kinds.has('setting') ? loadSettingRows(query) : stored.settings,
    isForwarding ? loadForwards(query) : stored.forwards,
    kinds.has('source') ? loadBlockedSources(query) : stored.blocked_sources,
    kinds.has('snippet') ? loadSnippets(query) : stored.snippets,
  ]);
  return { ...stored, domains, blacklist, settings, forwards, blocked_sources, snippets };
}

/** @param before keeps what did not change, its caches included */
export function openSite(stored: StoredSite, before: Site | undefined, now: number): Site {
  const isSame = (part: keyof StoredSite) => before?.stored[part] === stored[part];
  const settings = before && isSame('settings') ? before.settings : visitSettingsOf(stored.settings);
  const valid = stored.blacklist.filter(({ expires_at }) => expires_at === null || expires_at > now);
  const isBlacklistSame = before && isSame('blacklist') && now < before.blacklist_until;
  return {
    stored,
    hosts: before && isSame('domains') ? before.hosts : createHosts(stored.domains),
    blacklist: isBlacklistSame ? before.blacklist : createCidrSet(valid.map(({ network }) => network)),
    blacklist_until: isBlacklistSame
      ? before.blacklist_until
      : valid.reduce((first, { expires_at }) => Math.min(first, expires_at ?? Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY),
    settings,
    signing_key: Buffer.from(stored.signing_key, 'base64'),
    replies: before && isSame('settings') ? before.replies : createReplies(settings),
    grace_milliseconds: graceMilliseconds(settings),
    language: pageLanguages.find((language) => language === settings.default_language) ?? 'zh-CN',
    forwards: before && isSame('forwards') ? before.forwards : createForwards(stored.forwards),
    sources: before && isSame('blocked_sources') ? before.sources : createSources(stored.blocked_sources),
    snippets: before && isSame('snippets') ? before.snippets : createSnippets(stored.snippets),
  };
}

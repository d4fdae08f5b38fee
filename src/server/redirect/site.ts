import { randomBytes } from 'node:crypto';
import { type Settings, settingsOf } from '../../contract/settings.ts';
import { type CidrSet, createCidrSet } from '../kit/ip.ts';
import { createHosts, type Hosts } from './hosts.ts';
import type { Query } from './leases.queries.ts';
import { type BlockedNetwork, loadBlacklist, loadDomains, loadSettingRows, loadSigningKey } from './load.ts';
import type { Domain } from './model.ts';
import { type PageLanguage, pageLanguages } from './pages/texts.ts';
import { createReplies, type Replies } from './replies.ts';

/** What is the same for all codes, as it is stored. */
export interface StoredSite {
  domains: Domain[];
  blacklist: BlockedNetwork[];
  settings: { key: string; value: unknown }[];
  /** Base64. */
  signing_key: string;
}

/** The same, ready for use. A change makes a new one. */
export interface Site {
  stored: StoredSite;
  hosts: Hosts;
  blacklist: CidrSet;
  /** When the first entry of the blacklist ends: milliseconds since 1970, Infinity where none does. */
  blacklist_until: number;
  settings: Settings;
  signing_key: Buffer;
  replies: Replies;
  grace_milliseconds: number;
  language: PageLanguage;
}

const dayMilliseconds = 86_400_000;

export async function loadSite(query: Query): Promise<StoredSite> {
  const [domains, blacklist, settings, key] = await Promise.all([
    loadDomains(query),
    loadBlacklist(query),
    loadSettingRows(query),
    loadSigningKey(query, () => randomBytes(32)),
  ]);
  return { domains, blacklist, settings, signing_key: key.toString('base64') };
}

/** Reads again only the parts that changed. */
export async function reloadSite(query: Query, stored: StoredSite, kinds: ReadonlySet<string>): Promise<StoredSite> {
  const [domains, blacklist, settings] = await Promise.all([
    kinds.has('domain') ? loadDomains(query) : stored.domains,
    kinds.has('blacklist') ? loadBlacklist(query) : stored.blacklist,
    kinds.has('setting') ? loadSettingRows(query) : stored.settings,
  ]);
  return { ...stored, domains, blacklist, settings };
}

/** @param before keeps what did not change, its caches included */
export function openSite(stored: StoredSite, before: Site | undefined, now: number): Site {
  const isSame = (part: keyof StoredSite) => before?.stored[part] === stored[part];
  const settings = before && isSame('settings') ? before.settings : settingsOf(stored.settings);
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
    grace_milliseconds: settings.membership_grace_days * dayMilliseconds,
    language: pageLanguages.find((language) => language === settings.default_language) ?? 'zh-CN',
  };
}

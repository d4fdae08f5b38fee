import { eq } from 'drizzle-orm';
import { liveCodeTypes, type PlatformConfig } from '../../contract/links/platform-config.ts';
import type { Context } from '../kit/calls/context.ts';
import { AppError, invalidField } from '../kit/calls/errors.ts';
import type { GuardedNetwork } from '../kit/network/guarded-network.ts';
import type { Database } from '../kit/postgres/database.ts';
import { file } from '../uploads/uploads.table.ts';
import { findPlace, newLabel, ownLink, type Place } from './places.ts';
import type { short_code } from './short-codes.table.ts';
import { checkTunnel, joined, makeLink, newTrace } from './url-key-platform.making.ts';
import { type OpenPlatform, openPlatform } from './url-key-platform.reads.ts';
import { randomText } from './url-key-platform.templates.ts';

/** What a link is for, and whose it will be. `address` is where it leads at this moment; null for a code without entry domain. */
export type Destination = { live_code_id: number | null; url: string | null; owner_id: number; address: string | null };

type Row = typeof short_code.$inferInsert;
/** A link that is ready to be kept. Without `short` and with a domain a path is generated until one is free. */
export type Draft = Pick<Row, 'domain_id' | 'platform_id' | 'short' | 'label' | 'domain_choice' | 'page' | 'platform_url'> & {
  /** Length of the path to generate. */
  length: number;
  /** Where the whole link is made of the generated path. */
  linkOf: ((short: string) => string) | null;
};

/** How links are made: on a short domain, or by a platform. */
export type Means = { domain_id: number | undefined; platform: OpenPlatform | undefined; short: string | undefined };

const usualLength = 6;

/** The means that a caller chose. 400 where the platform isn't there or is off, or where both or what doesn't fit is chosen. */
export async function chooseMeans(
  {
    domain_id,
    platform_id,
    short,
  }: { domain_id?: number | null | undefined; platform_id?: number | undefined; short?: string | undefined },
  { db, vault }: Pick<Context, 'db' | 'vault'>,
): Promise<Means> {
  if (platform_id === undefined) return { domain_id: domain_id ?? undefined, platform: undefined, short };
  if (domain_id !== undefined) throw invalidField('domain_id', 'domain_or_platform');
  const platform = await openPlatform(db, vault, platform_id);
  if (!platform?.enabled) throw invalidField('platform_id', 'unknown_platform');
  if (short !== undefined && ![3, 11, 13, 15].includes(platform.config.type)) throw invalidField('short', 'no_own_path');
  return { domain_id: undefined, platform, short };
}

/** `places` remembers each owner's short domain for the length of one call. */
type Tools = { db: Database; network: GuardedNetwork; scheme: string; places: Map<number, Promise<Place | undefined>> };

const asked = (config: PlatformConfig | undefined, domain_id: number | undefined): number | null | undefined =>
  config && 'domain_id' in config ? config.domain_id : domain_id;

async function placeFor(owner_id: number, { domain_id, platform }: Means, { db, places }: Tools): Promise<Place> {
  const wildcard = platform?.config.type === 13;
  const finding = places.get(owner_id) ?? findPlace(db, owner_id, { id: asked(platform?.config, domain_id), wildcard });
  places.set(owner_id, finding);
  const place = await finding;
  if (place) return place;
  throw new AppError(409, wildcard ? 'platform.no_wildcard_domain' : 'platform.no_domain');
}

/** The page of type 15 as the visit path reads it. */
async function pageOf(config: PlatformConfig | undefined, db: Database): Promise<Draft['page']> {
  if (config?.type !== 15) return null;
  const [picture] = config.picture_id ? await db.select({ name: file.name }).from(file).where(eq(file.id, config.picture_id)) : [];
  return { title: config.title, text: config.text ?? '', picture_file: picture?.name ?? null };
}

function choiceOf(config: PlatformConfig | undefined, { live_code_id }: Destination): Draft['domain_choice'] {
  if (live_code_id === null) return null;
  if (config?.type === 11 || config?.type === 12) return 'healthy_pool';
  return config?.type === 13 && config.each_visit ? 'random_label' : null;
}

/**
 * Makes everything of a link that can be made before it is kept; what has to be asked for is asked for here, so that nothing waits for
 * somebody else inside of a transaction.
 * @throws AppError `platform.*` and `outgoing.*`
 */
export async function draftLink(destination: Destination, means: Means, tools: Tools): Promise<Draft> {
  const { platform, short } = means;
  const config = platform?.config;
  if (config && liveCodeTypes.includes(config.type) && destination.live_code_id === null)
    throw new AppError(409, 'platform.needs_live_code');
  const making = { network: tools.network, key: platform?.key, trace: newTrace() };
  const platform_id = platform?.id ?? null;
  if (config && !isOwn(config)) {
    if (destination.address === null) throw new AppError(409, 'platform.code_without_domain');
    const platform_url = await makeLink(config, { ...making, destination: destination.address });
    return {
      platform_id,
      platform_url,
      domain_id: null,
      short: null,
      label: null,
      domain_choice: null,
      page: null,
      length: 0,
      linkOf: null,
    };
  }

  const place = await placeFor(destination.owner_id, means, tools);
  const draft: Draft = {
    platform_id,
    domain_id: place.id,
    short: short ?? null,
    label: place.wildcard ? newLabel(config?.type === 13 ? config.label_length : undefined) : null,
    domain_choice: choiceOf(config, destination),
    page: await pageOf(config, tools.db),
    platform_url: null,
    length: (config && 'length' in config ? config.length : undefined) ?? usualLength,
    linkOf: null,
  };
  if (config?.type === 6) {
    await checkTunnel(config, { ...making, destination: '' });
    return { ...draft, linkOf: (path) => joined(config.base_url, path) };
  }
  if (config?.type !== 12) return draft;
  // The link inside has to have its address before it is posted; that it is taken meanwhile is told, and happens to nobody.
  const inner = randomText(draft.length);
  const link = ownLink(tools.scheme, { host: place.host, label: draft.label ?? null, short: inner });
  return { ...draft, short: inner, platform_url: await makeLink(config, { ...making, destination: link }) };
}

const isOwn = (config: PlatformConfig): boolean => [3, 6, 11, 12, 13, 15].includes(config.type);

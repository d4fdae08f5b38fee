import type { OutsidePage } from '../answers/replies.ts';
import type { KeptLink, Owner, OwnVisits } from '../model.ts';
import type { Query } from '../rotation/leases.queries.ts';
import { ownVisitsSql } from './load.ts';

/** A short code as the database and the snapshot hold it. It leads to a live code, or to an address of its own. */
export interface StoredShort {
  id: number;
  /** `{domain_id}/{short}` */
  key: string;
  owner_id: number;
  enabled: boolean;
  /** Milliseconds since 1970. */
  expires_at: number | null;
  domain_choice: 'healthy_pool' | 'random_label' | null;
  /** Shown in the in-app browser instead of the redirection. */
  page: OutsidePage | null;
  url: string | null;
  /** Of the live code; null where it leads to an address. */
  file_name: string | null;
  entry_domain_id: number | null;
  access_mode: number | null;
}

export interface Short extends StoredShort {
  owner: Owner;
  /** Where it leads to, if that is an address of its own; made when it is first asked for. */
  kept: KeptLink | undefined;
  /** Something changed since it was read: read it again while the database can be reached. */
  is_stale: boolean;
}

export interface LoadedShort {
  short: StoredShort;
  owner: Owner;
}

const shortPattern = /^[a-z0-9_-]{1,32}$/;

/** The short that a path asks for, or the empty text. */
export function shortOf(path: string): string {
  const name = path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  if (shortPattern.test(name)) return name;
  const lower = name.toLowerCase();
  return shortPattern.test(lower) ? lower : '';
}

export const shortKey = (domainId: number, short: string): string => `${domainId}/${short}`;

const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

type ShortRow = StoredShort & {
  owner_is_disabled: boolean;
  owner_is_frozen: boolean;
  owner_expires_at: number | null;
  owner_codes_open: boolean;
  owner_own: OwnVisits | null;
};

/** Short codes by their keys; what doesn't exist is left out. */
export async function loadShorts(query: Query, keys: readonly string[]): Promise<LoadedShort[]> {
  const parts = keys.map((key) => key.split('/'));
  const rows = await query<ShortRow>({
    name: 'load_shorts',
    text: `SELECT short_code.id, short_code.domain_id || '/' || short_code.short AS key, short_code.owner_id, short_code.enabled,
        ${milliseconds('short_code.expires_at')} AS expires_at, short_code.domain_choice, short_code.page, short_code.url,
        code.file_name, code.entry_domain_id, code.access_mode,
        owner.disabled AS owner_is_disabled, owner.frozen_at IS NOT NULL AS owner_is_frozen, ${milliseconds('owner.member_expires_at')} AS owner_expires_at,
        owner.all_codes_open AS owner_codes_open, ${ownVisitsSql('owner.id')} AS owner_own
      FROM unnest($1::bigint[], $2::text[]) AS wanted (domain_id, short)
      JOIN short_code USING (domain_id, short)
      JOIN user_account AS owner ON owner.id = short_code.owner_id
      LEFT JOIN live_code AS code ON code.id = short_code.live_code_id`,
    values: [parts.map(([domainId]) => domainId), parts.map(([, short]) => short)],
  });
  return rows.map(({ owner_is_disabled, owner_is_frozen, owner_expires_at, owner_codes_open, owner_own, ...short }) => ({
    short,
    owner: {
      id: short.owner_id,
      is_disabled: owner_is_disabled,
      is_frozen: owner_is_frozen,
      member_expires_at: owner_expires_at,
      all_codes_open: owner_codes_open,
      own: owner_own,
    },
  }));
}

export const readyShort = (stored: StoredShort, owner: Owner): Short => ({ ...stored, owner, kept: undefined, is_stale: false });

/** As it is kept in the snapshot. */
export const plainShort = ({ id, key, owner_id, enabled, expires_at, domain_choice, page, url, ...code }: StoredShort): StoredShort => ({
  id,
  key,
  owner_id,
  enabled,
  expires_at,
  domain_choice,
  page,
  url,
  file_name: code.file_name,
  entry_domain_id: code.entry_domain_id,
  access_mode: code.access_mode,
});

/** What a short code takes in memory at the most, beside its texts. */
const shortBytes = 1000;

export const shortWeight = ({ url, page }: Short): number =>
  1 + Math.floor(((url?.length ?? 0) + (page ? page.title.length + page.text.length : 0)) / shortBytes);

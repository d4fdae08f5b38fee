import { pageStyles, targetKinds } from '../../../contract/enums.ts';
import type { Domain, LoadedCode, Owner, OwnVisits, StoredCode, StoredTarget } from '../model.ts';
import type { Query } from '../rotation/leases.queries.ts';

const milliseconds = (column: string) => `(extract(epoch FROM ${column}) * 1000)::float8`;

type CodeRow = StoredCode & {
  key: string;
  alias_id: number | null;
  owner_is_disabled: boolean;
  owner_is_frozen: boolean;
  owner_expires_at: number | null;
  owner_codes_open: boolean;
  owner_own: OwnVisits | null;
};

/** As `OwnVisits`, of the owner whose id a column has. */
export const ownVisitsSql = (owner_id: string): string => `(
  SELECT json_build_object('networks', coalesce(networks, '[]'::json), 'devices', coalesce(devices, '[]'::json)) FROM
    (SELECT json_agg(network ORDER BY id) AS networks FROM own_address WHERE owner_id = ${owner_id}) AS address,
    (SELECT json_agg(id ORDER BY id) AS devices FROM own_device WHERE owner_id = ${owner_id}) AS device
  WHERE networks IS NOT NULL OR devices IS NOT NULL)`;

/** Live codes by their keys; what doesn't exist is left out. Removed ones are there, and say so. */
export async function loadCodes(query: Query, keys: readonly string[]): Promise<LoadedCode[]> {
  const rows = await query<CodeRow>({
    name: 'load_codes',
    text: `SELECT asked.key, CASE WHEN NOT asked.own THEN asked.id END AS alias_id, code.id, code.file_name, code.owner_id, code.entry_domain_id, code.landing_domain_id, code.open, code.rotation_mode,
        code.jump_type, code.access_mode, code.restriction_visit, code.open_log, code.fallback_url, code.page_title, code.page_text,
        code.page_style, code.page_color, ${milliseconds('code.expires_at')} AS expires_at, code.removed,
        code.frozen_at IS NOT NULL AS is_frozen, code.same_target,
        coalesce((
          SELECT json_agg(chosen.js_config_id) FROM live_code_js_config AS chosen WHERE chosen.live_code_id = code.id
        ), '[]'::json) AS js_config_ids,
        owner.disabled AS owner_is_disabled, owner.frozen_at IS NOT NULL AS owner_is_frozen, ${milliseconds('owner.member_expires_at')} AS owner_expires_at,
        owner.all_codes_open AS owner_codes_open, ${ownVisitsSql('owner.id')} AS owner_own,
        coalesce((
          SELECT json_agg(json_build_object(
            'id', target.id, 'kind', target.kind, 'content', coalesce(target.content, ''),
            -- Browsers get it from the storage's public address where there is one, else from here by its name.
            'picture', CASE WHEN storage.domain <> '' THEN rtrim(storage.domain, '/') || '/' || file.object_key ELSE file.name END,
            'name', target.name, 'weight', target.weight, 'is_limited', target.threshold IS NOT NULL, 'generation', quota.generation,
            'remaining', quota.remaining, 'expires_at', ${milliseconds('target.expires_at')},
            'rules', target.rules, 'any_picture', target.any_picture
          ) ORDER BY target.sort DESC, target.id)
          FROM live_code_target AS target LEFT JOIN target_quota AS quota ON quota.target_id = target.id
          LEFT JOIN file ON file.id = target.file_id
          LEFT JOIN image_config AS storage ON storage.id = file.storage_id
          WHERE target.live_code_id = code.id AND target.enabled
        ), '[]'::json) AS targets
      FROM live_code_key AS asked JOIN live_code AS code ON code.id = asked.live_code_id JOIN user_account AS owner ON owner.id = code.owner_id
      WHERE asked.key = ANY ($1::text[])`,
    values: [keys],
  });
  return rows.map((row) => ({
    key: row.key,
    alias_id: row.alias_id,
    code: plainCode(row),
    owner: {
      id: row.owner_id,
      is_disabled: row.owner_is_disabled,
      is_frozen: row.owner_is_frozen,
      member_expires_at: row.owner_expires_at,
      all_codes_open: row.owner_codes_open,
      own: row.owner_own,
    },
  }));
}

/**
 * A code as an object of one shape, wherever it was read, with one string for each word of a choice: tens of thousands are held, and
 * objects made by copying rows take several times as much memory, and longer to read.
 */
export function plainCode(row: StoredCode): StoredCode {
  return {
    id: row.id,
    file_name: row.file_name,
    owner_id: row.owner_id,
    entry_domain_id: row.entry_domain_id,
    landing_domain_id: row.landing_domain_id,
    open: row.open,
    rotation_mode: row.rotation_mode,
    jump_type: row.jump_type,
    access_mode: row.access_mode,
    restriction_visit: row.restriction_visit,
    open_log: row.open_log,
    fallback_url: row.fallback_url,
    page_title: row.page_title,
    page_text: row.page_text,
    page_style: pageStyles.find((style) => style === row.page_style) ?? row.page_style,
    page_color: row.page_color,
    expires_at: row.expires_at,
    removed: row.removed,
    // Snapshots of earlier versions don't tell.
    is_frozen: row.is_frozen ?? false,
    same_target: row.same_target,
    js_config_ids: row.js_config_ids,
    targets: row.targets.map(plainTarget),
  };
}

const plainTarget = (target: StoredTarget): StoredTarget => ({
  id: target.id,
  kind: targetKinds.find((kind) => kind === target.kind) ?? target.kind,
  content: target.content,
  picture: target.picture,
  name: target.name,
  weight: target.weight,
  is_limited: target.is_limited,
  generation: target.generation,
  remaining: target.remaining,
  expires_at: target.expires_at,
  rules: target.rules,
  any_picture: target.any_picture,
});

export function loadOwners(query: Query, ids: readonly number[]): Promise<Owner[]> {
  return query<Owner>({
    name: 'load_owners',
    text: `SELECT id, disabled AS is_disabled, frozen_at IS NOT NULL AS is_frozen, ${milliseconds('member_expires_at')} AS member_expires_at, all_codes_open,
        ${ownVisitsSql('user_account.id')} AS own
      FROM user_account WHERE id = ANY ($1::bigint[])`,
    values: [ids],
  });
}

/** Every enabled domain. */
export function loadDomains(query: Query): Promise<Domain[]> {
  return query<Domain>({
    name: 'load_domains',
    text: 'SELECT id, host, type, holder_id, block_status, frozen_at IS NOT NULL AS is_frozen FROM domain WHERE enabled ORDER BY id',
    values: [],
  });
}

export interface BlockedNetwork {
  network: string;
  expires_at: number | null;
}

export function loadBlacklist(query: Query): Promise<BlockedNetwork[]> {
  return query<BlockedNetwork>({
    name: 'load_blacklist',
    text: `SELECT network::text AS network, ${milliseconds('expires_at')} AS expires_at FROM visit_blacklist`,
    values: [],
  });
}

export function loadSettingRows(query: Query): Promise<{ key: string; value: unknown }[]> {
  return query<{ key: string; value: unknown }>({ name: 'load_settings', text: 'SELECT key, value FROM setting', values: [] });
}

/** The key that signs visit addresses and tickets; where a database has none yet, `fresh` becomes it. */
export async function loadSigningKey(query: Query, fresh: () => Buffer): Promise<Buffer> {
  const read = () =>
    query<{ value: Buffer }>({ name: 'load_signing_key', text: `SELECT value FROM secret WHERE key = 'visit_signing'`, values: [] });
  const [found] = await read();
  if (found) return found.value;
  const text = `INSERT INTO secret (key, value) VALUES ('visit_signing', $1) ON CONFLICT (key) DO NOTHING`;
  await query({ name: 'make_signing_key', text, values: [fresh()] });
  const [made] = await read();
  if (!made) throw new Error('the signing key was removed while it was read');
  return made.value;
}

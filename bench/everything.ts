import type pg from 'pg';
import type { TargetRule } from '../src/contract/codes/targeting.ts';
import { snippetPresets } from '../src/contract/links/js-config.providers.ts';
import { codeName, type Visit } from './load.ts';

const blockedNetworks = 10_000;
const links = 1000;
const shortHost = 'short.example';

/** A visitor is judged by all of what the first asks, and then fits the second. */
const rules: TargetRule[] = [
  {
    regions: ['西藏', '青海'],
    carriers: ['mobile', 'unicom'],
    systems: ['android', 'ios'],
    messenger: true,
    languages: ['zh'],
    hours: Array.from({ length: 24 }, (_, hour) => hour),
  },
  {
    countries: ['中国', '美国', '日本'],
    systems: ['android'],
    messenger: true,
    languages: ['en', 'zh'],
    hours: Array.from({ length: 24 }, (_, hour) => hour),
    weekdays: [1, 2, 3, 4, 5, 6, 7],
    from: '2000-01-01',
  },
];

/**
 * Everything that a visit can cost more by: the first `codes` codes get a second target, rules and the same target for each visitor;
 * a snippet runs on every page; networks are blocked, forwards and short codes lie beside them.
 */
export async function fillEverything(client: pg.Client, codes: number): Promise<void> {
  await client.query(
    `INSERT INTO live_code_target (live_code_id, kind, content, sort) SELECT id, 'url', 'https://other.example/' || id, 1 FROM live_code WHERE id <= $1`,
    [codes],
  );
  await client.query('UPDATE live_code_target SET rules = $1 WHERE sort = 2 AND live_code_id <= $2', [JSON.stringify(rules), codes]);
  await client.query('UPDATE live_code SET same_target = true WHERE id <= $1', [codes]);
  await client.query(
    `INSERT INTO js_config (owner_id, name, provider, provider_id, all_codes, approval) VALUES (1, 'statistics', 'baidu', $1, true, 'approved')`,
    [snippetPresets.baidu.example],
  );
  // A range for measurements, where no visitor comes from.
  await client.query(
    `INSERT INTO visit_blacklist (network) SELECT set_masklen(inet '198.18.0.0' + n * 4, 30)::cidr FROM generate_series(0, $1::integer - 1) AS n`,
    [blockedNetworks],
  );
  await client.query(
    `INSERT INTO forward (owner_id, domain_id, path, url) SELECT 1, 1, '/go/' || n, 'https://forward.example/' || n FROM generate_series(1, $1::integer) AS n`,
    [links],
  );
  await client.query('INSERT INTO domain (host, type) VALUES ($1, 3)', [shortHost]);
  await client.query(
    `INSERT INTO short_code (owner_id, short, domain_id, url)
      SELECT 1, 's' || n, domain.id, 'https://short-target.example/' || n FROM domain, generate_series(1, $1::integer) AS n WHERE domain.type = 3`,
    [links],
  );
  await client.query('DELETE FROM visit_change');
}

/** Of Chinese carriers, mostly. */
export const addressOf = (number: number): string =>
  `${[36, 39, 111, 112, 113, 115, 117, 119][number % 8]}.${number % 251}.${(number * 7) % 253}.9`;

/** One visit of each of the first `count` codes; with addresses, each code's visitors come from one of their own. */
export const codeVisits = (count: number, withAddresses = false): Visit[] =>
  Array.from({ length: count }, (_, n) => ({ path: `/${codeName(n)}`, ...(withAddresses && { address: addressOf(n) }) }));

/** As many visits of short codes, and as many of forwards. */
export const linkVisits = (count: number): Visit[] =>
  Array.from({ length: count }, (_, n) => (n % links) + 1).flatMap((link) => [
    { path: `/s${link}`, host: shortHost, address: addressOf(link) },
    { path: `/go/${link}`, address: addressOf(link) },
  ]);

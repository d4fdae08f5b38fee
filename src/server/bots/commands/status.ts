import { sql } from 'drizzle-orm';
import { shownHost } from '../../domains/domains.public.ts';
import { domain } from '../../domains/domains.table.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { type Asked, type Command, figure, heading, namesOf, words } from './command.ts';
import { mutedLine } from './mute.ts';

const namedHosts = 10;

type Codes = { total: number; open: number; closed: number; frozen: number };

async function codesLine({ db, scope, language }: Asked): Promise<string> {
  const { rows } = await db.execute<Codes>(sql`
    SELECT count(*)::float8 AS total, count(*) FILTER (WHERE open AND frozen_at IS NULL)::float8 AS open,
      count(*) FILTER (WHERE NOT open AND frozen_at IS NULL)::float8 AS closed, count(*) FILTER (WHERE frozen_at IS NOT NULL)::float8 AS frozen
    FROM ${live_code} WHERE NOT removed AND ${scope.sees(live_code.owner_id) ?? sql`true`}`);
  const { total = 0, open = 0, closed = 0, frozen = 0 } = rows[0] ?? {};
  const shown = (value: number) => figure(language, value);
  return words(language, 'codes_counts', { total: shown(total), open: shown(open), closed: shown(closed), frozen: shown(frozen) });
}

type Domains = { total: number; normal: number; failed: number; unchecked: number; blocked: string[] | null; suspected: string[] | null };

/** The same hosts that the list of domains shows him. */
async function domainLines({ db, scope, language }: Asked): Promise<string[]> {
  const is = (status: number) => sql`${domain.block_status} = ${status}`;
  const { rows } = await db.execute<Domains>(sql`
    SELECT count(*)::float8 AS total, count(*) FILTER (WHERE ${is(1)})::float8 AS normal, count(*) FILTER (WHERE ${is(4)})::float8 AS failed,
      count(*) FILTER (WHERE ${domain.block_status} IS NULL)::float8 AS unchecked,
      array_agg(${domain.host} ORDER BY ${domain.host}) FILTER (WHERE ${is(2)}) AS blocked,
      array_agg(${domain.host} ORDER BY ${domain.host}) FILTER (WHERE domain_monitor.suspected_since IS NOT NULL
        AND ${domain.block_status} IS DISTINCT FROM 2) AS suspected
    FROM ${domain} LEFT JOIN domain_monitor ON domain_monitor.domain_id = ${domain.id}
    WHERE ${scope.sees(domain.holder_id) ?? sql`true`}`);
  const { total = 0, normal = 0, failed = 0, unchecked = 0, blocked = null, suspected = null } = rows[0] ?? {};
  const shown = (value: number) => figure(language, value);
  const counts = {
    total: shown(total),
    normal: shown(normal),
    blocked: shown(blocked?.length ?? 0),
    failed: shown(failed),
    unchecked: shown(unchecked),
  };
  const named = (key: string, hosts: readonly string[] | null) =>
    hosts
      ? [
          `${words(language, key)} ${namesOf(
            hosts.map((host) => shownHost(host) ?? host),
            namedHosts,
            language,
          )}`,
        ]
      : [];
  return [words(language, 'domain_counts', counts), ...named('blocked', blocked), ...named('suspected', suspected)];
}

export const status: Command = {
  nodes: ['qr_code_list', 'qr_code_list_admin', 'domain_list'],
  async read(asked) {
    const { person, language } = asked;
    const mayCodes = person.nodes.has('qr_code_list') || person.nodes.has('qr_code_list_admin');
    return [
      heading(language, 'status_title', { account: person.account }),
      ...(mayCodes ? [await codesLine(asked)] : []),
      ...(person.nodes.has('domain_list') ? await domainLines(asked) : []),
      ...mutedLine(asked),
    ].join('\n');
  },
};

import { and, eq, sql } from 'drizzle-orm';
import type { ImportPlan } from '../../../contract/codes/code-import.ts';
import { asRegistered, domainOptions, usableBy } from '../../domains/domains.public.ts';
import { domain } from '../../domains/domains.table.ts';
import { coveredPlaces, placeKey, wholeHost } from '../../forwards/forwards.public.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { file } from '../../uploads/uploads.table.ts';
import { withDefaultDomains } from '../live-codes.rules.ts';
import { settingsOver } from '../live-codes.settings.ts';
import { live_code, live_code_key } from '../live-codes.table.ts';
import type { Known } from './import.row.ts';
import { targetsOf } from './import.targets.ts';

/** Of so many domains of a file it is looked up whether forwards stand on them. */
const maxEntries = 10;

const textsOf = (plan: ImportPlan, rows: readonly (readonly string[])[], field: string): string[] => {
  const at = plan.columns.indexOf(field);
  return at < 0 ? [] : [...new Set(rows.map((row) => (row[at] ?? '').trim()))].filter((text) => text !== '');
};

/** What these rows name that is there already: keys, domains, uploads. */
export async function lookUp(db: Database, owner_id: number, plan: ImportPlan, rows: readonly (readonly string[])[]): Promise<Known> {
  const { jump_schemes, time_zone, visit_scheme: scheme } = await settingsOver(db);
  const hosts = ['entry_domain', 'landing_domain'].flatMap((field) => textsOf(plan, rows, field).map(asRegistered));
  const named = and(usableBy(owner_id), sql`${domain.host} = ANY(${sql.param(hosts)}::text[])`);
  const domains = hosts.length === 0 ? [] : await domainOptions(named, { db, scheme, limit: hosts.length });
  const names = textsOf(plan, rows, 'file_name').map((name) => name.toLowerCase());
  const keys = await db
    .select({
      file_name: live_code.file_name,
      id: live_code.id,
      owner_id: live_code.owner_id,
      removed: live_code.removed,
      entry_domain_id: live_code.entry_domain_id,
    })
    .from(live_code)
    .where(sql`${live_code.file_name} = ANY(${sql.param(names)}::text[])`);
  // Nobody's row can have the key that a code answers under beside its own.
  const aliases = await db
    .select({ file_name: live_code_key.key })
    .from(live_code_key)
    .where(and(sql`${live_code_key.key} = ANY(${sql.param(names)}::text[])`, eq(live_code_key.own, false)));
  const taken = aliases.map(({ file_name }) => ({ file_name, id: 0, owner_id: 0, removed: false, entry_domain_id: null }));
  const pictures = textsOf(plan, rows, 'targets').flatMap((text) =>
    (text.includes('"picture"') ? (targetsOf(text) ?? []) : []).flatMap((target) => {
      const { kind, content } = (target ?? {}) as { kind?: unknown; content?: unknown };
      return kind === 'picture' && typeof content === 'string' && /^[1-9]\d{0,14}$/.test(content) ? Number(content) : [];
    }),
  );
  const files = await db
    .select({ id: file.id })
    .from(file)
    .where(and(eq(file.owner_id, owner_id), sql`${file.id} = ANY(${sql.param(pictures)}::bigint[])`));
  const { entry_domain_id: usual_entry_id } = await withDefaultDomains({ landing_domain_id: null }, owner_id, db);
  const [usual_entry = null] = usual_entry_id === null ? [] : await domainOptions(eq(domain.id, usual_entry_id), { db, scheme, limit: 1 });
  const places = placesOf(names, { present: keys, entry_ids: [...domains.map(({ id }) => id), usual_entry_id] });
  const covered = await coveredPlaces(db, places);
  return {
    owner_id,
    schemes: jump_schemes,
    time_zone,
    domains: new Map(domains.map((found) => [found.host, found])),
    keys: new Map([...keys, ...taken].map(({ file_name, ...found }) => [file_name, found])),
    usual_entry,
    isForwarded: (domain_id, name) => covered.has(placeKey({ domain_id, name: name ?? anyName })),
    files: new Set(files.map(({ id }) => id)),
  };
}

/** A name that no code has, so that only a rule for the whole host answers in its place. */
const anyName = wholeHost.slice(1);

type Entry = { file_name: string; entry_domain_id: number | null };

/** Where these keys may come to stand: on the domains that the file names, on the usual one, or where they are. */
function placesOf(names: readonly string[], { present, entry_ids }: { present: readonly Entry[]; entry_ids: readonly (number | null)[] }) {
  const domain_ids = [...new Set(entry_ids.filter((id) => id !== null))].slice(0, maxEntries);
  return [
    ...domain_ids.flatMap((domain_id) => [anyName, ...names].map((name) => ({ domain_id, name }))),
    ...present.flatMap(({ file_name, entry_domain_id }) =>
      entry_domain_id === null ? [] : [{ domain_id: entry_domain_id, name: file_name }],
    ),
  ];
}

/** The groups of the owner by their names. */
export async function groupsOf(db: Database, owner_id: number): Promise<Map<string, number>> {
  const { rows } = await db.execute<{ id: number; name: string }>(sql`SELECT id, name FROM code_group WHERE owner_id = ${owner_id}`);
  return new Map(rows.map(({ id, name }) => [name, id]));
}

import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type Carrier, carriers, languages } from '../../../contract/enums.ts';
import { type IpCorrection, type ipCorrection, maxCorrections } from '../../../contract/visits/ip-correction.ts';
import type { Context, Service } from '../../kit/calls/context.ts';
import { AppError, invalidField } from '../../kit/calls/errors.ts';
import { translate } from '../../kit/messages/messages.ts';
import { addressText, ipRangeText, readIpRange } from '../../kit/network/ip-range.ts';
import type { Database } from '../../kit/postgres/database.ts';
import { contains } from '../../kit/rows/list.ts';
import { rowsOf } from '../../kit/rows/rows.ts';
import { place } from '../facts/place-names.ts';
import { changeFacts } from '../facts/versions.ts';
import { ip_correction } from './ip-correction.table.ts';

type Columns = { range: string; first_ip: string; last_ip: string; size: string };

/** A range in its one spelling, and its ends; null for what is none. */
function columnsOf(text: string): Columns | null {
  const range = readIpRange(text);
  return (
    range && {
      range: ipRangeText(range),
      first_ip: addressText(range.family, range.first),
      last_ip: addressText(range.family, range.last),
      size: (range.last - range.first + 1n).toString(),
    }
  );
}

const sharesWith = ({ first_ip, last_ip }: Pick<Columns, 'first_ip' | 'last_ip'>): SQL =>
  sql`(family(${ip_correction.first_ip}) = family(${first_ip}::inet) AND ${ip_correction.first_ip} <= ${last_ip}::inet
    AND ${ip_correction.last_ip} >= ${first_ip}::inet)`;
/** Enabled corrections that have addresses in common with a row's. */
const overlapping = sql`FROM ip_correction AS other WHERE other.id <> ${ip_correction.id} AND other.enabled AND ${ip_correction.enabled}
  AND family(other.first_ip) = family(${ip_correction.first_ip}) AND other.first_ip <= ${ip_correction.last_ip} AND other.last_ip >= ${ip_correction.first_ip}`;

const { first_ip: _first, last_ip: _last, ...shown } = getTableColumns(ip_correction);
type Given = Partial<Pick<IpCorrection, 'range' | 'country' | 'region' | 'city' | 'carrier'>>;

const rows = rowsOf(ip_correction, {
  fields: { ...shown, overlaps: sql<number>`(SELECT count(*) ${overlapping})`.mapWith(Number) },
  unique: { ip_correction_range_key: 'range' },
  check: async (given: Given, { db }, before) => {
    const range = given.range === undefined ? undefined : columnsOf(given.range);
    if (range === null) throw invalidField('range', 'invalid_ip_range');
    if (!before && (await db.$count(ip_correction)) >= maxCorrections) throw new AppError(409, 'ip_correction.too_many');
    const { country = '', region = '', city = '', carrier = 'other' } = { ...before, ...given };
    const named = place(country, region, city, carrier);
    if (named.country === '') throw invalidField('country', 'invalid');
    return { ...range, ...named };
  },
});

/** What was changed is looked up by the next batch of visits, and told to the visit path. */
async function changing<T>({ db }: Context, change: Promise<T>): Promise<T> {
  const result = await change;
  await changeFacts(db, 'place');
  return result;
}

/** A carrier by its name in the contract or its word in any language, as exports have it. */
function carrierOf(text: string): Carrier | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return 'other';
  return carriers.find(
    (carrier) =>
      carrier === wanted ||
      languages.some((language) => translate(language, `today_statistics.carrier.${carrier}`).toLowerCase() === wanted),
  );
}

type ImportInput = Parameters<Service<typeof ipCorrection>['import']>[0];
type ImportState = Awaited<ReturnType<Service<typeof ipCorrection>['import']>>['results'][number]['state'];
type Ready = typeof ip_correction.$inferInsert;

function readLine(
  { range, carrier: word, remark, enabled, ...names }: ImportInput['lines'][number],
  seen: Set<string>,
): Ready | ImportState {
  const columns = columnsOf(range);
  if (columns === null) return 'invalid_range';
  const carrier = carrierOf(word);
  if (carrier === undefined) return 'invalid_carrier';
  const named = place(names.country, names.region, names.city, carrier);
  if (named.country === '') return 'no_country';
  if (seen.has(columns.range)) return 'repeated';
  seen.add(columns.range);
  return { ...columns, ...named, remark, enabled };
}

async function write(db: Database, ready: readonly Ready[]): Promise<Map<string, 'added' | 'updated'>> {
  if (ready.length === 0) return new Map();
  const excluded = (...names: string[]) => Object.fromEntries(names.map((name) => [name, sql.raw(`excluded.${name}`)]));
  const written = await db
    .insert(ip_correction)
    .values([...ready].sort((a, b) => (a.range < b.range ? -1 : 1)))
    .onConflictDoUpdate({
      target: ip_correction.range,
      set: { ...excluded('country', 'region', 'city', 'carrier', 'remark', 'enabled'), updated_at: sql`now()` },
    })
    .returning({ range: ip_correction.range, is_new: sql<boolean>`xmax = 0` });
  if ((await db.$count(ip_correction)) > maxCorrections) throw new AppError(409, 'ip_correction.too_many');
  return new Map(written.map(({ range, is_new }) => [range, is_new ? 'added' : 'updated']));
}

async function importLines({ lines }: ImportInput, context: Context) {
  const seen = new Set<string>();
  const read = lines.map((line) => ({ line: line.range, ready: readLine(line, seen) }));
  const ready = read.flatMap((one) => (typeof one.ready === 'string' ? [] : [one.ready]));
  const written = await write(context.db, ready);
  const results = read.map(({ line, ready: of }) => ({ line, state: typeof of === 'string' ? of : (written.get(of.range) ?? 'added') }));
  const numberOf = (state: ImportState) => results.filter((result) => result.state === state).length;
  const [added, updated] = [numberOf('added'), numberOf('updated')];
  context.audit({ after: { added, updated } });
  return { added, updated, results };
}

function found(search: string | undefined): SQL | undefined {
  const range = search === undefined ? null : columnsOf(search);
  if (range) return sharesWith(range);
  return contains([ip_correction.range, ip_correction.country, ip_correction.region, ip_correction.city, ip_correction.remark], search);
}

const maxNames = 3000;

export const ipCorrectionService: Service<typeof ipCorrection> = {
  inquire: ({ search, enabled, overlapping: overlaps, ...input }, context) =>
    rows.page(
      input,
      context,
      and(
        found(search),
        enabled === undefined ? undefined : eq(ip_correction.enabled, enabled),
        overlaps === undefined ? undefined : sql`EXISTS (SELECT ${overlapping}) = ${overlaps}`,
      ),
    ),
  add: (input, context) => changing(context, rows.add(input as Ready, context)),
  update: (input, context) => changing(context, rows.change(input, context)),
  update_enabled: (input, context) => changing(context, rows.setEnabled(input, context)),
  remove: (input, context) => changing(context, rows.remove(input, context)),
  import: (input, context) => changing(context, importLines(input, context)),
  async names(_input, { db }) {
    const { rows: places } = await db.execute<{ country: string; region: string; city: string }>(sql`
      SELECT country, region, city FROM visit_place WHERE country <> '' GROUP BY 1, 2, 3 ORDER BY 1 <> '中国', 1, 2, 3 LIMIT ${maxNames}`);
    return { places };
  },
};

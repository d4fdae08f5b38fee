import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { type ImportField, importFields, remarkColumns } from '../../../contract/codes/code-import.ts';
import { codeField, fieldsInCells } from '../../../contract/codes/live-code-fields.ts';
import { requireAny } from '../../../contract/kit/call.ts';
import { maxIds } from '../../../contract/kit/fields.ts';
import type { OperationJob } from '../../kit/jobs/operations.ts';
import { translate } from '../../kit/messages/messages.ts';
import { type Cell, exportSource } from '../../kit/rows/exports.ts';
import { isOneOf } from '../../kit/rows/list.ts';
import { readSecret } from '../../kit/secrets.ts';
import { hasOpenFigures } from '../../orders/over-quota.public.ts';
import { localTime } from '../import/import.times.ts';
import { visitUrl } from '../live-codes.addresses.ts';
import { live_code } from '../live-codes.table.ts';
import { type CodeView, codeFilters, codesWhere, searched } from './list.ts';

type Row = Record<(typeof importFields)[number], unknown> & {
  id: number;
  owner_account: string;
  access_mode: number;
  url: string | null;
  view_number: number | null;
  ip_view_number: number | null;
  created_at: string;
  given: { kind: string; content: string }[];
};

/** What the call keeps of its input: the filters of a list, or the ids of the selected codes. */
export const exportFilters = z.object({ filters: codeFilters, ids: z.array(z.number()).max(maxIds).optional() });

const viewOf = ({ db, scope, settings, now, person }: OperationJob): CodeView => ({
  db,
  scope,
  now,
  time_zone: settings.time_zone,
  only_owner: person.role.kind === 'customer' ? person.user_id : undefined,
});

const whereOf = async ({ filters, ids }: z.output<typeof exportFilters>, job: OperationJob) => {
  const [view, wanted] = [viewOf(job), ids ? {} : filters];
  const where = await codesWhere(wanted, false, view, await searched(wanted, view));
  return ids ? sql`${where} AND ${isOneOf(live_code.id, ids)}` : where;
};

/** An import reads it again: addresses line by line where that tells all, else everything as JSON. */
function targetsCell(targets: Row['given']): string {
  const isPlain = targets.every((target) => target.kind === 'url' && Object.keys(target).length === 2);
  return isPlain ? targets.map(({ content }) => content).join('\n') : JSON.stringify(targets);
}

const choices = new Map<string, string | undefined>(fieldsInCells('choice').map((field) => [field, codeField[field].words]));

function cellOf(field: ImportField, row: Row, { language, settings }: OperationJob): Cell {
  const value = row[field];
  if (field === 'targets') return targetsCell(row.given);
  if (value === null || value === undefined) return null;
  if (field === 'expires_at') return localTime(String(value), settings.time_zone);
  if (typeof value === 'boolean') return translate(language, value ? 'common.yes' : 'common.no');
  const words = choices.get(field);
  return words ? translate(language, `qr_code_list.${words}.${value}`) : String(value);
}

const imported = importFields.filter((field) => !remarkColumns.some((column) => column === field));
const plainColumns = sql.join(
  fieldsInCells('key', 'text', 'choice', 'flag', 'time').map((field) => sql`${live_code[field]}`),
  sql`, `,
);

/** All codes that fit, with every field that an import takes, and what else the list shows. */
export const codeExport = exportSource({
  name: 'code',
  access: requireAny('qr_code_list.export', 'qr_code_list_admin.export'),
  filters: exportFilters,
  columns: [
    ...imported.map((field) => ({
      key: field,
      title: `code_import.field.${field}`,
      cell: (row: Row, job: OperationJob) => cellOf(field, row, job),
    })),
    { key: 'url', title: 'code_import.link', cell: (row) => row.url },
    { key: 'view_number', title: 'qr_code_list.columns.total', cell: (row) => row.view_number },
    { key: 'ip_view_number', title: 'qr_code_list.columns.total_ips', cell: (row) => row.ip_view_number },
    { key: 'owner_account', title: 'qr_code_list.columns.owner', cell: (row) => row.owner_account },
    {
      key: 'created_at',
      title: 'qr_code_list.columns.created_at',
      cell: (row, { settings }) => localTime(row.created_at, settings.time_zone),
    },
  ],
  select: async (filters, job) => ({ from: live_code, where: await whereOf(filters, job) }),
  async rows(where, job, { after, limit }) {
    const isTold = hasOpenFigures(job.scope) ?? sql`true`;
    const { rows } = await job.db.execute<Row & { entry_enabled: boolean | null }>(sql`
      SELECT live_code.id::float8 AS id, ${plainColumns}, code_group.name AS "group", entry.host AS entry_domain, entry.enabled AS entry_enabled,
        landing.host AS landing_domain, live_code.created_at, owner.account AS owner_account, 
        CASE WHEN ${isTold} THEN coalesce(total.visits, 0)::float8 END AS view_number, CASE WHEN ${isTold} THEN coalesce(total.ips, 0)::float8 END AS ip_view_number,
        (SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('kind', kind, 'content', coalesce(content, file_id::text), 'name', nullif(target.name, ''), 'weight', nullif(weight, 1),
          'threshold', threshold, 'refill_hour', refill_hour, 'enabled', nullif(enabled, true), 'expires_at', to_char(target.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
          'rules', rules, 'any_picture', nullif(any_picture, false))) ORDER BY target.sort DESC, target.id) FROM live_code_target AS target WHERE target.live_code_id = live_code.id) AS given
      FROM live_code JOIN user_account AS owner ON owner.id = live_code.owner_id LEFT JOIN code_group ON code_group.id = live_code.group_id
        LEFT JOIN domain AS entry ON entry.id = live_code.entry_domain_id LEFT JOIN domain AS landing ON landing.id = live_code.landing_domain_id
        LEFT JOIN live_code_total AS total ON total.live_code_id = live_code.id AND live_code.visible_from IS NULL
      WHERE ${where} ${after ? sql`AND ${live_code.id} < ${after.id}` : sql``} ORDER BY live_code.id DESC LIMIT ${Math.min(limit, 1000)}`);
    const signingKey = await readSecret(job.db, 'visit_signing');
    const scheme = job.settings.visit_scheme;
    return rows.map(({ entry_enabled, ...row }) => ({
      ...row,
      given: row.given ?? [],
      url: visitUrl(
        { file_name: String(row.file_name), access_mode: row.access_mode },
        row.entry_domain ? { host: String(row.entry_domain), enabled: entry_enabled === true } : null,
        { scheme, signingKey },
      ),
    }));
  },
});

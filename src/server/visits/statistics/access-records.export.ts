import { and, sql } from 'drizzle-orm';
import { z } from 'zod';
import { accessFilters, qrCodeAccess, type VisitRow } from '../../../contract/visits/statistics.ts';
import { translate } from '../../kit/messages/messages.ts';
import { type ExportSource, exportSource } from '../../kit/rows/exports.ts';
import { live_code } from '../../live-codes/live-codes.table.ts';
import { hasOpenFigures } from '../../orders/over-quota.public.ts';
import { visitsAfter, visitsFrom, visitsWhere } from './visit-rows.ts';

const filters = z.object(accessFilters);

/** A code's visits, one row each, newest first, as far as the code kept rows. */
export const accessRecordsExport: ExportSource = exportSource<typeof filters, VisitRow>({
  name: 'access_records',
  access: qrCodeAccess.calls.export_access_records.access,
  filters,
  columns: [
    { key: 'at', title: 'common.field.time', cell: (row) => row.at },
    {
      key: 'outcome',
      title: 'qr_code_list.visits.outcome',
      cell: (row, { language }) => translate(language, `qr_code_list.outcomes.${row.outcome}`),
    },
    { key: 'key', title: 'common.field.file_name', cell: (row) => row.key },
    { key: 'target', title: 'historical_statistics.dimension.target', cell: (row) => row.target_name },
    { key: 'ip', title: 'qr_code_list.visits.ip', cell: (row) => row.ip },
    { key: 'first_visit', title: 'qr_code_list.visits.first', cell: (row) => row.first_visit },
    { key: 'country', title: 'common.field.place', cell: (row) => [row.country, row.region, row.city].filter(Boolean).join(' ') },
    {
      key: 'carrier',
      title: 'qr_code_list.statistics.dimensions.carrier',
      cell: (row, { language }) => translate(language, `qr_code_list.carriers.${row.carrier}`),
    },
    {
      key: 'source',
      title: 'qr_code_list.statistics.dimensions.source',
      cell: (row, { language }) => translate(language, `qr_code_list.sources.${row.source}`),
    },
    {
      key: 'system',
      title: 'qr_code_list.statistics.dimensions.system',
      cell: (row) => [row.system, row.system_version].filter(Boolean).join(' '),
    },
    { key: 'brand', title: 'device_model.brand', cell: (row) => row.brand },
    { key: 'model', title: 'device_model.code', cell: (row) => row.model },
    { key: 'model_name', title: 'device_model.name', cell: (row) => row.model_name },
    { key: 'browser', title: 'qr_code_list.statistics.dimensions.browser', cell: (row) => row.browser },
    { key: 'language', title: 'historical_statistics.dimension.language', cell: (row) => row.language },
    { key: 'host', title: 'common.field.host', cell: (row) => row.host_unicode ?? row.host },
    { key: 'referer', title: 'qr_code_list.visits.referer', cell: (row) => row.referer },
    { key: 'user_agent', title: 'qr_code_list.visits.user_agent', cell: (row) => row.user_agent },
  ],
  select: async (given, { scope, settings }) => ({
    from: visitsFrom,
    where: sql`${visitsWhere(given, settings.time_zone)} AND ${and(scope.sees(live_code.owner_id), hasOpenFigures(scope)) ?? sql`true`}`,
  }),
  rows: (where, { db }, page) => visitsAfter(db, where, page),
});

import { and, asc, gt } from 'drizzle-orm';
import { type CheckedUrl, listedUrls, wxShieldDetection } from '../../../contract/detection/wx-shield-detection.ts';
import { translate } from '../../kit/messages/messages.ts';
import { type ExportSource, exportSource } from '../../kit/rows/exports.ts';
import { block_check_url } from '../detection.table.ts';
import { checkJoin, listed, shownUrl, urlFields } from './lists.reads.ts';

const { export: call } = wxShieldDetection.calls;

/** The addresses of one list and what was found, in the order in which they were given. */
export const blockCheckExport: ExportSource = exportSource<typeof listedUrls, CheckedUrl>({
  name: 'block_check',
  access: call.access,
  filters: listedUrls,
  columns: [
    { key: 'position', title: 'common.field.position', cell: (row) => row.position },
    { key: 'url', title: 'common.field.url', cell: (row) => row.url },
    { key: 'host', title: 'common.field.host', cell: (row) => row.host_unicode ?? row.host },
    {
      key: 'block_status',
      title: 'domain_list.block_status',
      cell: (row, { language }) => translate(language, `domain_list.block_${row.block_status ?? 'none'}`),
    },
    { key: 'reason', title: 'common.field.reason', cell: (row) => row.reason },
    { key: 'detectors', title: 'common.field.detectors', cell: (row) => row.detectors.join(', ') },
    { key: 'checked_at', title: 'domain_list.checked_at', cell: (row) => row.checked_at },
    { key: 'duration_ms', title: 'common.field.duration_ms', cell: (row) => row.duration_ms },
  ],
  select: async (given, { person }) => ({ from: block_check_url, joins: [checkJoin], where: listed(given, person.user_id) }),
  async rows(where, { db, language }, { after, limit }) {
    const rows = await db
      .select(urlFields)
      .from(block_check_url)
      .innerJoin(...checkJoin)
      .where(and(where, gt(block_check_url.position, after?.position ?? 0)))
      .orderBy(asc(block_check_url.position))
      .limit(limit);
    return rows.map((row) => shownUrl(row, language));
  },
});

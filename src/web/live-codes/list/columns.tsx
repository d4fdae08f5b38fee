import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { Copyable, Host, Num, Time } from '../../kit/feedback.ts';
import type { Column } from '../../kit/ListPage.tsx';
import { translate } from '../../kit/texts/i18n.ts';
import { GroupTag } from '../groups/GroupTag.tsx';
import { Domains, LimitTags, Name, Remaining, Thumbnail, Visits } from './cells.tsx';
import { LogSwitch, OpenSwitch } from './switches.tsx';
import type { OpenDialog } from './useDialogs.ts';

const rotation = (row: LiveCode) => translate(`qr_code_list.rotation.${row.rotation_mode}`);
const yesNo = (value: boolean) => translate(value ? 'common.yes' : 'common.no');

function figure(key: keyof LiveCode & string, title: string, sortable = true): Column<LiveCode> {
  return {
    key,
    title: `qr_code_list.columns.${title}`,
    width: 100,
    align: 'right',
    sortable,
    hiddenByDefault: true,
    render: (row) => <Num value={Number(row[key])} />,
  };
}

/** Shown on demand, exported always. */
const furtherColumns: Column<LiveCode>[] = [
  figure('today_ip_view_number', 'today_ips'),
  figure('ip_view_number', 'total_ips'),
  figure('target_count', 'target_count', false),
  {
    key: 'short_url',
    title: 'qr_code_list.columns.short_url',
    width: 200,
    hiddenByDefault: true,
    render: (row) => (row.short_url ? <Copyable value={row.short_url} text={row.short_url.replace(/^https?:\/\//, '')} code /> : null),
  },
  {
    key: 'landing_host',
    title: 'qr_code_list.columns.landing',
    width: 180,
    hiddenByDefault: true,
    render: (row) => <Host row={{ host: row.landing_host, host_unicode: row.landing_host_unicode }} />,
  },
  {
    key: 'restriction_visit',
    title: 'qr_code_list.columns.restriction_visit',
    width: 110,
    hiddenByDefault: true,
    render: (row) => translate(`qr_code_list.restriction.${row.restriction_visit}`),
    exportValue: (row) => translate(`qr_code_list.restriction.${row.restriction_visit}`),
  },
  {
    key: 'jump_type',
    title: 'qr_code_list.columns.jump_type',
    width: 150,
    hiddenByDefault: true,
    render: (row) => translate(`qr_code_list.jump.${row.jump_type}`),
    exportValue: (row) => translate(`qr_code_list.jump.${row.jump_type}`),
  },
  {
    key: 'expires_at',
    title: 'qr_code_list.columns.expires_at',
    width: 120,
    hiddenByDefault: true,
    render: (row) => <Time value={row.expires_at} />,
  },
  {
    key: 'updated_at',
    title: 'qr_code_list.columns.updated_at',
    width: 120,
    hiddenByDefault: true,
    sortable: true,
    render: (row) => <Time value={row.updated_at} />,
  },
];

/**
 * The list's columns; what stands first is what one looks for first, the rest is a scroll or a setting away.
 * @param seesOthers whether the list may hold codes of other owners
 */
export const liveCodeColumns = (open: OpenDialog, seesOthers: boolean): Column<LiveCode>[] => [
  {
    key: 'url',
    title: 'qr_code_list.columns.qr',
    width: 72,
    fixed: 'start',
    render: (row) => <Thumbnail code={row} onClick={() => void open({ kind: 'design', code: row })} />,
  },
  {
    key: 'name',
    title: 'qr_code_list.columns.name',
    width: 200,
    fixed: 'start',
    sortable: true,
    card: 'title',
    render: (row) => <Name code={row} />,
  },
  {
    key: 'group',
    title: 'group.title_one',
    width: 120,
    render: (row) => (row.group ? <GroupTag group={row.group} /> : <span className="lc-soft">–</span>),
    exportValue: (row) => row.group?.name ?? '',
  },
  {
    key: 'file_name',
    title: 'qr_code_list.columns.file_name',
    width: 130,
    sortable: true,
    hiddenByDefault: true,
  },
  {
    key: 'open',
    title: 'qr_code_list.columns.open',
    width: 76,
    card: 'aside',
    render: (row) => <OpenSwitch code={row} />,
    exportValue: (row) => yesNo(row.open),
  },
  {
    key: 'today_view_number',
    title: 'qr_code_list.columns.today',
    width: 100,
    align: 'right',
    sortable: true,
    card: 'field',
    render: (row) => (
      <Visits visits={row.today_view_number} ips={row.today_ip_view_number} onClick={() => void open({ kind: 'statistics', code: row })} />
    ),
  },
  {
    key: 'view_number',
    title: 'qr_code_list.columns.total',
    width: 100,
    align: 'right',
    sortable: true,
    card: 'field',
    render: (row) => (
      <Visits visits={row.view_number} ips={row.ip_view_number} onClick={() => void open({ kind: 'statistics', code: row })} />
    ),
  },
  {
    key: 'remaining',
    title: 'qr_code_list.columns.remaining',
    width: 110,
    align: 'right',
    card: 'field',
    render: (row) => <Remaining code={row} />,
    exportValue: (row) => row.remaining ?? translate('qr_code_list.remaining.endless'),
  },
  {
    key: 'rotation_mode',
    title: 'qr_code_list.columns.rotation_mode',
    width: 84,
    render: rotation,
    exportValue: rotation,
  },
  { key: 'entry_host', title: 'qr_code_list.columns.domains', width: 220, card: 'field', render: (row) => <Domains code={row} /> },
  {
    key: 'access_mode',
    title: 'qr_code_list.columns.limits',
    width: 120,
    render: (row) => <LimitTags code={row} />,
    exportValue: (row) => translate(`qr_code_list.access.${row.access_mode}`),
  },
  {
    key: 'open_log',
    title: 'qr_code_list.columns.open_log',
    width: 76,
    render: (row) => <LogSwitch code={row} />,
    exportValue: (row) => yesNo(row.open_log),
  },
  { key: 'owner_account', title: 'qr_code_list.columns.owner', width: 120, hiddenByDefault: !seesOthers },
  { key: 'remark', title: 'qr_code_list.columns.remark', width: 160 },
  {
    key: 'created_at',
    title: 'qr_code_list.columns.created_at',
    width: 120,
    sortable: true,
    render: (row) => <Time value={row.created_at} />,
  },
  ...furtherColumns,
];

/** Where administrators list all users' codes: whose each is, and their own grouping. */
export const allCodesColumns = (open: OpenDialog): Column<LiveCode>[] => {
  const columns = liveCodeColumns(open, true);
  const owner = columns.filter(({ key }) => key === 'owner_account').map((column) => ({ ...column, card: 'field' as const }));
  const internal: Column<LiveCode> = {
    key: 'internal_group',
    title: 'group.internal_one',
    width: 130,
    render: (row) => (row.internal_group ? <GroupTag group={row.internal_group} /> : <span className="lc-soft">–</span>),
    exportValue: (row) => row.internal_group?.name ?? '',
  };
  const others = columns
    .filter(({ key }) => key !== 'owner_account')
    .map((column) => (column.key === 'group' ? { ...column, hiddenByDefault: true } : column));
  const after = others.findIndex(({ key }) => key === 'name') + 1;
  return [...others.slice(0, after), ...owner, internal, ...others.slice(after)];
};

export const sortableKeys = (columns: readonly Column<LiveCode>[]): string[] =>
  columns.filter((column) => column.sortable).map((column) => column.key);

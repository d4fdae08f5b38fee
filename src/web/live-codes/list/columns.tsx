import type { ListedCode } from '../../../contract/codes/qr-code-list.ts';
import { Copyable, Host, Num, Time } from '../../kit/feedback.ts';
import type { Column } from '../../kit/ListPage.tsx';
import { translate } from '../../kit/texts/i18n.ts';
import { GroupTag } from '../groups/GroupTag.tsx';
import { Domains, LimitTags, Name, Remaining, Thumbnail, Visits } from './cells.tsx';
import { LogSwitch, OpenSwitch } from './switches.tsx';

const yesNo = (value: boolean) => translate(value ? 'common.yes' : 'common.no');

type Words = 'restriction' | 'jump' | 'rotation';

const column = (
  key: keyof ListedCode & string,
  words: string,
  width: number,
  more: Omit<Column<ListedCode>, 'key' | 'title' | 'width'> = {},
): Column<ListedCode> => ({ key, title: `qr_code_list.columns.${words}`, width, ...more });

const figure = (key: keyof ListedCode & string, words: string, sortable = true): Column<ListedCode> =>
  column(key, words, 100, {
    align: 'right',
    sortable,
    hiddenByDefault: true,
    render: (row) => <Num value={row[key] === null ? null : Number(row[key])} />,
  });

/** A choice in words, exported in the same. */
function choice(words: Words, key: 'restriction_visit' | 'jump_type' | 'rotation_mode') {
  const render = (row: ListedCode) => translate(`qr_code_list.${words}.${row[key]}`);
  return { render, words: render, exportValue: render };
}

const time = (key: 'expires_at' | 'updated_at' | 'created_at', more: Partial<Column<ListedCode>>): Column<ListedCode> =>
  column(key, key, 120, { render: (row) => <Time value={row[key]} />, ...more });

const groupColumn = (key: 'group' | 'internal_group', title: string, width: number): Column<ListedCode> => ({
  key,
  title,
  width,
  render: ({ [key]: group }) => (group ? <GroupTag group={group} /> : <span className="lc-soft">–</span>),
  exportValue: (row) => row[key]?.name ?? '',
});

/** Shown on demand, exported always. */
const furtherColumns: Column<ListedCode>[] = [
  figure('today_ip_view_number', 'today_ips'),
  figure('ip_view_number', 'total_ips'),
  figure('target_count', 'target_count', false),
  column('short_url', 'short_url', 200, {
    hiddenByDefault: true,
    render: (row) => (row.short_url ? <Copyable value={row.short_url} text={row.short_url.replace(/^https?:\/\//, '')} code /> : null),
  }),
  column('landing_host', 'landing', 180, {
    hiddenByDefault: true,
    render: (row) => <Host row={{ host: row.landing_host, host_unicode: row.landing_host_unicode }} />,
  }),
  column('restriction_visit', 'restriction_visit', 110, { hiddenByDefault: true, ...choice('restriction', 'restriction_visit') }),
  column('jump_type', 'jump_type', 150, { hiddenByDefault: true, ...choice('jump', 'jump_type') }),
  time('expires_at', { hiddenByDefault: true }),
  time('updated_at', { hiddenByDefault: true, sortable: true }),
];

/**
 * The list's columns; what stands first is what one looks for first, the rest is a scroll or a setting away.
 * @param seesOthers whether the list may hold codes of other owners
 */
export function liveCodeColumns(seesOthers: boolean): Column<ListedCode>[] {
  const visits = (key: 'view_number' | 'today_view_number', ips: 'ip_view_number' | 'today_ip_view_number', words: string) =>
    column(key, words, 130, {
      align: 'right',
      sortable: true,
      card: 'field',
      render: (row) => <Visits visits={row[key]} ips={row[ips]} id={row.id} />,
    });
  return [
    column('url', 'qr', 64, { fixed: 'start', render: (row) => <Thumbnail code={row} /> }),
    column('name', 'name', 230, { fixed: 'start', sortable: true, card: 'title', render: (row) => <Name code={row} /> }),
    column('open', 'open', 70, { card: 'aside', render: (row) => <OpenSwitch code={row} />, exportValue: (row) => yesNo(row.open) }),
    visits('today_view_number', 'today_ip_view_number', 'today'),
    visits('view_number', 'ip_view_number', 'total'),
    column('remaining', 'remaining', 150, {
      align: 'right',
      card: 'field',
      render: (row) => <Remaining code={row} />,
      exportValue: (row) => row.remaining ?? translate('common.unlimited'),
    }),
    column('entry_host', 'domains', 180, { card: 'field', render: (row) => <Domains code={row} /> }),
    groupColumn('group', 'group.title_one', 100),
    column('file_name', 'file_name', 130, { sortable: true, hiddenByDefault: true }),
    column('rotation_mode', 'rotation_mode', 84, choice('rotation', 'rotation_mode')),
    column('access_mode', 'limits', 120, {
      render: (row) => <LimitTags code={row} />,
      exportValue: (row) => translate(`qr_code_list.access.${row.access_mode}`),
    }),
    column('open_log', 'open_log', 76, { render: (row) => <LogSwitch code={row} />, exportValue: (row) => yesNo(row.open_log) }),
    column('owner_account', 'owner', 120, { hiddenByDefault: !seesOthers }),
    column('remark', 'remark', 160),
    time('created_at', { sortable: true }),
    ...furtherColumns,
  ];
}

/** Where administrators list all users' codes: whose each is, and their own grouping. */
export const allCodesColumns = (): Column<ListedCode>[] => {
  const columns = liveCodeColumns(true);
  const owner = columns.filter(({ key }) => key === 'owner_account').map((column) => ({ ...column, card: 'field' as const }));
  const others = columns
    .filter(({ key }) => key !== 'owner_account')
    .map((column) => (column.key === 'group' ? { ...column, hiddenByDefault: true } : column));
  const after = others.findIndex(({ key }) => key === 'name') + 1;
  return [...others.slice(0, after), ...owner, groupColumn('internal_group', 'group.internal_one', 130), ...others.slice(after)];
};

export const sortableKeys = (columns: readonly Column<ListedCode>[]): string[] =>
  columns.filter((column) => column.sortable).map((column) => column.key);

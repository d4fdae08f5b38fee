import { Table, type TableColumnType } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePartLabel } from '../../kit/charts/labels.ts';
import { Copyable } from '../../kit/feedback.ts';
import { placeOf } from '../../kit/places.ts';
import { useFormat } from '../../kit/texts/format.ts';
import type { RecordFlag, ShownRecord } from './records.ts';

type RowsProps = { rows: readonly ShownRecord[] };
type Cell = { key: string; width: number; align?: 'right'; render: (row: ShownRecord) => ReactNode };

/** A mark in the colour of its meaning, and its word. */
export function Flag({ flag }: { flag: RecordFlag | 'plain' }) {
  const { t } = useTranslation();
  return (
    <span className={`lc-access-flag lc-access-${flag}`}>
      <i aria-hidden />
      {t(`access_log.flag.${flag}`)}
    </span>
  );
}

const flagsOf = ({ flags }: ShownRecord): readonly (RecordFlag | 'plain')[] => (flags.length > 0 ? flags : ['plain']);
/** The first flag colours the row; the others stand as words beside it. */
const toneOf = ({ flags }: ShownRecord): string => (flags[0] ? `lc-access-row lc-access-${flags[0]}` : 'lc-access-row');

function Flags({ row }: { row: ShownRecord }) {
  return (
    <span className="lc-access-flags">
      {flagsOf(row).map((flag) => (
        <Flag key={flag} flag={flag} />
      ))}
    </span>
  );
}

/** Long, and seldom read to its end: two lines of it, the whole one when it is pressed or pointed at. */
function UserAgent({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  if (text === '') return '–';
  return (
    <button
      type="button"
      className={isWhole ? 'lc-access-agent lc-access-agent-whole' : 'lc-access-agent'}
      title={text}
      aria-expanded={isWhole}
      onClick={() => setIsWhole(!isWhole)}
    >
      {text}
    </button>
  );
}

/** What each column shows of a record, in the user's language. Only where the code's owner shares them their keys are shown. */
function useCells(rows: readonly ShownRecord[]): Cell[] {
  const format = useFormat();
  const labelOf = usePartLabel();
  const known = (parts: readonly string[]): string => [...new Set(parts.filter((part) => part !== ''))].join(' ') || '–';
  return [
    { key: 'status', width: 124, render: (row) => <Flags row={row} /> },
    { key: 'time', width: 160, render: (row) => <span className="lc-num lc-access-time">{format.time(row.latest_create_time)}</span> },
    { key: 'ip', width: 140, render: (row) => <Copyable value={row.ip} code /> },
    ...(rows.some(({ latest_key }) => latest_key !== null)
      ? [{ key: 'key', width: 140, render: (row: ShownRecord) => (row.latest_key ? <code>{row.latest_key}</code> : '–') }]
      : []),
    {
      key: 'ip_count',
      width: 100,
      align: 'right',
      render: (row) => <span className={countClass(row)}>{format.exact(row.ip_count)}</span>,
    },
    {
      key: 'location',
      width: 150,
      render: (row) => (
        <>
          {placeOf(row)}
          <span className="lc-access-second">{labelOf('carrier', row.carrier)}</span>
        </>
      ),
    },
    {
      key: 'system',
      width: 120,
      render: (row) => known([row.system && labelOf('system', row.system), row.system_version]),
    },
    { key: 'model', width: 170, render: (row) => row.model_name || row.model || '–' },
    {
      key: 'device',
      width: 140,
      render: (row) => known([row.brand && labelOf('brand', row.brand), row.browser && labelOf('browser', row.browser)]),
    },
    {
      key: 'user_agent',
      width: 380,
      render: (row) => <UserAgent text={row.latest_user_agent} />,
    },
  ];
}

/** A count has its own colour, whatever the row has. */
function countClass({ flags }: ShownRecord): string {
  const flag = flags.find((one) => one === 'often' || one === 'very_often');
  return flag ? `lc-access-count lc-access-${flag}` : 'lc-access-count';
}

export function RecordTable({ rows }: RowsProps) {
  const { t } = useTranslation();
  const columns = useCells(rows).map(
    ({ key, width, align, render }): TableColumnType<ShownRecord> => ({
      key,
      title: t(`access_log.column.${key}`),
      width,
      align,
      render: (_, row) => render(row),
    }),
  );
  return (
    <Table<ShownRecord>
      className="lc-table lc-access-table"
      size="small"
      dataSource={rows}
      rowKey="ip"
      columns={columns}
      pagination={false}
      rowClassName={toneOf}
      scroll={{ x: 'max-content' }}
    />
  );
}

export function RecordCards({ rows }: RowsProps) {
  const { t } = useTranslation();
  const cells = useCells(rows);
  const cellOf = (key: string) => cells.find((cell) => cell.key === key);
  const fields = cells.filter(({ key }) => key !== 'ip' && key !== 'status');
  return (
    <ul className="lc-cards">
      {rows.map((row) => (
        <li key={row.ip} className={`lc-card ${toneOf(row)}`}>
          <div className="lc-card-head">
            <div className="lc-card-title">{cellOf('ip')?.render(row)}</div>
            <Flags row={row} />
          </div>
          <dl className="lc-card-fields">
            {fields.map(({ key, render }) => (
              <div key={key} className={key === 'user_agent' ? 'lc-access-wide' : undefined}>
                <dt>{t(`access_log.column.${key}`)}</dt>
                <dd>{render(row)}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { DatabaseSession } from '../../contract/system/database-session.ts';
import { statementSpans } from '../../contract/system/mysql-time-consuming.ts';
import { bytesText } from '../kit/bytes.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Page } from '../kit/feedback.ts';
import { type Filter, ListTable } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { useFormat } from '../kit/texts/format.ts';
import { useParts } from './Parts.tsx';
import { Statement, sessionColumns, WholeStatement } from './SessionCells.tsx';
import { useRelease } from './useRelease.tsx';

const parts = ['running', 'statements', 'relations', 'unused_indexes'] as const;
type Part = (typeof parts)[number];
const pollSeconds = 2;
const shared = sessionColumns<DatabaseSession>();

function Percent({ value }: { value: number | null }) {
  const { percent } = useFormat();
  return <span className="lc-num">{value === null ? '–' : percent(value)}</span>;
}
const Milliseconds = ({ value }: { value: number }) => <span className="lc-num">{useFormat().exact(value)}</span>;
const Bytes = ({ value }: { value: number }) => <span className="lc-num">{bytesText(value)}</span>;
const figure = { width: 120, align: 'right', card: 'field' } as const;

const runningColumns = columnsOf(api.mysql_time_consuming.inquire, [
  { key: 'statement', width: 420, card: 'title', title: 'mysql_lock.statement', render: ({ statement }) => <Statement text={statement} /> },
  shared.session,
  shared.state,
  shared.lasting,
  { key: 'statement_at', kind: 'time' },
]);
const seconds: Filter<'min_seconds'>[] = [
  {
    kind: 'select',
    key: 'min_seconds',
    label: 'mysql_time_consuming.min_seconds',
    options: [0, 1, 5, 30, 300].map((value) => ({ value, label: `mysql_time_consuming.at_least_${value}` })),
  },
];
const spans: Filter<'span'>[] = [
  {
    kind: 'select',
    key: 'span',
    label: 'mysql_time_consuming.span',
    options: statementSpans.map((value) => ({ value, label: `mysql_time_consuming.span_${value}` })),
  },
];
const statementColumns = columnsOf(api.mysql_time_consuming.statements, [
  { key: 'statement', width: 420, card: 'title', title: 'mysql_lock.statement', render: ({ statement }) => <Statement text={statement} /> },
  { key: 'total_ms', ...figure, width: 150, render: ({ total_ms }) => <Milliseconds value={total_ms} /> },
  { key: 'share', ...figure, width: 90, title: 'common.chart.share', render: ({ share }) => <Percent value={share} /> },
  { key: 'mean_ms', ...figure, width: 130, render: ({ mean_ms }) => <Milliseconds value={mean_ms} /> },
  { key: 'calls', kind: 'number' },
  { key: 'rows', kind: 'number' },
  { key: 'hits', ...figure, render: ({ hits }) => <Percent value={hits} /> },
]);
const relationColumns = columnsOf(api.mysql_time_consuming.relations, [
  { key: 'id', kind: 'name', title: 'mysql_time_consuming.table' },
  { key: 'bytes', ...figure, render: ({ bytes }) => <Bytes value={bytes} /> },
  { key: 'index_bytes', ...figure, render: ({ index_bytes }) => <Bytes value={index_bytes} /> },
  { key: 'rows', kind: 'number' },
  { key: 'dead', ...figure, render: ({ dead }) => <Percent value={dead} /> },
  { key: 'vacuumed_at', kind: 'time' },
]);
const indexColumns = columnsOf(api.mysql_time_consuming.unused_indexes, [
  { key: 'id', kind: 'name', width: 360, title: 'mysql_time_consuming.index' },
  { key: 'table', width: 260, card: 'field' },
  { key: 'bytes', ...figure, render: ({ bytes }) => <Bytes value={bytes} /> },
]);

function Running() {
  const release = useRelease('mysql_time_consuming');
  const node = 'mysql_time_consuming.release';
  return (
    <ListTable
      list={api.mysql_time_consuming.inquire}
      columns={runningColumns}
      filters={seconds}
      pollSeconds={pollSeconds}
      expandable={{ render: ({ statement }) => <WholeStatement text={statement} /> }}
      rowActions={[{ key: 'release', label: 'mysql_lock.release', node, danger: true, onClick: (row) => void release([row]) }]}
      batchActions={[{ key: 'release', label: 'mysql_lock.release_chosen', node, danger: true, onClick: release }]}
      empty={{ title: 'mysql_time_consuming.empty', help: 'mysql_time_consuming.empty_help' }}
    />
  );
}

function Statements() {
  return (
    <ListTable
      list={api.mysql_time_consuming.statements}
      name="mysql_time_consuming_statements"
      columns={statementColumns}
      filters={spans}
      defaultSort={{ sort: 'total_ms', order: 'desc' }}
      expandable={{ render: ({ statement }) => <WholeStatement text={statement} /> }}
      exportName="mysql_time_consuming.part_statements"
      empty={{ title: 'mysql_time_consuming.not_recorded', help: 'mysql_time_consuming.not_recorded_help' }}
    />
  );
}

const Relations = () => (
  <ListTable
    list={api.mysql_time_consuming.relations}
    name="mysql_time_consuming_relations"
    columns={relationColumns}
    defaultSort={{ sort: 'bytes', order: 'desc' }}
    exportName="mysql_time_consuming.part_relations"
  />
);

const UnusedIndexes = () => (
  <ListTable
    list={api.mysql_time_consuming.unused_indexes}
    name="mysql_time_consuming_indexes"
    columns={indexColumns}
    defaultSort={{ sort: 'bytes', order: 'desc' }}
    exportName="mysql_time_consuming.part_unused_indexes"
    empty={{ title: 'mysql_time_consuming.all_used' }}
  />
);

const contents: Record<Part, () => ReactNode> = {
  running: Running,
  statements: Statements,
  relations: Relations,
  unused_indexes: UnusedIndexes,
};

function Summary() {
  const { t } = useTranslation();
  const { exact, percent, time } = useFormat();
  const { data } = useCall(api.mysql_time_consuming.summary, {});
  if (!data) return null;
  const { bytes, hits, connections, max_connections, since } = data;
  const facts = [
    t('mysql_time_consuming.size', { size: bytesText(bytes) }),
    ...(hits === null ? [] : [t('mysql_time_consuming.hit_share', { share: percent(hits) })]),
    t('mysql_time_consuming.connections', { number: exact(connections), max: exact(max_connections) }),
    ...(since ? [t('mysql_time_consuming.since', { time: time(since) })] : []),
  ];
  return <p className="lc-soft">{facts.join(' · ')}</p>;
}

/** What takes long in the database now, what took longest so far, and what takes the room. */
export function MysqlTimeConsumingPage() {
  const { t } = useTranslation();
  const { part, choice } = useParts(parts, (one) => t(`mysql_time_consuming.part_${one}`));
  const Content = contents[part];
  return (
    <Page title="menu.mysql_time_consuming" help={t('mysql_time_consuming.help')}>
      <Summary />
      {choice}
      <Content key={part} />
    </Page>
  );
}

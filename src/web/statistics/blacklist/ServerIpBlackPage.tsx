import { App } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { mostHits, type VisitBlock } from '../../../contract/visits/server-ip-black.ts';
import { api } from '../../kit/calls/api.ts';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { Copyable, Num, Status, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import { AddBlocked } from './AddBlocked.tsx';
import { type AddedLines, BlockedLines } from './BlockedLines.tsx';

const stateLabel = (row: VisitBlock) => (row.expired ? 'server_ip_black.expired' : 'server_ip_black.active');

const columns: Column<VisitBlock>[] = [
  {
    key: 'network',
    title: 'server_ip_black.network',
    width: 210,
    card: 'title',
    render: (row) => <Copyable value={row.network} maximum={32} code />,
  },
  {
    key: 'expired',
    title: 'server_ip_black.state',
    width: 100,
    card: 'aside',
    exportValue: stateLabel,
    render: (row) => <Status kind={row.expired ? 'neutral' : 'success'} label={stateLabel(row)} />,
  },
  { key: 'hits', title: 'server_ip_black.hits', align: 'right', width: 110, card: 'field', render: (row) => <Hits row={row} /> },
  {
    key: 'expires_at',
    title: 'server_ip_black.expires_at',
    sortable: true,
    width: 160,
    card: 'field',
    exportValue: (row) => row.expires_at ?? 'server_ip_black.for_ever',
    render: (row) => <Expiry row={row} />,
  },
  { key: 'remark', title: 'server_ip_black.remark', width: 190, card: 'field' },
  { key: 'created_by_account', title: 'server_ip_black.created_by', width: 110 },
  {
    key: 'created_at',
    title: 'server_ip_black.created_at',
    sortable: true,
    width: 130,
    render: (row) => <Time value={row.created_at} />,
  },
];

const filters: Filter<'search' | 'expired'>[] = [
  { kind: 'text', key: 'search', label: 'server_ip_black.search' },
  {
    kind: 'boolean',
    key: 'expired',
    label: 'server_ip_black.state',
    yes: 'server_ip_black.expired',
    no: 'server_ip_black.active',
  },
];

function Hits({ row }: { row: VisitBlock }) {
  return (
    <>
      <Num value={row.hits} />
      {row.hits >= mostHits && '+'}
    </>
  );
}

function Expiry({ row }: { row: VisitBlock }) {
  const { t } = useTranslation();
  return row.expires_at ? <Time value={row.expires_at} exact /> : <span className="lc-soft">{t('server_ip_black.for_ever')}</span>;
}

/** The visit path's blacklist: addresses and networks whose visits every code refuses. */
export function ServerIpBlackPage() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [isAdding, setIsAdding] = useState(false);
  const [added, setAdded] = useState<AddedLines | null>(null);
  const removal = useRemoval<VisitBlock, unknown>(api.server_ip_black.remove, {
    node: 'server_ip_black.remove',
    title: 'server_ip_black.remove_title',
    many: 'server_ip_black.remove_many_title',
    content: 'server_ip_black.remove_content',
    name: ({ network }) => ({ network }),
    invalidates: ['visitor'],
  });

  function showResults(output: AddedLines) {
    if (output.results.every(({ state }) => state === 'added')) {
      void message.success(t('server_ip_black.added', { number: output.added }));
    } else setAdded(output);
  }

  const addButton = <AddButton node="server_ip_black.add" label="server_ip_black.add" onClick={() => setIsAdding(true)} />;
  return (
    <>
      <ListPage
        title="menu.server_ip_black"
        help={t('server_ip_black.help')}
        list={api.server_ip_black.inquire}
        columns={columns}
        filters={filters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.server_ip_black"
        actions={addButton}
        empty={{ title: 'server_ip_black.empty', help: 'server_ip_black.empty_help', action: addButton }}
        rowActions={[removal.row]}
        batchActions={[removal.batch]}
      />
      {isAdding && <AddBlocked onDone={showResults} onClose={() => setIsAdding(false)} />}
      {added && <BlockedLines added={added} onClose={() => setAdded(null)} />}
    </>
  );
}

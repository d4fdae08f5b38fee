import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxHits, type VisitBlock } from '../../../contract/visits/server-ip-black.ts';
import { blacklistFilters, Expiry, expiryStatus } from '../../kit/blacklist/blacklist.tsx';
import { api } from '../../kit/calls/api.ts';
import { AddButton, useRemoval } from '../../kit/dialogs/removal.tsx';
import { useLineResults } from '../../kit/feedback/LineResults.tsx';
import { Num } from '../../kit/feedback.ts';
import { ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { AddBlocked } from './AddBlocked.tsx';

const kinds = { added: 'success', updated: 'info', repeated: 'neutral', invalid: 'error', loopback: 'warning', proxy: 'warning' } as const;

const columns = columnsOf(api.server_ip_black.inquire, [
  { key: 'network', kind: 'copy', width: 210, card: 'title' },
  {
    key: 'expired',
    kind: 'status',
    title: 'common.field.enabled',
    width: 100,
    status: expiryStatus,
  },
  { key: 'hits', align: 'right', width: 110, card: 'field', render: (row) => <Hits row={row} /> },
  {
    key: 'expires_at',
    width: 160,
    card: 'field',
    exportValue: (row) => row.expires_at ?? 'common.for_ever',
    render: (row) => <Expiry row={row} />,
  },
  { key: 'remark', width: 190, card: 'field' },
  { key: 'created_by_account', width: 110 },
  { key: 'created_at', kind: 'time', width: 130 },
]);

function Hits({ row }: { row: VisitBlock }) {
  return (
    <>
      <Num value={row.hits} />
      {row.hits >= maxHits && '+'}
    </>
  );
}

/** The visit path's blacklist: addresses and networks whose visits every code refuses. */
export function ServerIpBlackPage() {
  const { t } = useTranslation();
  const [isAdding, setIsAdding] = useState(false);
  const lines = useLineResults({ screen: 'server_ip_black', kinds });
  const removal = useRemoval<VisitBlock, unknown>(api.server_ip_black.remove, {
    node: 'server_ip_black.remove',
    title: 'ip_black.remove_title',
    many: 'ip_black.remove_many_title',
    content: 'server_ip_black.remove_content',
    name: ({ network }) => ({ network }),
    invalidates: ['visitor'],
  });

  const addButton = <AddButton node="server_ip_black.add" label="server_ip_black.add" onClick={() => setIsAdding(true)} />;
  return (
    <>
      <ListPage
        title="menu.server_ip_black"
        help={t('server_ip_black.help')}
        list={api.server_ip_black.inquire}
        columns={columns}
        filters={blacklistFilters}
        defaultSort={{ sort: 'created_at', order: 'desc' }}
        exportName="menu.server_ip_black"
        actions={addButton}
        empty={{ title: 'server_ip_black.empty', help: 'server_ip_black.empty_help', action: addButton }}
        rowActions={[removal.row]}
        batchActions={[removal.batch]}
      />
      {isAdding && <AddBlocked onDone={lines.show} onClose={() => setIsAdding(false)} />}
      {lines.dialog}
    </>
  );
}

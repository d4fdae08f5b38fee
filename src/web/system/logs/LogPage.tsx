import { DeleteOutlined, DownloadOutlined, LinkOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExportFormat } from '../../../contract/system/async-operations.ts';
import { type LogRow, leastClearedDays } from '../../../contract/system/log.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { Dropdown } from '../../kit/dialogs/dialogs.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Copyable, Status, Time } from '../../kit/feedback.ts';
import { type Column, type Filter, ListPage } from '../../kit/ListPage.tsx';
import { useUrlListState } from '../../kit/list/useListState.ts';
import { OperationDialog } from '../../kit/operations/OperationDialog.tsx';
import { remoteOptions } from '../../kit/options.ts';
import { ChainDialog } from './ChainDialog.tsx';
import { LogDetails } from './LogDetails.tsx';
import { LogUser } from './LogUser.tsx';
import './logs.css';

const columns: Column<LogRow>[] = [
  { key: 'at', title: 'log.column.at', sortable: true, width: 170, card: 'field', render: (row) => <Time value={row.at} exact /> },
  { key: 'sentence', title: 'log.column.sentence', width: 320, card: 'title' },
  {
    key: 'user_account',
    title: 'log.column.user',
    width: 130,
    render: (row) => <LogUser row={row} />,
  },
  { key: 'ip', title: 'log.column.ip', width: 140, card: 'field', render: (row) => (row.ip ? <Copyable value={row.ip} code /> : '–') },
  { key: 'type', title: 'log.column.type', width: 190, card: 'field', render: (row) => <span className="lc-code">{row.type}</span> },
  { key: 'user_agent', title: 'log.column.user_agent', width: 260, hiddenByDefault: true },
  { key: 'source', title: 'log.column.source', width: 120, hiddenByDefault: true },
  {
    key: 'sealed',
    title: 'log.screen.chain_state',
    width: 100,
    render: (row) => <Status kind={row.sealed ? 'success' : 'neutral'} label={row.sealed ? 'log.screen.sealed' : 'log.screen.unsealed'} />,
  },
];

const users = remoteOptions(
  api.user_list.options,
  (search) => ({ search }),
  (user) => ({ value: user.id, label: user.account }),
);
const types = remoteOptions(
  api.log_type.inquire,
  (search) => ({ page: 1, page_size: 50, ...(search ? { search } : {}) }),
  (type) => ({ value: type.type, label: type.title }),
);

const filters: Filter<'user_id' | 'type' | 'ip' | 'from' | 'to'>[] = [
  { kind: 'remote', key: 'type', label: 'log.screen.filter_type', source: types, node: 'log_type' },
  { kind: 'remote', key: 'user_id', label: 'log.screen.filter_user', source: users, node: 'user_list' },
  { kind: 'text', key: 'ip', label: 'log.screen.filter_ip' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'log.screen.filter_at' },
];
const defaultSort = { sort: 'at', order: 'desc' } as const;

/** Every change with who made it; before and after of each, export, clearing of what is old. */
export function LogPage() {
  const { t } = useTranslation();
  const [opened, setOpened] = useState<LogRow | null>(null);
  const [isClearing, setIsClearing] = useState(false);
  const [isChainOpen, setIsChainOpen] = useState(false);
  const [operation, setOperation] = useState<number | null>(null);
  // The same address the list reads: what is exported is what is shown.
  const { values } = useUrlListState(filters, ['at'], defaultSort);
  const write = useAction(api.log.export, { success: false, invalidates: ['async_operations'] });

  async function startExport(format: ExportFormat) {
    const started = await write.run({ ...values, format });
    if (started) setOperation(started.operation_id);
  }

  return (
    <>
      <ListPage
        title="log.screen.title"
        help={t('log.screen.help')}
        list={api.log.inquire}
        columns={columns}
        filters={filters}
        defaultSort={defaultSort}
        actions={
          <>
            <Button icon={<LinkOutlined />} onClick={() => setIsChainOpen(true)}>
              {t('log.screen.chain')}
            </Button>
            <Allowed node="log.clear">
              <Button danger icon={<DeleteOutlined />} onClick={() => setIsClearing(true)}>
                {t('log.screen.clear')}
              </Button>
            </Allowed>
            <Allowed node="log.export">
              <Dropdown
                menu={{
                  items: [
                    { key: 'csv', label: t('log.screen.export_csv') },
                    { key: 'xlsx', label: t('log.screen.export_xlsx') },
                  ],
                  onClick: ({ key }) => void startExport(key === 'xlsx' ? 'xlsx' : 'csv'),
                }}
              >
                <Button icon={<DownloadOutlined />} loading={write.isRunning}>
                  {t('log.screen.export')}
                </Button>
              </Dropdown>
            </Allowed>
          </>
        }
        empty={{ title: 'log.screen.empty', help: 'log.screen.empty_help' }}
        onRowClick={setOpened}
        rowActions={[{ key: 'open', label: 'log.screen.open', onClick: setOpened }]}
      />
      {opened && <LogDetails key={opened.id} row={opened} onClose={() => setOpened(null)} />}
      {isChainOpen && <ChainDialog onClose={() => setIsChainOpen(false)} />}
      {isClearing && (
        <FormModal
          action={api.log.clear}
          title="log.screen.clear_title"
          submit="log.screen.clear_submit"
          success={false}
          invalidates={['async_operations']}
          initial={{ older_than_days: 365 }}
          fields={[
            {
              kind: 'number',
              name: 'older_than_days',
              label: 'log.screen.older_than_days',
              help: 'log.screen.older_help',
              minimum: leastClearedDays,
            },
            { kind: 'text', name: 'type', label: 'log.screen.clear_type', help: 'log.screen.clear_type_help', code: true },
          ]}
          onDone={(started) => setOperation(started.operation_id)}
          onClose={() => setIsClearing(false)}
        />
      )}
      {operation !== null && <OperationDialog key={operation} id={operation} onClose={() => setOperation(null)} />}
    </>
  );
}

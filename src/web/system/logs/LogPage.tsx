import { DeleteOutlined, DownloadOutlined, LinkOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExportFormat } from '../../../contract/system/async-operations.ts';
import { type LogRow, minClearedDays } from '../../../contract/system/log.ts';
import { accountOptions } from '../../kit/accounts.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { Dropdown } from '../../kit/dialogs/dialogs.tsx';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';
import { Copyable, Time } from '../../kit/feedback.ts';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { useUrlListState } from '../../kit/list/useListState.ts';
import { OperationDialog } from '../../kit/operations/OperationDialog.tsx';
import { remoteOptions } from '../../kit/options.ts';
import { ChainDialog } from './ChainDialog.tsx';
import { LogDetails } from './LogDetails.tsx';
import { LogUser } from './LogUser.tsx';
import './logs.css';

const columns = columnsOf(api.log.inquire, [
  { key: 'at', title: 'log.column.at', width: 170, card: 'field', render: (row) => <Time value={row.at} exact /> },
  { key: 'sentence', kind: 'name', title: 'log.column.sentence', width: 320 },
  { key: 'user_account', title: 'log.column.user', width: 130, render: (row) => <LogUser row={row} /> },
  { key: 'ip', title: 'log.column.ip', width: 140, card: 'field', render: (row) => (row.ip ? <Copyable value={row.ip} code /> : '–') },
  { key: 'type', title: 'log.column.type', width: 190, card: 'field', render: (row) => <span className="lc-code">{row.type}</span> },
  { key: 'user_agent', title: 'log.column.user_agent', width: 260, hiddenByDefault: true },
  { key: 'source', title: 'log.column.source', width: 120, hiddenByDefault: true },
  { key: 'sealed', kind: 'enabled', yes: 'log.screen.sealed', no: 'log.screen.unsealed', title: 'log.screen.chain_state', card: undefined },
]);

const types = remoteOptions(
  api.log_type.inquire,
  (search) => ({ page: 1, page_size: 50, ...(search ? { search } : {}) }),
  (type) => ({ value: type.type, label: type.title }),
);

const filters: Filter<'user_id' | 'type' | 'ip' | 'from' | 'to'>[] = [
  { kind: 'remote', key: 'type', label: 'log.column.type', source: types, node: 'log_type' },
  { kind: 'remote', key: 'user_id', label: 'log.column.user', source: accountOptions, node: 'user_list' },
  { kind: 'text', key: 'ip', label: 'common.field.network' },
  { kind: 'date_range', key: 'from', to: 'to', label: 'log.column.at' },
];
const defaultSort = { sort: 'at', order: 'desc' } as const;

/** Every change with the user who made it; before and after of each, export, clearing of what is old. */
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
        title="menu.log"
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
                    { key: 'csv', label: t('common.export.title') },
                    { key: 'xlsx', label: t('common.export.xlsx') },
                  ],
                  onClick: ({ key }) => void startExport(key === 'xlsx' ? 'xlsx' : 'csv'),
                }}
              >
                <Button icon={<DownloadOutlined />} loading={write.isRunning}>
                  {t('menu.button.export')}
                </Button>
              </Dropdown>
            </Allowed>
          </>
        }
        empty={{ title: 'log.screen.empty', help: 'log.screen.empty_help' }}
        onRowClick={setOpened}
        rowActions={[{ key: 'open', label: 'common.view', onClick: setOpened }]}
      />
      {opened && <LogDetails key={opened.id} row={opened} onClose={() => setOpened(null)} />}
      {isChainOpen && <ChainDialog onClose={() => setIsChainOpen(false)} />}
      {isClearing && <ClearLog onStarted={setOperation} onClose={() => setIsClearing(false)} />}
      {operation !== null && <OperationDialog key={operation} id={operation} onClose={() => setOperation(null)} />}
    </>
  );
}

function ClearLog({ onStarted, onClose }: { onStarted: (operation_id: number) => void; onClose: () => void }) {
  return (
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
          minimum: minClearedDays,
        },
        { kind: 'text', name: 'type', label: 'log.screen.clear_type', help: 'log.screen.clear_type_help', code: true },
      ]}
      onDone={(started) => onStarted(started.operation_id)}
      onClose={onClose}
    />
  );
}

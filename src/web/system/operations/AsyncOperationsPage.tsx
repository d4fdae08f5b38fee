import { Progress } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { operationStatuses } from '../../../contract/enums.ts';
import type { AsyncOperation } from '../../../contract/system/async-operations.ts';
import { accountOptions } from '../../kit/accounts.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { Time } from '../../kit/feedback.ts';
import { type Filter, ListPage } from '../../kit/ListPage.tsx';
import { columnsOf } from '../../kit/list/kinds.tsx';
import { isUnderWay, percentOf, stateKinds, useDownload, useProgressText } from '../../kit/operations/operations.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { useText } from '../../kit/texts/text.ts';
import './operations.css';

const pollSeconds = 3;

/** The state that names a status to filter by. */
const stateOfStatus = { 1: 'running', 2: 'completed', 3: 'failed' } as const;

const columns = columnsOf(api.async_operations.inquire, [
  {
    key: 'kind',
    kind: 'name',
    title: 'common.field.type',
    width: 170,
    exportValue: (row) => `async_operations.kind.${row.kind}`,
    render: (row) => <Kind row={row} />,
  },
  {
    key: 'state',
    kind: 'status',
    status: (row) => ({ kind: stateKinds[row.state], label: `async_operations.state.${row.state}` }),
    title: 'common.field.state',
  },
  { key: 'done', title: 'async_operations.screen.progress', width: 220, card: 'field', render: (row) => <ProgressCell row={row} /> },
  { key: 'message', title: 'async_operations.screen.message', width: 200, card: 'field' },
  { key: 'file_name', title: 'async_operations.screen.file', width: 260, render: (row) => <File row={row} /> },
  { key: 'user_account', title: 'async_operations.screen.user', width: 130, card: 'field' },
  {
    key: 'id',
    title: 'common.field.created_at',
    width: 140,
    exportValue: (row) => row.created_at,
    render: (row) => <Time value={row.created_at} />,
  },
  { key: 'updated_at', kind: 'time', title: 'common.field.updated_at' },
  { key: 'finished_at', kind: 'time', title: 'async_operations.screen.finished_at', hiddenByDefault: true },
]);

const filters: Filter<'status' | 'user_id'>[] = [
  {
    kind: 'select',
    key: 'status',
    label: 'common.field.state',
    options: operationStatuses.map((status) => ({ value: status, label: `async_operations.state.${stateOfStatus[status]}` })),
  },
  { kind: 'remote', key: 'user_id', label: 'async_operations.screen.user', source: accountOptions, node: 'user_list' },
];

function Kind({ row }: { row: AsyncOperation }) {
  return useText()(`async_operations.kind.${row.kind}`);
}

function ProgressCell({ row }: { row: AsyncOperation }) {
  const words = useProgressText()(row);
  const percent = percentOf(row);
  return (
    <span className="lc-operation-progress">
      {percent !== undefined && (
        <Progress
          percent={percent}
          showInfo={false}
          size="small"
          status={row.state === 'failed' ? 'exception' : isUnderWay(row) ? 'active' : 'normal'}
          aria-label={words}
        />
      )}
      <span className="lc-num">{words}</span>
    </span>
  );
}

const units = ['B', 'kB', 'MB', 'GB'];
function sizeText(bytes: number, exact: (value: number) => string): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${exact(Math.round((bytes / 1000 ** step) * 10) / 10)} ${units[step]}`;
}

function File({ row }: { row: AsyncOperation }) {
  const { t } = useTranslation();
  const { exact, time } = useFormat();
  if (row.file_name === null) return <span className="lc-soft">–</span>;
  const notes = [
    ...(row.file_size === null ? [] : [sizeText(row.file_size, exact)]),
    ...(row.file_expires_at === null ? [] : [t('async_operations.screen.expires', { time: time(row.file_expires_at) })]),
  ];
  return (
    <span className="lc-operation-file">
      <span>{row.file_name}</span>
      <small className="lc-num">{notes.join(' · ')}</small>
    </span>
  );
}

/** Long work in the background: how far it is, what came of it; cancel, retry, download. */
export function AsyncOperationsPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { user } = useSession();
  const confirm = useConfirm();
  const download = useDownload();
  const cancel = useAction(api.async_operations.cancel);
  const retry = useAction(api.async_operations.retry);

  async function askToCancel(row: AsyncOperation) {
    const question = {
      title: 'async_operations.screen.cancel_title',
      content: 'async_operations.screen.cancel_content',
      confirm: 'async_operations.screen.cancel_confirm',
      cancel: 'async_operations.screen.keep',
      danger: true,
    };
    if (await confirm(question)) await cancel.run({ id: row.id });
  }

  return (
    <ListPage
      title="menu.async_operations"
      help={t('async_operations.screen.help')}
      list={api.async_operations.inquire}
      columns={columns}
      filters={filters}
      defaultSort={{ sort: 'id', order: 'desc' }}
      pollSeconds={pollSeconds}
      empty={{ title: 'async_operations.screen.empty', help: 'async_operations.screen.empty_help' }}
      rowActions={[
        {
          key: 'codes',
          label: 'code_import.show',
          node: 'qr_code_list',
          visible: (row) => row.change_id !== null && row.user_id === user?.id,
          onClick: ({ change_id }) => void navigate(`/customer/qr_code_list?change_id=${change_id}`),
        },
        {
          key: 'download',
          label: 'common.download',
          visible: (row) => row.link !== null,
          onClick: (row) => void download.run(row.id),
        },
        {
          key: 'cancel',
          label: 'common.cancel',
          node: 'async_operations.cancel',
          danger: true,
          visible: isUnderWay,
          onClick: (row) => void askToCancel(row),
        },
        {
          key: 'retry',
          label: 'common.retry',
          node: 'async_operations.retry',
          visible: (row) => row.state === 'failed' || row.state === 'cancelled',
          onClick: (row) => void retry.run({ id: row.id }),
        },
      ]}
    />
  );
}

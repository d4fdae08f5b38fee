import { Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { type BackupOutcome, type BackupRun, type BackupState, drillNotes } from '../../../contract/system/backup.ts';
import { bytesText } from '../../kit/bytes.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { Empty, Failure, Status, type StatusKind, Time } from '../../kit/feedback.ts';

const pollMilliseconds = 60_000;
const kindOf: Record<BackupOutcome, StatusKind> = { good: 'success', checked: 'warning', failed: 'error' };
const isNote = (message: string) => drillNotes.some((note) => note === message);

/** What came of one, and why; a reason for failing is in the words of the program that failed. */
function Outcome({ run: { outcome, message } }: { run: BackupRun }) {
  const { t } = useTranslation();
  return (
    <>
      <Status kind={kindOf[outcome]} label={`backup.outcome.${outcome}`} />
      {message !== '' && <div className="lc-soft lc-monitor-reason">{isNote(message) ? t(`backup.note.${message}`) : message}</div>}
    </>
  );
}

/** Whether a backup is encrypted and holds the master key, as far as that is known of it. */
function Contents({ run }: { run: BackupRun }) {
  const { t } = useTranslation();
  const words = [
    ...(run.encrypted === null ? [] : [run.encrypted ? 'backup.encrypted' : 'backup.plain']),
    ...(run.holds_key === null ? [] : [run.holds_key ? 'backup.with_key' : 'backup.without_key']),
  ];
  return (
    <span className="lc-soft">
      {[run.bytes === null ? '' : bytesText(run.bytes), ...words.map((word) => t(word))].filter(Boolean).join(' · ')}
    </span>
  );
}

function Facts({ state: { schedule, last_backup, last_drill } }: { state: BackupState }) {
  const { t } = useTranslation();
  if (!schedule) return null;
  const { backup_overdue_at, drill_overdue_at, next, key_kept_at } = schedule;
  const overdue = <Status kind="error" label="backup.overdue" />;
  return (
    <dl className="lc-monitor-facts">
      <div>
        <dt>{t('backup.last_backup')}</dt>
        <dd>
          {last_backup ? <Time value={last_backup.ended_at} /> : t('backup.never')} {backup_overdue_at && overdue}
          {last_backup && <Contents run={last_backup} />}
          {key_kept_at && <span className="lc-soft">{t('backup.key_elsewhere')}</span>}
        </dd>
      </div>
      <div>
        <dt>{t('backup.last_drill')}</dt>
        <dd>
          {last_drill ? <Time value={last_drill.ended_at} /> : t('backup.never')} {drill_overdue_at && overdue}
          {last_drill?.outcome === 'checked' && <Outcome run={last_drill} />}
        </dd>
      </div>
      <div>
        <dt>{t('backup.next_backup')}</dt>
        <dd>
          <Time value={next.backup_at} />
        </dd>
      </div>
      <div>
        <dt>{t('backup.next_drill')}</dt>
        <dd>
          <Time value={next.drill_at} />
        </dd>
      </div>
    </dl>
  );
}

function Runs({ runs }: { runs: readonly BackupRun[] }) {
  const { t } = useTranslation();
  return (
    <Table
      size="small"
      pagination={false}
      rowKey="id"
      scroll={{ x: 'max-content' }}
      locale={{ emptyText: t('backup.empty') }}
      dataSource={[...runs]}
      columns={[
        { title: t('backup.kind_of'), dataIndex: 'kind', render: (kind: string) => t(`backup.kind.${kind}`) },
        { title: t('backup.ended_at'), dataIndex: 'ended_at', render: (at: string) => <Time value={at} /> },
        { title: t('backup.file'), dataIndex: 'file_name', render: (name: string) => name || '—' },
        {
          title: t('backup.size'),
          dataIndex: 'bytes',
          align: 'right',
          render: (bytes: number | null) => (bytes === null ? '—' : bytesText(bytes)),
        },
        { title: t('backup.outcome_of'), key: 'outcome', render: (_, run) => <Outcome run={run} /> },
      ]}
    />
  );
}

/** What the scheduled backups came to, and when one was last found restorable. */
export function Backups() {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api.backup.inquire, {}, { refetchInterval: pollMilliseconds });
  if (!data && !error) return null;
  return (
    <section className="lc-panel" aria-labelledby="monitor-backups">
      <h2 id="monitor-backups">{t('backup.title')}</h2>
      {!data && error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      {data && !data.schedule && <Empty title="backup.none" help="backup.none_help" />}
      {data && <Facts state={data} />}
      {data && (data.schedule || data.runs.length > 0) && <Runs runs={data.runs} />}
    </section>
  );
}

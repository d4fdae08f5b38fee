import { Alert, Segmented, Skeleton, Table } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type FailedJob, type MonitoredHost, type MonitorRange, monitorRanges, type Queue } from '../../../contract/system/monitor.ts';
import { bytesText } from '../../kit/bytes.ts';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { LineChart } from '../../kit/charts/LineChart.tsx';
import { StatCard } from '../../kit/charts/StatCard.tsx';
import { Empty, Failure, Page, Status, Time } from '../../kit/feedback.ts';
import { useFormat } from '../../kit/texts/format.ts';
import { Backups } from './Backups.tsx';
import './monitor.css';

const pollMilliseconds = 10_000;
const lateSeconds = 60;

/** What of a host's points is drawn: its name is the message `monitor.{key}`. */
function linesOf({ points }: MonitoredHost, keys: readonly ('visits' | 'loaded' | 'refused' | 'p50' | 'p99' | 'unloaded' | 'calls')[]) {
  return keys.map((key) => ({
    key,
    name: `monitor.${key}`,
    points: points.map((point) => ({ at: point.at, value: Math.round((point[key] ?? 0) * 100) / 100 })),
  }));
}

function processLines({ points, processes }: MonitoredHost, figureOf: (one: { bytes: number; late: number }) => number) {
  return processes.map(({ name }) => ({
    key: name,
    name,
    points: points.flatMap(({ at, processes: own }) => (own[name] ? [{ at, value: figureOf(own[name]) }] : [])),
  }));
}

const megabytes = ({ bytes }: { bytes: number }) => Math.round(bytes / 2 ** 20);
const milliseconds = ({ late }: { late: number }) => Math.round(late * 10) / 10;

function Charts({ host }: { host: MonitoredHost }) {
  const shared = { step: 'minute', height: 220 } as const;
  return (
    <div className="lc-monitor-charts">
      <LineChart {...shared} title="monitor.visits_chart" series={linesOf(host, ['visits', 'loaded', 'refused'])} />
      <LineChart {...shared} title="monitor.latency_chart" series={linesOf(host, ['p50', 'p99'])} />
      <LineChart {...shared} title="monitor.unloaded_chart" series={linesOf(host, ['unloaded'])} />
      <LineChart {...shared} title="monitor.calls_chart" series={linesOf(host, ['calls'])} />
      <LineChart {...shared} title="monitor.memory_chart" series={processLines(host, megabytes)} />
      <LineChart {...shared} title="monitor.late_chart" series={processLines(host, milliseconds)} />
    </div>
  );
}

function Processes({ host }: { host: MonitoredHost }) {
  const { t } = useTranslation();
  const { percent, exact } = useFormat();
  return (
    <Table
      size="small"
      pagination={false}
      rowKey="name"
      scroll={{ x: 'max-content' }}
      dataSource={host.processes}
      columns={[
        { title: t('monitor.process'), dataIndex: 'name' },
        { title: t('monitor.memory'), dataIndex: 'bytes', align: 'right', render: (bytes: number) => bytesText(bytes) },
        { title: t('monitor.processor'), dataIndex: 'processor', align: 'right', render: (share: number) => percent(share) },
        {
          title: t('monitor.late'),
          dataIndex: 'late',
          align: 'right',
          render: (late: number) => t('monitor.milliseconds', { number: exact(Math.round(late)) }),
        },
        { title: t('monitor.started_at'), dataIndex: 'started_at', render: (at: string) => <Time value={at} /> },
      ]}
    />
  );
}

function Host({ host }: { host: MonitoredHost }) {
  const { t } = useTranslation();
  const { percent, time } = useFormat();
  const last = host.points.at(-1);
  const { alarms } = host;
  return (
    <section className="lc-monitor-host" aria-label={host.host}>
      <header className="lc-monitor-head">
        <h2>{host.host}</h2>
        <Status kind={alarms.length > 0 ? 'error' : 'success'} label={alarms.length > 0 ? 'monitor.strained' : 'monitor.well'} />
        <span className="lc-soft">{t('monitor.disk', { share: percent(host.disk) })}</span>
      </header>
      {alarms.map(({ kind, since }) => (
        <Alert
          key={kind}
          type="error"
          showIcon
          title={t('monitor.alarm_since', { what: t(`monitor.alarm_name.${kind}`), time: time(since) })}
        />
      ))}
      {last && (
        <div className="lc-monitor-figures">
          <StatCard title="monitor.visits" value={Math.round(last.visits * 10) / 10} />
          <StatCard title="monitor.p99" value={Math.round(last.p99 ?? 0)} />
          <StatCard title="monitor.unloaded" help="monitor.unloaded_help" value={last.unloaded} isBad />
          <StatCard title="monitor.refused" value={Math.round(last.refused * 10) / 10} isBad />
        </div>
      )}
      {host.points.length > 1 ? <Charts host={host} /> : <p className="lc-soft">{t('monitor.gathering')}</p>}
      <Processes host={host} />
    </section>
  );
}

function Queues({ queues }: { queues: readonly Queue[] }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (
    <section className="lc-panel" aria-label={t('monitor.queues')}>
      <h2>{t('monitor.queues')}</h2>
      <Table
        size="small"
        pagination={false}
        rowKey="kind"
        scroll={{ x: 'max-content' }}
        dataSource={[...queues]}
        columns={[
          { title: t('monitor.queue'), dataIndex: 'kind', render: (kind: string) => t(`monitor.queue_${kind}`) },
          { title: t('monitor.waiting'), dataIndex: 'waiting', align: 'right', render: (number: number) => exact(number) },
          {
            title: t('common.field.state'),
            dataIndex: 'late_seconds',
            render: (late: number) => (
              <Status
                kind={late > lateSeconds ? 'warning' : 'success'}
                label={late > lateSeconds ? t('monitor.late_by', { number: exact(late) }) : 'monitor.in_time'}
              />
            ),
          },
        ]}
      />
    </section>
  );
}

/** Work by the clock whose last run failed; it is tried again at its next time. */
function FailedJobs({ jobs }: { jobs: readonly FailedJob[] }) {
  const { t } = useTranslation();
  if (jobs.length === 0) return null;
  return (
    <section className="lc-panel" aria-label={t('monitor.failed_jobs')}>
      <h2>{t('monitor.failed_jobs')}</h2>
      <Table
        size="small"
        pagination={false}
        rowKey="name"
        scroll={{ x: 'max-content' }}
        dataSource={[...jobs]}
        columns={[
          { title: t('monitor.job'), dataIndex: 'name' },
          { title: t('monitor.ran_at'), dataIndex: 'ran_at', render: (at: string) => <Time value={at} /> },
          { title: t('monitor.job_error'), dataIndex: 'error', render: (error: string) => <Status kind="error" label={error} /> },
        ]}
      />
    </section>
  );
}

/** How the product does: visits, their latency, what waits, memory and disks, of every host. */
export function MonitorPage() {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const [search, setSearch] = useSearchParams();
  const range = monitorRanges.find((one) => one === search.get('range')) ?? 'hour';
  const { data, error, refetch, isFetching } = useCall(api.monitor.inquire, { range }, { refetchInterval: pollMilliseconds });
  const ranges = (
    <Segmented<MonitorRange>
      aria-label={t('monitor.range')}
      value={range}
      onChange={(value) => setSearch(value === 'hour' ? {} : { range: value })}
      options={monitorRanges.map((value) => ({ value, label: t(`monitor.range_${value}`) }))}
    />
  );
  return (
    <Page title="menu.monitor" help={t('monitor.help')} actions={ranges}>
      {!data && error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
      {!data && !error && <Skeleton active paragraph={{ rows: 12 }} />}
      {data?.hosts.length === 0 && <Empty title="monitor.empty" help="monitor.empty_help" />}
      {data?.hosts.map((host) => (
        <Host key={host.host} host={host} />
      ))}
      {data && <FailedJobs jobs={data.failed_jobs} />}
      {data && <Backups />}
      {data && <Queues queues={data.queues} />}
      {data && (
        <p className="lc-soft">
          {t('mysql_time_consuming.size', { size: bytesText(data.database.bytes) })} ·{' '}
          {t('mysql_time_consuming.connections', { number: exact(data.database.connections), max: exact(data.database.max_connections) })}
        </p>
      )}
    </Page>
  );
}

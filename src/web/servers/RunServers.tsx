import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Alert, Button, Skeleton } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { maxOutputBytes, type RunServer, type ScriptRunDetails } from '../../contract/system/script.ts';
import { bytesText } from '../kit/bytes.ts';
import { api } from '../kit/calls/api.ts';
import { queryClient, useCall } from '../kit/calls/query.ts';
import { Failure, Status } from '../kit/feedback.ts';
import { CodeBox } from './CodeBox.tsx';
import { isRunOver, runStateKinds } from './runStates.ts';

const pollMilliseconds = 2_000;

/** A run with its servers, asked for again while it goes on; the socket tells of news sooner. */
export const useRun = (id: number) =>
  useCall(
    api.script.run_details,
    { id },
    { refetchInterval: ({ state }) => (state.data && isRunOver(state.data) ? false : pollMilliseconds) },
  );

type Held = { last: number; content: string };

/** What one server printed, all of it; only what is new is asked for. */
function useOutput(run_server_id: number, isOver: boolean) {
  const queryKey = ['script', 'output', { run_server_id, isOver }];
  return useQuery({
    queryKey,
    // Text as long as this is not compared letter by letter.
    structuralSharing: false,
    placeholderData: keepPreviousData,
    refetchInterval: isOver ? false : pollMilliseconds,
    async queryFn({ signal }): Promise<Held> {
      let { last, content } = queryClient.getQueryData<Held>(queryKey) ?? { last: 0, content: '' };
      for (let more = true; more; ) {
        const answer = await api.script.output({ run_server_id, after: last }, { signal });
        last = answer.last;
        content += answer.content;
        more = answer.more;
      }
      return { last, content };
    },
  });
}

/** Seconds of a server's run, up to now while it goes on. */
function useSeconds({ started_at, finished_at }: RunServer): number | null {
  const [now, setNow] = useState(() => Date.now());
  const isRunning = started_at !== null && finished_at === null;
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (started_at === null) return null;
  return Math.max(0, Math.round(((finished_at ? Date.parse(finished_at) : now) - Date.parse(started_at)) / 1_000));
}

function Ending({ server }: { server: RunServer }) {
  const { t } = useTranslation();
  const seconds = useSeconds(server);
  const { exit_status, exit_signal } = server;
  return (
    <span className="lc-soft lc-num">
      {[
        exit_status === null ? null : t('script.exit_status', { status: exit_status }),
        exit_signal === null ? null : t('script.exit_signal', { signal: exit_signal }),
        seconds === null ? null : t('script.seconds', { number: seconds, count: seconds }),
      ]
        .filter((words) => words !== null)
        .join(' · ')}
    </span>
  );
}

/** The end of the text stays in sight while it grows, unless its reader scrolled up. */
function useFollowing(text: string) {
  const box = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is scrolled is the text that came.
  useEffect(() => {
    if (box.current && isAtEnd.current) box.current.scrollTop = box.current.scrollHeight;
  }, [text]);
  const onScroll = () => {
    const { current } = box;
    if (current) isAtEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < 40;
  };
  return { box, onScroll };
}

function Output({ server, dry }: { server: RunServer; dry: boolean }) {
  const { t } = useTranslation();
  const isOver = server.finished_at !== null || server.state === 'skipped' || server.state === 'cancelled';
  const { data, error, refetch } = useOutput(server.id, isOver);
  const content = data?.content ?? '';
  const none = dry && server.state === 'succeeded' ? 'script.dry_passed' : 'script.no_output';
  const { box, onScroll } = useFollowing(content);
  if (error && !data) return <Failure error={error as never} retry={() => void refetch()} />;
  return (
    <>
      <CodeBox ref={box} label={t('script.output_of', { name: server.server_name })} onScroll={onScroll}>
        {content === '' ? <span className="lc-soft">{t(isOver ? none : 'script.output_waits')}</span> : content}
      </CodeBox>
      {server.is_cut && (
        <p className="lc-soft">{t('script.output_cut', { kept: bytesText(maxOutputBytes), printed: bytesText(server.output_bytes) })}</p>
      )}
    </>
  );
}

/** What the server was given, for who wants to see it. */
function Body({ server, run }: { server: RunServer; run: ScriptRunDetails }) {
  const { t } = useTranslation();
  const { data } = useCall(api.script.run_body, { run_server_id: server.id }, { staleTime: Number.POSITIVE_INFINITY });
  const environment = Object.entries(run.environment);
  if (!data) return <Skeleton active paragraph={{ rows: 3 }} />;
  return (
    <div className="lc-run-body">
      {environment.length > 0 && (
        <>
          <h3>{t('script.environment')}</h3>
          <dl className="lc-run-environment">
            {environment.map(([name, value]) => (
              <div key={name}>
                <dt className="lc-code">{name}</dt>
                <dd className="lc-code">{value === '' ? <span className="lc-soft">{t('script.empty_value')}</span> : value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <h3>{t('script.body')}</h3>
      <CodeBox label={t('script.body')}>{data.body}</CodeBox>
    </div>
  );
}

/** The servers of a run side by side with the output of the chosen one. */
export function RunServers({ run }: { run: ScriptRunDetails }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number | null>(null);
  const [showsBody, setShowsBody] = useState(run.dry);
  const section = useRef<HTMLElement>(null);
  // On a phone it stands below all servers.
  useEffect(() => {
    if (chosen !== null) section.current?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  // Without a choice: the first that needs a look, else the first that runs.
  const shown =
    run.servers.find(({ id }) => id === chosen) ??
    run.servers.find(({ state }) => runStateKinds[state] === 'error') ??
    run.servers.find(({ state }) => state === 'running') ??
    run.servers[0];
  if (!shown) return null;
  return (
    <div className="lc-run">
      <ul className="lc-run-servers" aria-label={t('menu.server_list')}>
        {run.servers.map((server) => (
          <li key={server.id}>
            <button type="button" aria-pressed={server.id === shown.id} onClick={() => setChosen(server.id)}>
              <span className="lc-run-server-name">{server.server_name}</span>
              <Status kind={runStateKinds[server.state]} label={`script.state_${server.state}`} />
              <Ending server={server} />
            </button>
          </li>
        ))}
      </ul>
      <section ref={section} className="lc-run-shown" aria-label={shown.server_name}>
        <header className="lc-run-head">
          <h2>{shown.server_name}</h2>
          <span className="lc-soft">{shown.host}</span>
          <Button size="small" type="link" aria-expanded={showsBody} onClick={() => setShowsBody(!showsBody)}>
            {t(showsBody ? 'script.hide_body' : 'script.show_body')}
          </Button>
        </header>
        {shown.error && <Alert type="error" showIcon title={<span className="lc-server-error">{shown.error}</span>} />}
        {showsBody && <Body server={shown} run={run} />}
        <Output key={shown.id} server={shown} dry={run.dry} />
      </section>
    </div>
  );
}

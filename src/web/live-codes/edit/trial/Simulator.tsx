import { Segmented, Select, Spin } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrialVisitor, trialCalls } from '../../../../contract/codes/qr-code-trial.ts';
import type { OutputOf } from '../../../../contract/kit/call.ts';
import { api } from '../../../kit/calls/api.ts';
import { useCall } from '../../../kit/calls/query.ts';
import { Failure } from '../../../kit/feedback.ts';
import { useFormat } from '../../../kit/texts/format.ts';
import type { CodeValues } from '../values.ts';
import { mixedVisitors } from './draft.ts';
import { TargetName, type TrialInput } from './TestBox.tsx';

type Answer = OutputOf<typeof trialCalls.simulate>;
const amounts = [100, 1_000, 10_000] as const;
const crowds = ['unknown', 'visitor', 'mixed'] as const;
type Crowd = (typeof crowds)[number];

type SimulatorProps = { input: TrialInput; values: CodeValues; visitor: TrialVisitor };

/** What the next visits would do: how many each target gets, and when its visits run out. */
export function Simulator({ input, values, visitor }: SimulatorProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [visits, setVisits] = useState<number>(1_000);
  const [crowd, setCrowd] = useState<Crowd>(() => (values.targets.some(({ rules }) => rules) ? 'mixed' : 'unknown'));
  // Asked anew only where something changed, not at every render: the moment is a part of the question.
  const mixed = useMemo(() => mixedVisitors(values, { now: Date.now(), timeZone: format.timeZone }), [values, format.timeZone]);
  const visitors = crowd === 'mixed' ? mixed : crowd === 'visitor' ? [{ share: 1, visitor }] : undefined;
  const { data, error, refetch, isFetching, isPlaceholderData } = useCall(api.qr_code_list.simulate, {
    ...input,
    visits,
    ...(visitors ? { visitors } : {}),
  });
  return (
    <>
      <div className="trial-form">
        <Segmented
          block
          aria-label={t('set_qr_code.trial.visits')}
          value={visits}
          onChange={setVisits}
          options={amounts.map((value) => ({ value, label: t('set_qr_code.trial.next', { visits: format.exact(value) }) }))}
        />
        <Select<Crowd>
          aria-label={t('set_qr_code.trial.crowd')}
          value={crowd}
          onChange={setCrowd}
          options={crowds.map((value) => ({ value, label: t(`set_qr_code.trial.crowds.${value}`) }))}
        />
      </div>
      <div className={isPlaceholderData ? 'trial-result trial-waiting' : 'trial-result'} aria-live="polite" aria-busy={isPlaceholderData}>
        {error ? (
          <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
        ) : data ? (
          <Bars answer={data} values={values} />
        ) : (
          <Spin />
        )}
      </div>
      <p className="lc-soft">{t('set_qr_code.trial.nothing_counted')}</p>
    </>
  );
}

function Bars({ answer, values }: { answer: Answer; values: CodeValues }) {
  const { t } = useTranslation();
  const format = useFormat();
  const refused = answer.outcomes.filter(({ outcome, visits }) => outcome !== 'passed' && visits > 0);
  const most = Math.max(1, ...answer.targets.map(({ visits }) => visits), ...refused.map(({ visits }) => visits));
  const bar = (visits: number) => ({ inlineSize: `${(visits / most) * 100}%` });
  const figure = (visits: number) => `${format.exact(visits)} · ${format.percent(visits / Math.max(1, answer.visits))}`;
  return (
    <ol className="trial-bars">
      {answer.targets.map((told) => (
        <li key={told.index} className={told.visits === 0 ? 'trial-bar trial-bar-none' : 'trial-bar'}>
          <span className="trial-bar-head">
            <TargetName told={told} target={values.targets[told.index]} />
            <span className="lc-num">{figure(told.visits)}</span>
          </span>
          <span className="trial-bar-track" aria-hidden>
            <span className="trial-bar-fill" style={bar(told.visits)} />
          </span>
          <span className="trial-why">
            {told.first_visit !== null && told.last_visit !== null
              ? t('set_qr_code.trial.served', { first: format.exact(told.first_visit), last: format.exact(told.last_visit) })
              : t('set_qr_code.trial.serves_none')}
            {told.used_up_at !== null && (
              <span className="code-fault"> {t('set_qr_code.trial.used_up_at', { visit: format.exact(told.used_up_at) })}</span>
            )}
            {told.used_up_at === null &&
              told.remaining !== null &&
              ` ${t('set_qr_code.trial.left_over', { left: format.exact(told.remaining) })}`}
          </span>
        </li>
      ))}
      {refused.map(({ outcome, visits }) => (
        <li key={outcome} className="trial-bar trial-bar-refused">
          <span className="trial-bar-head">
            <b className="trial-name">{t(`qr_code_list.outcomes.${outcome}`)}</b>
            <span className="lc-num">{figure(visits)}</span>
          </span>
          <span className="trial-bar-track" aria-hidden>
            <span className="trial-bar-fill" style={bar(visits)} />
          </span>
          {outcome === 'exhausted' && (
            <span className="trial-why">{t(values.fallback_url ? 'set_qr_code.trial.to_fallback' : 'set_qr_code.trial.to_nowhere')}</span>
          )}
        </li>
      ))}
    </ol>
  );
}

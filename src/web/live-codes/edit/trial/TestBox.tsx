import { Spin } from 'antd';
import { useTranslation } from 'react-i18next';
import type { TrialDraft, TrialVisitor, trialCalls } from '../../../../contract/codes/qr-code-trial.ts';
import type { OutputOf } from '../../../../contract/kit/call.ts';
import { api } from '../../../kit/calls/api.ts';
import { useCall } from '../../../kit/calls/query.ts';
import { Failure } from '../../../kit/feedback.ts';
import { shortPlaceOf } from '../../../kit/places.ts';
import { useFormat } from '../../../kit/texts/format.ts';
import { useDebounced } from '../../../kit/useDebounced.ts';
import type { TargetValues } from '../values.ts';
import { VisitorForm } from './VisitorForm.tsx';

type Answer = OutputOf<typeof trialCalls.test_visit>;
type Told = Answer['targets'][number];

const settleMilliseconds = 300;

export type TrialInput = { id?: number; draft: TrialDraft };
type TestBoxProps = {
  input: TrialInput;
  targets: readonly TargetValues[];
  visitor: TrialVisitor;
  onChange: (visitor: TrialVisitor) => void;
};

/** "This visitor would go to …, because …", with the form as it stands. */
export function TestBox({ input, targets, visitor, onChange }: TestBoxProps) {
  const asked = useDebounced(visitor, settleMilliseconds);
  const { data, error, refetch, isFetching, isPlaceholderData } = useCall(api.qr_code_list.test_visit, { ...input, visitor: asked });
  const isBadAddress = error?.fields?.['visitor.ip'] !== undefined;
  return (
    <>
      <VisitorForm visitor={visitor} isBadAddress={isBadAddress} onChange={onChange} />
      <div
        className={isPlaceholderData ? 'lc-trial-result lc-trial-waiting' : 'lc-trial-result'}
        aria-live="polite"
        aria-busy={isPlaceholderData}
      >
        {isBadAddress ? null : error ? (
          <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
        ) : data ? (
          <Result answer={data} targets={targets} />
        ) : (
          <Spin />
        )}
      </div>
    </>
  );
}

function Result({ answer, targets }: { answer: Answer; targets: readonly TargetValues[] }) {
  const { t } = useTranslation();
  const chosen = answer.targets.find(({ index }) => index === answer.target);
  return (
    <>
      <p className="lc-trial-seen lc-soft">{useSeen(answer.visitor)}</p>
      <div className={chosen ? 'lc-trial-goal lc-trial-goal-passed' : 'lc-trial-goal'}>
        {chosen ? (
          <>
            <span className="lc-trial-goal-to">{t('set_qr_code.trial.goes_to')}</span>
            <TargetName told={chosen} target={targets[chosen.index]} />
            <Reason told={chosen} />
          </>
        ) : (
          <>
            <b>{t(`set_qr_code.trial.outcomes.${answer.outcome}`, { defaultValue: t(`qr_code_list.outcomes.${answer.outcome}`) })}</b>
            {answer.fallback_url && <span className="lc-trial-why">{t('set_qr_code.trial.fallback', { url: answer.fallback_url })}</span>}
          </>
        )}
      </div>
      <ol className="lc-trial-targets">
        {answer.targets
          .filter((told) => told !== chosen)
          .map((told) => (
            <li key={told.index} className="lc-trial-target">
              <TargetName told={told} target={targets[told.index]} />
              <Reason told={told} />
            </li>
          ))}
      </ol>
    </>
  );
}

export function TargetName({ told, target }: { told: { index: number; name: string }; target: TargetValues | undefined }) {
  const { t } = useTranslation();
  const words = told.name || target?.content.split('\n')[0] || '';
  const isPicture = target?.kind === 'picture' && !told.name;
  return (
    <b className="lc-trial-name">
      {t('qr_code_list.statistics.target', { number: told.index + 1 })}
      {words && !isPicture ? ` · ${words.replace(/^https?:\/\//, '')}` : ''}
    </b>
  );
}

function Reason({ told }: { told: Told }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { verdict, rule, share, misses } = told;
  const words = () => {
    if (verdict === 'chosen') {
      const because = rule === null ? t('set_qr_code.trial.because_all') : t('set_qr_code.trial.because_rule', { rule: rule + 1 });
      return share < 1 && share > 0 ? t('set_qr_code.trial.with_share', { because, share: format.percent(share) }) : because;
    }
    if (verdict === 'candidate')
      return share === 0 ? t('set_qr_code.trial.comes_later') : t('set_qr_code.trial.verdicts.candidate', { share: format.percent(share) });
    if (verdict !== 'no_rule_fits') return t(`set_qr_code.trial.verdicts.${verdict}`);
    const list = misses
      .map((miss) => t('set_qr_code.trial.miss', { rule: miss.rule + 1, condition: t(`set_qr_code.trial.conditions.${miss.condition}`) }))
      .join(t('common.comma'));
    return t('set_qr_code.trial.verdicts.no_rule_fits', { list });
  };
  return <span className="lc-trial-why">{words()}</span>;
}

/** The visitor as the rules saw him, in a line. */
function useSeen(visitor: Answer['visitor']): string {
  const { t } = useTranslation();
  const { country, region, carrier, system, messenger, language, hour, weekday, day } = visitor;
  return [
    region || country ? shortPlaceOf({ country: country ?? '', region: region ?? '', city: '' }) : t('set_qr_code.trial.place_unknown'),
    carrier ? t(`set_qr_code.targeting.carrier.${carrier}`) : [],
    t(`set_qr_code.targeting.system.${system}`),
    t(messenger ? 'set_qr_code.targeting.in_messenger' : 'set_qr_code.targeting.outside_messenger'),
    language || [],
    `${day} ${t(`set_qr_code.targeting.weekday.${weekday}`)} ${t('common.hour', { hour })}`,
  ]
    .flat()
    .join(' · ');
}

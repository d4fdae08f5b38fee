import { useTranslation } from 'react-i18next';
import type { Estimate } from '../../../contract/visits/historical-statistics.ts';
import { api } from '../calls/api.ts';
import { useCall } from '../calls/query.ts';
import { Num } from '../feedback.ts';
import { useFormat } from '../texts/format.ts';
import type { ComparedTarget } from './answers.ts';
import { MissingPanel } from './Waiting.tsx';

/** Targets against each other, with how certain each share is. A single one has nothing to be compared with. */
export function Targets({ input }: { input: { from: string; to: string } }) {
  const { t } = useTranslation();
  const query = useCall(api.historical_statistics.targets, input);
  const { data } = query;
  if (!data) return <MissingPanel title="historical_statistics.targets.title" query={query} />;
  if (data.content.length < 2) return null;
  const hasCodes = new Set(data.content.map(({ live_code_id }) => live_code_id)).size > 1;
  return (
    <section className="lc-panel">
      <div className="lc-panel-head">
        <div>
          <h2>{t('historical_statistics.targets.title')}</h2>
          <p className="lc-soft">{t('historical_statistics.targets.help')}</p>
        </div>
      </div>
      <div className="lc-workbench-scroll">
        <table className="lc-figures">
          <thead>
            <tr>
              <th scope="col">{t('historical_statistics.dimension.target')}</th>
              <th scope="col">{t('common.field.visits')}</th>
              <th scope="col">{t('historical_statistics.targets.share')}</th>
              <th scope="col">{t('historical_statistics.targets.presses')}</th>
              <th scope="col">{t('historical_statistics.targets.returning')}</th>
            </tr>
          </thead>
          <tbody>
            {data.content.map((target) => (
              <tr key={target.target_id}>
                <th scope="row">
                  <span className="lc-workbench-target">{nameOf(target, hasCodes)}</span>
                </th>
                <td>
                  <Num value={target.visits} />
                </td>
                <Share estimate={target.share} />
                <Share estimate={target.press_rate} />
                <Share estimate={target.returning} />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!isDecided(data.content) && <p className="lc-soft">{t('historical_statistics.targets.undecided')}</p>}
    </section>
  );
}

const nameOf = (target: ComparedTarget, hasCodes: boolean): string =>
  [hasCodes ? target.code_name : '', target.name || `#${target.target_id}`].filter(Boolean).join(' · ');

/** Whether the best press rate lies beyond what chance leaves open of the second. */
function isDecided(content: readonly ComparedTarget[]): boolean {
  const [best, second] = content.flatMap(({ press_rate }) => (press_rate ? [press_rate] : [])).sort((a, b) => b.share - a.share);
  return !best || !second || best.low > second.high;
}

function Share({ estimate }: { estimate: Estimate | null }) {
  const format = useFormat();
  if (!estimate || estimate.of === 0) return <td className="lc-soft">–</td>;
  return (
    <td className="lc-num">
      {format.percent(estimate.share)}{' '}
      <small className="lc-soft">
        {format.percent(estimate.low)}–{format.percent(estimate.high)}
      </small>
    </td>
  );
}

import { Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Comparison } from '../../../contract/visits/historical-statistics.ts';
import { api } from '../calls/api.ts';
import { useCall } from '../calls/query.ts';
import { Failure, Num } from '../feedback.ts';
import { useFormat } from '../texts/format.ts';
import type { Explanation } from './answers.ts';
import { useValueLabel } from './labels.ts';
import type { Workbench } from './state.ts';

type CausesProps = { input: { from: string; to: string }; compare: Comparison; bench: Workbench };

/** Why visits fell or rose: the values that changed otherwise than the whole, the largest part of the change first. */
export function Causes({ input, compare, bench }: CausesProps) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api.historical_statistics.explain, { ...input, compare });
  const kind = !data ? 'change' : data.now === data.before ? 'same' : data.now < data.before ? 'fell' : 'rose';
  return (
    <section className="lc-panel">
      <div className="lc-panel-head">
        <div>
          <h2>{t(`historical_statistics.explain.${kind}`)}</h2>
          <p className="lc-soft">{t('historical_statistics.explain.help')}</p>
        </div>
      </div>
      {error && !data ? (
        <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
      ) : !data ? (
        <Skeleton active title={false} paragraph={{ rows: 4 }} />
      ) : data.before === 0 || data.content.length === 0 ? (
        // Against nothing every value is new: a list of them all would explain nothing.
        <p className="lc-chart-none">{t(`historical_statistics.explain.${data.before === 0 ? 'nothing_before' : 'evenly'}`)}</p>
      ) : (
        <CauseTable content={data.content} bench={bench} />
      )}
    </section>
  );
}

function CauseTable({ content, bench }: { content: Explanation['content']; bench: Workbench }) {
  const { t } = useTranslation();
  const format = useFormat();
  const labelOf = useValueLabel();
  return (
    <div className="lc-workbench-scroll">
      <table className="lc-figures">
        <thead>
          <tr>
            <th scope="col">{t('historical_statistics.explain.value')}</th>
            <th scope="col">{t('historical_statistics.explain.before')}</th>
            <th scope="col">{t('historical_statistics.explain.now')}</th>
            <th scope="col">{t('historical_statistics.explain.change')}</th>
            <th scope="col">{t('historical_statistics.explain.share')}</th>
          </tr>
        </thead>
        <tbody>
          {content.map(({ dimension, value, name, now, before, share }) => (
            <tr key={`${dimension}:${value}`}>
              <th scope="row">
                <button
                  type="button"
                  className="lc-workbench-value"
                  aria-pressed={bench.filters[dimension]?.includes(value) ?? false}
                  onClick={() => bench.toggle(dimension, value)}
                >
                  <span className="lc-soft">{t(`historical_statistics.dimension.${dimension}`)}</span> {labelOf(dimension, value, name)}
                </button>
              </th>
              <td>
                <Num value={before} />
              </td>
              <td>
                <Num value={now} />
              </td>
              <td className="lc-num">
                {now > before ? '+' : '−'}
                {format.exact(Math.abs(now - before))}
              </td>
              <td className="lc-num">{share === null ? '–' : format.percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

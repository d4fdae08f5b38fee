import { FilterFilled, FilterOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { CodeLink } from '../../kit/CodeLink.tsx';
import { ChartFrame, FigureTable } from '../../kit/charts/ChartFrame.tsx';
import { Num } from '../../kit/feedback.ts';
import { useFormat } from '../../kit/texts/format.ts';
import type { Today } from './useToday.ts';

type TopCodesProps = {
  codes: Today['top_codes'];
  chosen: readonly number[];
  choose: (ids: readonly number[]) => void;
};

/** The most visited codes of the day, each the way to its page; the funnel shows one of them alone, and lets it go again. */
export function TopCodes({ codes, chosen, choose }: TopCodesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const largest = Math.max(...codes.map((code) => code.visits), 1);
  const nameOf = (code: Today['top_codes'][number]) => code.name || code.file_name;
  const [visits, ips] = [t('today_statistics.figure.visits'), t('today_statistics.figure.ips')];

  return (
    <ChartFrame
      title="today_statistics.top.title"
      help="today_statistics.top.help"
      table={
        <FigureTable
          head={[t('common.field.live_code'), visits, ips]}
          rows={codes.map((code) => ({
            key: String(code.live_code_id),
            cells: [`${nameOf(code)} (${code.file_name})`, format.exact(code.visits), format.exact(code.ips)],
          }))}
        />
      }
    >
      {codes.length === 0 ? (
        <p className="lc-chart-none">{t('today_statistics.top.none')}</p>
      ) : (
        <div>
          <div className="lc-today-top-row lc-today-top-head lc-soft" aria-hidden>
            <span>{t('common.field.live_code')}</span>
            <span>{visits}</span>
            <span>{ips}</span>
          </div>
          <ul className="lc-bars">
            {codes.map((code) => {
              const isChosen = chosen.length === 1 && chosen[0] === code.live_code_id;
              return (
                <li key={code.live_code_id} className="lc-bar-row lc-today-top-row">
                  <i className="lc-bar" style={{ width: `${(code.visits / largest) * 100}%` }} aria-hidden />
                  <span className="lc-today-top-name">
                    <CodeLink id={code.live_code_id} name={nameOf(code)} />
                    {code.name !== '' && <small className="lc-soft lc-code">{code.file_name}</small>}
                  </span>
                  <Num value={code.visits} />
                  <Num value={code.ips} />
                  <Tooltip title={t('today_statistics.top.only')}>
                    <Button
                      type="text"
                      size="small"
                      icon={isChosen ? <FilterFilled /> : <FilterOutlined />}
                      aria-label={t('today_statistics.top.only_of', { name: nameOf(code) })}
                      aria-pressed={isChosen}
                      onClick={() => choose(isChosen ? [] : [code.live_code_id])}
                    />
                  </Tooltip>
                </li>
              );
            })}
          </ul>
        </div>
      )}
    </ChartFrame>
  );
}

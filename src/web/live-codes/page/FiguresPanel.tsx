import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { codePage } from '../../kit/CodeLink.tsx';
import { api } from '../../kit/calls/api.ts';
import { useCall } from '../../kit/calls/query.ts';
import { figureColors } from '../../kit/charts/colors.ts';
import { LineChart } from '../../kit/charts/LineChart.tsx';
import { StatCard } from '../../kit/charts/StatCard.tsx';
import { Empty, Failure, Num } from '../../kit/feedback.ts';
import { useLiveFigures } from '../../kit/socket/liveFigures.ts';
import type { OpenDialog } from '../list/useDialogs.ts';
import { useCodeRights } from './useCodeRights.ts';

const pollMilliseconds = 15_000;
const periods = ['today', 'last_7', 'last_30'] as const;
const lines = ['visits', 'ips', 'refused', 'programs', 'own'] as const;

/** Visits of today, 7 and 30 days against the period before, and the thirty days one by one. */
export function FiguresPanel({ code, open }: { code: LiveCodeDetails; open: OpenDialog }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const refetchInterval = useLiveFigures('qr_code_list', pollMilliseconds);
  const { data, error, refetch, isFetching } = useCall(api.qr_code_list.figures, { id: code.id }, { refetchInterval });
  if (error && !data) {
    return (
      <section className="lc-panel lc-code-period">
        <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
      </section>
    );
  }
  const isUnvisited = data?.days.every(({ visits, refused, programs, own }) => visits + refused + programs + own === 0);
  return (
    <section className="lc-code-period" aria-label={t('qr_code.figures')} aria-busy={!data}>
      <div className="lc-stats">
        {periods.map((period) => (
          <StatCard
            key={period}
            title={`qr_code_list.statistics.ranges.${period}`}
            help="qr_code_list.statistics.figures_help.visits"
            value={data?.[period].now.visits}
            before={data?.[period].before.visits}
            period={`qr_code.before.${period}`}
            note={
              data && (
                <>
                  {t('qr_code_list.statistics.figures.ips')} <Num value={data[period].now.ips} />
                </>
              )
            }
            onClick={() => void navigate(`${codePage(code.id, 'statistics')}?range=${period}`)}
          />
        ))}
      </div>
      {isUnvisited ? (
        <Unvisited code={code} open={open} />
      ) : (
        <LineChart
          title="qr_code.days"
          step="day"
          height={248}
          {...(data ? { now: data.now } : {})}
          series={lines.map((key) => ({
            key,
            color: figureColors[key],
            name: `qr_code_list.statistics.figures.${key}`,
            points: (data?.days ?? []).map((point) => ({ at: point.at, value: point[key] })),
          }))}
        />
      )}
    </section>
  );
}

/** What to do with a code that nobody came to yet. */
function Unvisited({ code, open }: { code: LiveCodeDetails; open: OpenDialog }) {
  const { t } = useTranslation();
  const { sees } = useCodeRights(code);
  const isNew = code.view_number === 0;
  const advice = code.url === null ? 'qr_code_list.design.no_url_help' : 'qr_code.unvisited.help';
  return (
    <div className="lc-panel">
      <Empty
        picture="visits"
        title={isNew ? 'qr_code.unvisited.title' : 'qr_code.unvisited.quiet'}
        help={isNew ? advice : 'qr_code.unvisited.quiet_help'}
        action={
          isNew &&
          code.url !== null && (
            <span className="lc-inline">
              <Button href={code.url} target="_blank" rel="noopener">
                {t('qr_code.try')}
              </Button>
              {sees('print') && <Button onClick={() => void open({ kind: 'print', codes: [code] })}>{t('qr_code.print')}</Button>}
            </span>
          )
        }
      />
    </div>
  );
}

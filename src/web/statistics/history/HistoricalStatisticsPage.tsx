import { useTranslation } from 'react-i18next';
import type { NodeKey } from '../../../contract/permissions.ts';
import type { VisitFilters } from '../../../contract/visits/historical-statistics.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { CodeSelect } from '../../kit/codes/CodeSelect.tsx';
import { maxCodes } from '../../kit/codes/codes.ts';
import { Page } from '../../kit/feedback.ts';
import { ExportMenu } from '../../kit/workbench/ExportMenu.tsx';
import { RangeBar } from '../../kit/workbench/RangeBar.tsx';
import { type Workbench as Bench, filtersWithin, type RangeKind, useWorkbench } from '../../kit/workbench/state.ts';
import { Workbench, type WorkbenchProps } from '../../kit/workbench/Workbench.tsx';
import { WorkbenchViews } from '../../kit/workbench/WorkbenchViews.tsx';
import { DigestsButton } from './digests/DigestsButton.tsx';
import type { Subject } from './digests/subject.ts';
import { useAskedDigest } from './digests/useAskedDigest.ts';
import { RulesButton } from './rules/RulesButton.tsx';

/** What the screen asks for, but for the days. */
function questionOf({ codes, owner, filters }: Bench, always: VisitFilters = {}): Subject['question'] {
  const all = filtersWithin(filters, always);
  return {
    ...(codes.length > 0 && { live_code_ids: codes }),
    ...(owner !== undefined && { owner_id: owner }),
    ...(Object.keys(all).length > 0 && { filters: all }),
  };
}

type ScreenProps = Pick<WorkbenchProps, 'always' | 'parts'> & { screen: NodeKey; exportNode: NodeKey; usual: RangeKind; hasStep?: boolean };

function StatisticsScreen({ screen, exportNode, usual, hasStep = true, ...shown }: ScreenProps) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const bench = useWorkbench(usual);
  useAskedDigest();
  const title = t(`menu.${screen}`);
  return (
    <Page title={title}>
      <Workbench
        bench={bench}
        {...shown}
        bar={(present) => (
          <div className="lc-workbench-bar">
            <CodeSelect value={bench.codes} onChange={(codes) => bench.change({ codes: codes.slice(0, maxCodes) })} known={[]} />
            <RangeBar bench={bench} hasStep={hasStep} />
            <WorkbenchViews screen={screen} bench={bench} />
            <DigestsButton screen={screen} question={questionOf(bench, shown.always)} />
            <RulesButton screen={screen} />
            {present && allows(exportNode) && <ExportMenu title={title} {...present} />}
          </div>
        )}
      />
    </Page>
  );
}

/** Any range by hour, day, week or month, with everything that visits can be told apart by. */
export const HistoricalStatisticsPage = () => (
  <StatisticsScreen screen="historical_statistics" exportNode="historical_statistics.export" usual="last_month" parts={['targets']} />
);

/** Systems of computers, as visits record them. */
const desktopSystems = ['Windows', 'macOS', 'Linux', 'ChromeOS'];

/** The same of visits by computers only. */
export const PcHistoricalStatisticsPage = () => (
  <StatisticsScreen
    screen="pc_historical_statistics"
    exportNode="pc_historical_statistics.export"
    usual="last_month"
    always={{ system: desktopSystems }}
    parts={['targets']}
  />
);

/** Day after day, with a table of them. */
export const DailyStatisticsPage = () => (
  <StatisticsScreen screen="daily_statistics" exportNode="daily_statistics.export" usual="last_week" parts={['days']} />
);

/** Which hours of which days are busy. */
export const HourlyStatisticsPage = () => (
  <StatisticsScreen screen="hourly_statistics" exportNode="hourly_statistics.export" usual="last_week" parts={['heatmap']} />
);

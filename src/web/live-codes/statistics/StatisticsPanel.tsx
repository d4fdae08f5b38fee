import { useTranslation } from 'react-i18next';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { ExportMenu } from '../../kit/workbench/ExportMenu.tsx';
import { RangeBar } from '../../kit/workbench/RangeBar.tsx';
import { useWorkbench } from '../../kit/workbench/state.ts';
import { Workbench } from '../../kit/workbench/Workbench.tsx';
import { WorkbenchViews } from '../../kit/workbench/WorkbenchViews.tsx';
import { VisitList } from './VisitList.tsx';
import { VisitsByKey } from './VisitsByKey.tsx';
import './statistics.css';

/** One code's statistics over a range of days, which the address holds; today's follow as visitors come. */
export function StatisticsPanel({
  code,
}: {
  code: Pick<LiveCodeDetails, 'id' | 'open_log' | 'log_days' | 'name' | 'file_name' | 'aliases' | 'targets'>;
}) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const bench = useWorkbench('last_month');
  const { kind, range, today } = bench;
  return (
    <section aria-label={t('qr_code.part.statistics')}>
      <Workbench
        bench={bench}
        codes={[code.id]}
        parts={['targets', 'heatmap']}
        bar={(shown) => (
          <div className="lc-workbench-bar">
            <RangeBar bench={bench} hasStep />
            <WorkbenchViews screen="qr_code.statistics" bench={bench} />
            {shown && allows('qr_code_list.export') && <ExportMenu title={code.name} {...shown} />}
            {kind === 'today' && (
              <span className="lc-code-live">
                <i className="lc-code-live-dot" aria-hidden />
                {t('common.live')}
              </span>
            )}
          </div>
        )}
      />
      {code.aliases.length > 0 && range.from <= today && <VisitsByKey id={code.id} file_name={code.file_name} range={range} />}
      {range.from <= today && <VisitList code={code} range={range} isLive={kind === 'today'} />}
    </section>
  );
}

import { QrDesigner } from '../design/QrDesigner.tsx';
import { ShareDialog } from '../ShareDialog.tsx';
import { StatisticsDrawer } from '../statistics/StatisticsDrawer.tsx';
import { VisitorsDrawer } from '../statistics/VisitorsDrawer.tsx';
import { TestScan } from '../TestScan.tsx';
import { BatchUpdateDialog } from './BatchUpdateDialog.tsx';
import { DomainDialog } from './DomainDialog.tsx';
import { LogDialog, RestrictionDialog } from './SettingDialogs.tsx';
import type { Dialogs } from './useDialogs.ts';

/** Whatever stands open over the list. */
export function LiveCodeDialogs({ dialogs: { present, done, close } }: { dialogs: Dialogs }) {
  switch (present?.kind) {
    case 'design':
      return <QrDesigner code={present.code} onClose={close} />;
    case 'share':
      return <ShareDialog code={present.code} onClose={close} />;
    case 'statistics':
      return <StatisticsDrawer code={present.code} onClose={close} />;
    case 'visitors':
      return <VisitorsDrawer code={present.code} onClose={close} />;
    case 'test':
      return <TestScan code={present.code} onClose={close} />;
    case 'domain':
      return <DomainDialog codes={present.codes} onDone={done} onClose={close} />;
    case 'restriction':
      return <RestrictionDialog codes={present.codes} onDone={done} onClose={close} />;
    case 'log':
      return <LogDialog codes={present.codes} onDone={done} onClose={close} />;
    case 'batch':
      return <BatchUpdateDialog codes={present.codes} onDone={done} onClose={close} />;
    default:
      return null;
  }
}

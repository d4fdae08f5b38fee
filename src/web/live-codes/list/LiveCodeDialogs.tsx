import { ApplyDesign } from '../design/ApplyDesign.tsx';
import { PrintCodes } from '../design/PrintCodes.tsx';
import { QrDesigner } from '../design/QrDesigner.tsx';
import { MoveDialog } from '../groups/MoveDialog.tsx';
import { ShareDialog } from '../ShareDialog.tsx';
import { StatisticsDrawer } from '../statistics/StatisticsDrawer.tsx';
import { VisitorsDrawer } from '../statistics/VisitorsDrawer.tsx';
import { TestScan } from '../TestScan.tsx';
import { useUndo } from '../versions/useUndo.tsx';
import { VersionsDrawer } from '../versions/VersionsDrawer.tsx';
import { BatchUpdateDialog } from './BatchUpdateDialog.tsx';
import { DomainDialog } from './DomainDialog.tsx';
import { ExportCodes } from './ExportCodes.tsx';
import { LogDialog, RestrictionDialog } from './SettingDialogs.tsx';
import { TransferDialog } from './TransferDialog.tsx';
import type { Dialogs, SelectedCode } from './useDialogs.ts';

/** Whatever stands open over the list. */
export function LiveCodeDialogs({ dialogs: { present, done: settle, close } }: { dialogs: Dialogs }) {
  const undo = useUndo();
  function done({ change_id }: { change_id: string | null }) {
    undo.offer('common.success', change_id);
    settle();
  }
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
    case 'versions':
      return <VersionsDrawer code={present.code} onClose={close} />;
    case 'domain':
      return <DomainDialog codes={present.codes} onDone={done} onClose={close} />;
    case 'restriction':
      return <RestrictionDialog codes={present.codes} onDone={done} onClose={close} />;
    case 'log':
      return <LogDialog codes={present.codes} onDone={done} onClose={close} />;
    case 'batch':
      return <BatchUpdateDialog codes={present.codes} onDone={done} onClose={close} />;
    case 'group':
      return <MoveDialog grouping="group" {...movedCodes(present.codes)} onDone={settle} onClose={close} />;
    case 'internal_group':
      return (
        <MoveDialog grouping="internal_code_grouping" {...movedCodes(present.codes)} ownerId={undefined} onDone={settle} onClose={close} />
      );
    case 'transfer':
      return <TransferDialog codes={present.codes} onDone={done} onClose={close} />;
    case 'look':
      return <ApplyDesign codes={present.codes} onDone={done} onClose={close} />;
    case 'export':
      return <ExportCodes codes={present.codes} onClose={close} />;
    case 'print':
      return <PrintCodes ids={present.codes.map((code) => code.id)} onClose={close} />;
    default:
      return null;
  }
}

/** What the dialog that moves codes needs of them: their owner where they have the same one, the group where it is one code. */
function movedCodes(codes: readonly SelectedCode[]) {
  const [first] = codes;
  const owner = codes.every((code) => code.owner_id === first?.owner_id) ? first?.owner_id : undefined;
  const only = codes.length === 1 ? first : undefined;
  return { ids: codes.map(({ id }) => id), ownerId: owner, name: only?.name, groupId: only?.group_id };
}

import { doneWords } from '../../kit/feedback/doneWords.ts';
import { useUndo } from '../../kit/undo/useUndo.tsx';
import { ApplyDesign } from '../design/ApplyDesign.tsx';
import { PrintCodes } from '../design/PrintCodes.tsx';
import { QrDesigner } from '../design/QrDesigner.tsx';
import { MoveDialog } from '../groups/MoveDialog.tsx';
import { ShareDialog } from '../ShareDialog.tsx';
import { BatchUpdateDialog } from './BatchUpdateDialog.tsx';
import { DomainDialog } from './DomainDialog.tsx';
import { ExportCodes } from './ExportCodes.tsx';
import { LogDialog, RestrictionDialog } from './SettingDialogs.tsx';
import { AddTargetDialog, ReplaceTargetsDialog } from './TargetDialogs.tsx';
import { TransferDialog } from './TransferDialog.tsx';
import type { Dialogs, SelectedCode } from './useDialogs.ts';

/** Whatever stands open over a list of codes, or over the page of one. */
export function LiveCodeDialogs({ dialogs: { present, done: settle, close } }: { dialogs: Dialogs }) {
  const undo = useUndo();
  /** Says what the call did to the codes, and offers to take it back. */
  const done = (action: string) => (output: { change_id: string | null }) => {
    const codes = present && 'codes' in present ? present.codes : [];
    const input = { ids: codes.map(({ id }) => id) };
    undo.offer(doneWords({ group: 'qr_code_list', action }, input, output, codes[0]?.name), output.change_id);
    settle();
  };
  switch (present?.kind) {
    case 'design':
      return <QrDesigner code={present.code} onClose={close} />;
    case 'share':
      return <ShareDialog code={present.code} onClose={close} />;
    case 'domain':
      return <DomainDialog codes={present.codes} onDone={done('change_domain_name')} onClose={close} />;
    case 'restriction':
      return <RestrictionDialog codes={present.codes} onDone={done('update_restriction_visit')} onClose={close} />;
    case 'log':
      return <LogDialog codes={present.codes} onDone={done('update_log')} onClose={close} />;
    case 'batch':
      return <BatchUpdateDialog codes={present.codes} onDone={done('batch_update')} onClose={close} />;
    case 'group':
      return <MoveDialog grouping="group" {...movedCodes(present.codes)} onDone={settle} onClose={close} />;
    case 'internal_group':
      return (
        <MoveDialog grouping="internal_code_grouping" {...movedCodes(present.codes)} ownerId={undefined} onDone={settle} onClose={close} />
      );
    case 'transfer':
      return <TransferDialog codes={present.codes} onDone={done('transfer')} onClose={close} />;
    case 'replace_targets':
      return <ReplaceTargetsDialog codes={present.codes} onDone={settle} onClose={close} />;
    case 'add_target':
      return <AddTargetDialog codes={present.codes} onDone={settle} onClose={close} />;
    case 'look':
      return <ApplyDesign codes={present.codes} onDone={done('update_design')} onClose={close} />;
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

import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { LockedFigures } from '../../kit/LockedFigures.tsx';
import { useAskedAct } from '../../kit/useAskedAct.ts';
import { useDialog } from '../../kit/useDialog.ts';
import { ForwardWarning } from '../edit/ForwardWarning.tsx';
import { LiveCodeDialogs } from '../list/LiveCodeDialogs.tsx';
import type { Dialog } from '../list/useDialogs.ts';
import { VersionList } from '../versions/VersionList.tsx';
import { AliasesPanel } from './AliasesPanel.tsx';
import { DomainsPanel } from './DomainsPanel.tsx';
import { FiguresPanel } from './FiguresPanel.tsx';
import { PanelHead } from './PanelHead.tsx';
import { QrPanel } from './QrPanel.tsx';
import { TargetsPanel } from './TargetsPanel.tsx';
import { useCodeRights } from './useCodeRights.ts';
import { VisitsPanel } from './VisitsPanel.tsx';

const newestVersions = 3;

/** Everything about a code at a glance, in the order in which a phone shows it. */
export function Overview({ code }: { code: LiveCodeDetails }) {
  const { sees, may } = useCodeRights(code);
  const isLocked = code.view_number === null;
  const dialogs = useDialog<Dialog>();
  useAskedAct('domain', () => void dialogs.open({ kind: 'domain', codes: [code] }), may('domain'));
  return (
    <>
      <ForwardWarning code={code} />
      <div className="lc-code-overview">
        <QrPanel code={code} open={dialogs.open} />
        {sees('statistics') && (isLocked ? <LockedFigures /> : <FiguresPanel code={code} open={dialogs.open} />)}
        <TargetsPanel code={code} />
        <DomainsPanel code={code} open={dialogs.open} />
        <AliasesPanel code={code} />
        {sees('statistics') && !isLocked && <VisitsPanel code={code} />}
        <section className="lc-panel lc-code-history">
          <PanelHead title="code_version.history" id={code.id} part="history" link="qr_code.all_history" />
          <VersionList code={code} newest={newestVersions} />
        </section>
      </div>
      <LiveCodeDialogs dialogs={dialogs} />
    </>
  );
}

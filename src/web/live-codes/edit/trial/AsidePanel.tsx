import { Form, Segmented } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TrialVisitor } from '../../../../contract/codes/qr-code-trial.ts';
import { useFormContext } from '../../../kit/form/ContractForm.tsx';
import { useDebounced } from '../../../kit/useDebounced.ts';
import { PhonePreview } from '../../preview/PhonePreview.tsx';
import { useLiveTargets } from '../live.ts';
import type { CodeValues } from '../values.ts';
import { draftOf } from './draft.ts';
import { Simulator } from './Simulator.tsx';
import { TestBox } from './TestBox.tsx';
import './trial.css';

export const asideViews = ['preview', 'test', 'simulate'] as const;
export type AsideView = (typeof asideViews)[number];

type AsidePanelProps = {
  view: AsideView;
  setView: (view: AsideView) => void;
  /** Key of the target that is looked at in the preview. */
  chosen: string | null;
  choose: (key: string | null) => void;
  /** The code's id and address, where it is saved. */
  id: number | undefined;
  url: string | null;
};

/** Beside the form: what a visitor would see, where one would be sent, and what the next thousand would do. */
export function AsidePanel({ view, setView, chosen, choose, id, url }: AsidePanelProps) {
  const { t } = useTranslation();
  const [visitor, setVisitor] = useState<TrialVisitor>({});
  return (
    <div className="trial-panel">
      <Segmented<AsideView>
        block
        className="trial-tabs"
        aria-label={t('set_qr_code.trial.tabs')}
        value={view}
        onChange={setView}
        options={asideViews.map((value) => ({ value, label: t(`set_qr_code.trial.views.${value}`) }))}
      />
      {view === 'preview' ? (
        <PhonePreview chosen={chosen} choose={choose} url={url} />
      ) : (
        <Trial view={view} id={id} visitor={visitor} setVisitor={setVisitor} />
      )}
    </div>
  );
}

const settleMilliseconds = 400;

type TrialProps = { view: 'test' | 'simulate'; id: number | undefined; visitor: TrialVisitor; setVisitor: (visitor: TrialVisitor) => void };

/** Tries out the form as it stands, once it has stood still. */
function Trial({ view, id, visitor, setVisitor }: TrialProps) {
  const { form, initial } = useFormContext();
  const live = useLiveTargets();
  const values: CodeValues = Form.useWatch((all) => all as CodeValues, { form, preserve: true }) ?? (initial as CodeValues);
  const settled = useDebounced(values, settleMilliseconds);
  if (!settled.targets) return null;
  const input = { ...(id === undefined ? {} : { id }), draft: draftOf(settled, live) };
  return view === 'test' ? (
    <TestBox input={input} targets={settled.targets} visitor={visitor} onChange={setVisitor} />
  ) : (
    <Simulator input={input} values={settled} visitor={visitor} />
  );
}

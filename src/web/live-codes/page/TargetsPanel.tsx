import { EditOutlined } from '@ant-design/icons';
import { Button, Progress } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { LiveCodeDetails, Target } from '../../../contract/codes/live-code.ts';
import { codePage } from '../../kit/CodeLink.tsx';
import { Num, Status, Time } from '../../kit/feedback.ts';
import { TargetMark, TargetSummary } from '../edit/targets/TargetSummary.tsx';
import { TargetDialog } from './TargetDialog.tsx';
import { mendingActs, stateKinds, targetState } from './targetState.ts';
import { useCodeRights } from './useCodeRights.ts';
import { useTargetChanges } from './useTargetChanges.ts';

/** Of more targets, the others are shown on demand. */
const shownTargets = 12;

/** Where visitors go: what is left of each target, what is wrong with it, and what mends that. */
export function TargetsPanel({ code }: { code: LiveCodeDetails }) {
  const { t } = useTranslation();
  const { may } = useCodeRights(code);
  const [edited, setEdited] = useState<number | null>(null);
  const [isWhole, setIsWhole] = useState(false);
  const { targets } = code;
  const shown = isWhole || targets.length <= shownTargets + 1 ? targets : targets.slice(0, shownTargets);
  const target = targets.find(({ id }) => id === edited);
  return (
    <section className="lc-panel lc-code-target-panel">
      <div className="lc-panel-head">
        <div>
          <h2>
            {t('set_qr_code.sections.targets.title')} <span className="lc-soft lc-num">{targets.length}</span>
          </h2>
          {targets.length > 1 && <p className="lc-soft">{t(`qr_code_list.rotation_help.${code.rotation_mode}`)}</p>}
        </div>
        {may('edit') && <Link to={codePage(code.id, 'settings')}>{t('qr_code.target.all_settings')}</Link>}
      </div>
      <ol className="lc-code-target-list">
        {shown.map((one, at) => (
          <TargetLine key={one.id} code={code} target={one} number={at + 1} edit={() => setEdited(one.id)} />
        ))}
      </ol>
      {shown.length < targets.length && (
        <Button type="link" onClick={() => setIsWhole(true)}>
          {t('common.chart.show_all')}
        </Button>
      )}
      {target && <TargetDialog code={code} target={target} number={targets.indexOf(target) + 1} onClose={() => setEdited(null)} />}
    </section>
  );
}

type TargetLineProps = { code: LiveCodeDetails; target: Target; number: number; edit: () => void };

function TargetLine({ code, target, number, edit }: TargetLineProps) {
  const { t } = useTranslation();
  const { may } = useCodeRights(code);
  const changes = useTargetChanges(code);
  const state = targetState(target, Date.now());
  const act = mendingActs[state];
  const mend = { enable: changes.enable, refill: changes.refill, edit }[act ?? 'edit'];
  const mayMend = act !== undefined && may(act === 'refill' ? 'refill' : 'edit');
  const words = act === 'edit' && target.kind === 'picture' ? 'common.picture_field.replace' : `qr_code.target.act.${act}`;
  return (
    <li className={state === 'disabled' ? 'lc-code-line lc-code-line-off' : 'lc-code-line'}>
      <span className="lc-code-line-what">
        <b className="lc-num">{number}</b>
        <TargetMark target={target} />
        <TargetSummary target={target} withContent />
      </span>
      <span className="lc-code-line-state">
        <Status kind={stateKinds[state]} label={`qr_code.target.state.${state}`} />
        {target.expires_at !== null && (
          <small className="lc-soft">
            {t('set_qr_code.target.expires_at')} <Time value={target.expires_at} />
          </small>
        )}
      </span>
      <Left target={target} />
      <span className="lc-code-line-acts">
        {mayMend && (
          <Button size="small" loading={changes.isRunning} onClick={() => mend(target)}>
            {t(words)}
          </Button>
        )}
        {may('edit') && (
          <Button size="small" type="text" icon={<EditOutlined />} aria-label={t('qr_code.target.edit_number', { number })} onClick={edit}>
            {t('common.edit')}
          </Button>
        )}
      </span>
    </li>
  );
}

/** What is left of a target's visits, or that it has no end, and how many it had. */
function Left({ target: { threshold, remaining, view_number, kind, press_number } }: { target: Target }) {
  const { t } = useTranslation();
  return (
    <span className="lc-code-line-left">
      {threshold === null || remaining === null ? (
        <span className="lc-soft">{t('common.unlimited')}</span>
      ) : (
        <>
          <span>
            {t('set_qr_code.target.left')} <Num value={remaining} /> / <Num value={threshold} />
          </span>
          <Progress
            percent={threshold === 0 ? 0 : Math.round((remaining / threshold) * 100)}
            size="small"
            showInfo={false}
            status="normal"
            aria-label={t('set_qr_code.target.left_of', { left: remaining, threshold })}
          />
        </>
      )}
      <small className="lc-soft">
        {t('set_qr_code.target.visits')} <Num value={view_number} />
        {kind === 'picture' && press_number !== null && press_number > 0 && (
          <>
            {' · '}
            {t('set_qr_code.target.presses')} <Num value={press_number} />
          </>
        )}
      </small>
    </span>
  );
}

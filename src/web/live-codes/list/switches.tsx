import { Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { api, type Endpoint } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { doneWords } from '../../kit/feedback/doneWords.ts';
import { Status } from '../../kit/feedback.ts';
import { FrozenMark } from '../../kit/freezing/Frozen.tsx';
import { useUndo } from '../../kit/undo/useUndo.tsx';

type Changed = { affected: number; change_id: string | null };

/** A call that switches one code, says so and offers to take it back. */
function useSwitching<I extends object>(endpoint: Endpoint<I, Changed>, code: LiveCode) {
  const undo = useUndo();
  return useAction(endpoint, {
    success: false,
    onSuccess: (output, input) => undo.offer(doneWords(endpoint, input, output, code.name), output.change_id),
  });
}

/** Opens and closes one code; a word for users with leave to look only, and for all where nothing else says what is switched. */
export function OpenSwitch({ code, withWord = false }: { code: LiveCode; withWord?: boolean }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { mayChange } = useSession();
  const update = useSwitching(api.qr_code_list.update_open, code);
  if (code.frozen !== null) return <FrozenMark row={code} />;
  const word = <Status kind={code.open ? 'success' : 'neutral'} label={code.open ? 'qr_code_list.open.yes' : 'qr_code_list.open.no'} />;
  if (!mayChange(code) || !(allows('qr_code_list.open') || allows('qr_code_list_admin.open'))) return word;
  const control = (
    <Switch
      size="small"
      checked={code.open}
      loading={update.isRunning}
      aria-label={t('qr_code_list.open.of', { name: code.name })}
      onChange={(open) => void update.run({ ids: [code.id], open })}
    />
  );
  return withWord ? (
    <span className="lc-inline">
      {control}
      {word}
    </span>
  ) : (
    control
  );
}

/** Whether each visit of one code is kept as a row, or only counted. */
export function LogSwitch({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { mayChange } = useSession();
  const update = useSwitching(api.qr_code_list.update_open_log, code);
  if (!mayChange(code) || !(allows('qr_code_list.log') || allows('qr_code_list_admin.log'))) {
    return <Status kind={code.open_log ? 'success' : 'neutral'} label={code.open_log ? 'qr_code_list.log.yes' : 'qr_code_list.log.no'} />;
  }
  return (
    <Switch
      size="small"
      checked={code.open_log}
      loading={update.isRunning}
      aria-label={t('qr_code_list.log.of', { name: code.name })}
      onChange={(open_log) => void update.run({ ids: [code.id], open_log })}
    />
  );
}

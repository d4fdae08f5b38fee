import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import type { qrCodeList } from '../../../contract/codes/qr-code-list.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { NodeKey } from '../../../contract/permissions.ts';
import { api } from '../calls/api.ts';
import { type GroupName, useAction } from '../calls/query.ts';
import { useSession } from '../calls/session.tsx';
import { useText } from '../texts/text.ts';
import { useLeftOut } from './LeftOut.tsx';
import { type Act, useDone } from './useDone.tsx';

type Undone = OutputOf<(typeof qrCodeList)['calls']['undo']>;

/** Says what an undo put back, what was changed since, and what could not be put back. */
export function useUndone(): (undone: Undone) => void {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const tellLeftOut = useLeftOut();
  return ({ affected, changed_since, left_out }) => {
    if (affected > 0) void message.success(t('code_version.undone', { count: affected }));
    if (changed_since > 0) void message.warning(t('code_version.changed_since', { count: changed_since }));
    tellLeftOut(left_out);
  };
}

/** Any of these lets its holder undo. */
const undoNodes = ['qr_code_list', 'set_qr_code.save', 'qr_code_list_admin'] as const satisfies readonly NodeKey[];

/** After a change of codes: says that it is done and offers to undo it as a whole, for a while. */
export function useUndo(invalidates: readonly GroupName[] = []): {
  offer: (done: string | Promise<string>, change_id: string | null, act?: Act) => void;
} {
  const text = useText();
  const tell = useDone();
  const { allows } = useSession();
  const mayUndo = undoNodes.some(allows);
  const tellUndone = useUndone();
  const undo = useAction(api.qr_code_list.undo, {
    success: false,
    invalidates: ['group', 'domain_list', ...invalidates],
    onSuccess: tellUndone,
  });
  return {
    offer(done, change_id, act) {
      const takeBack = change_id === null || !mayUndo ? undefined : () => void undo.run({ change_id });
      void tell(Promise.resolve(done).then(text), takeBack, act);
    },
  };
}

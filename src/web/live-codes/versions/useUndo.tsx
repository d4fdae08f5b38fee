import { App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useText } from '../../kit/texts/text.ts';
import { useLeftOut } from './LeftOut.tsx';

const toast = 'code-undo';
const undoSeconds = 8;

/** After a change of codes: says that it is done and offers to undo it as a whole, for a while. */
export function useUndo(): { offer: (done: string, change_id: string | null) => void } {
  const { t } = useTranslation();
  const text = useText();
  const { message } = App.useApp();
  const tellLeftOut = useLeftOut();
  const undo = useAction(api.qr_code_list.undo, {
    success: false,
    invalidates: ['group', 'domain_list'],
    onSuccess({ affected, changed_since, left_out }) {
      if (affected > 0) void message.success(t('code_version.undone', { count: affected }));
      if (changed_since > 0) void message.warning(t('code_version.changed_since', { count: changed_since }));
      tellLeftOut(left_out);
    },
  });
  return {
    offer(done, change_id) {
      if (change_id === null) {
        void message.success(text(done));
        return;
      }
      const takeBack = () => {
        message.destroy(toast);
        void undo.run({ change_id });
      };
      void message.open({
        key: toast,
        type: 'success',
        duration: undoSeconds,
        content: (
          <>
            {text(done)}
            <Button type="link" size="small" onClick={takeBack}>
              {t('code_version.undo')}
            </Button>
          </>
        ),
      });
    },
  };
}

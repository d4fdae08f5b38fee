import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { useUndone } from '../../kit/undo/useUndo.tsx';
import type { OpenDialog } from '../list/useDialogs.ts';

/** Above a list of the codes of one import: how many they are, and what is done with them as a whole. */
export function ImportedCodes({ change_id, open }: { change_id: string; open: OpenDialog }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  const confirm = useConfirm();
  const [, setParams] = useSearchParams();
  const tellUndone = useUndone();
  const found = useCall(api.qr_code_list.ids, { change_id });
  const undo = useAction(api.qr_code_list.undo, {
    success: false,
    invalidates: ['group', 'domain_list'],
    onSuccess: tellUndone,
  });
  const ids = found.data?.ids ?? [];
  const showAll = () =>
    setParams((params) => {
      params.delete('change_id');
      return params;
    });
  const ask = () =>
    confirm({
      title: t('code_import.undo_title', { number: exact(ids.length) }),
      content: 'code_import.undo_content',
      confirm: 'code_import.undo',
      danger: true,
      run: async () => {
        await undo.run({ change_id });
      },
    });
  return (
    <Alert
      className="lc-imported"
      type="info"
      title={t('code_import.imported', { number: exact(ids.length) })}
      action={
        <span className="lc-imported-acts">
          <Allowed node="qr_code_list.download">
            <Button disabled={ids.length === 0} onClick={() => open({ kind: 'print', codes: ids.map((id) => ({ id })) })}>
              {t('print_sheet.action')}
            </Button>
          </Allowed>
          <Button disabled={ids.length === 0} loading={undo.isRunning} onClick={() => void ask()}>
            {t('code_import.undo')}
          </Button>
          <Button type="link" onClick={showAll}>
            {t('today_statistics.quiet.all')}
          </Button>
        </span>
      }
    />
  );
}

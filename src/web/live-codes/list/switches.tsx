import { Switch } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../../contract/codes/live-code.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { useSession } from '../../kit/calls/session.tsx';
import { Status } from '../../kit/feedback.ts';
import { useMayChange } from './useMayChange.ts';

/** Opens and closes one code; a word for those who may only look. */
export function OpenSwitch({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const mayChange = useMayChange();
  const update = useAction(api.qr_code_list.update_open);
  if (!mayChange(code) || !(allows('qr_code_list.open') || allows('qr_code_list_admin.open'))) {
    return <Status kind={code.open ? 'success' : 'neutral'} label={code.open ? 'qr_code_list.open.yes' : 'qr_code_list.open.no'} />;
  }
  return (
    <Switch
      size="small"
      checked={code.open}
      loading={update.isRunning}
      aria-label={t('qr_code_list.open.of', { name: code.name })}
      onChange={(open) => void update.run({ ids: [code.id], open })}
    />
  );
}

/** Whether each visit of one code is kept as a row, or only counted. */
export function LogSwitch({ code }: { code: LiveCode }) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const mayChange = useMayChange();
  const update = useAction(api.qr_code_list.update_open_log);
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

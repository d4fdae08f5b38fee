import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';

/** Takes the word of an administrator that the master key, which the backups do not hold, is kept elsewhere. */
export function KeepKey() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const keep = useAction(api.backup.keep_key, { success: t('home.need.key_kept_done'), invalidates: ['home'] });
  if (!allows('configuration.update')) return null;
  const ask = () =>
    confirm({
      title: 'home.need.key_kept_title',
      content: 'home.need.key_kept_content',
      confirm: 'home.need.key_kept',
      run: () => keep.run({}),
    });
  return <Button onClick={() => void ask()}>{t('home.need.key_kept')}</Button>;
}

import { PoweroffOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';

export type AllCodes = { isOpen: boolean; isRunning: boolean; set: (open: boolean) => Promise<unknown> };

/** The owner's switch over all codes. It is part of who is logged in, so that is asked again after a change. */
export function useAllCodes(): AllCodes {
  const { user } = useSession();
  const action = useAction(api.qr_code_list.oepn_all_status, { invalidates: ['admin'] });
  return { isOpen: user?.all_codes_open ?? true, isRunning: action.isRunning, set: (open) => action.run({ open }) };
}

/** Closes all codes at once; while they are closed, the banner below the title opens them again. */
export function AllCodesSwitch({ allCodes }: { allCodes: AllCodes }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  if (!allCodes.isOpen) return null;

  function ask() {
    void confirm({
      title: 'qr_code_list.all.close_title',
      content: 'qr_code_list.all.close_content',
      confirm: 'qr_code_list.all.close',
      danger: true,
      run: () => allCodes.set(false),
    });
  }
  return (
    <Allowed node="qr_code_list.open_all">
      <Button icon={<PoweroffOutlined />} loading={allCodes.isRunning} onClick={ask}>
        {t('qr_code_list.all.close')}
      </Button>
    </Allowed>
  );
}

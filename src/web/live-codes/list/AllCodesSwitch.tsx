import { PoweroffOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Allowed, useSession } from '../../kit/calls/session.tsx';
import { useConfirm } from '../../kit/dialogs/confirm.tsx';

type AllCodes = {
  isOpen: boolean /** Others' codes stand in the same list, and are left alone. */;
  seesOthers: boolean;
  isRunning: boolean;
  set: (open: boolean) => Promise<unknown>;
};

/** The owner's switch over all codes. It is part of the session's user, who is asked for again after a change. */
function useAllCodes(): AllCodes {
  const { user } = useSession();
  const action = useAction(api.qr_code_list.oepn_all_status, { invalidates: ['admin'] });
  return {
    isOpen: user?.all_codes_open ?? true,
    seesOthers: user !== null && user.role.kind !== 'customer',
    isRunning: action.isRunning,
    set: (open) => action.run({ open }),
  };
}

/** Says while all the user's codes are closed that they are, and opens them again. On the page of one code, only of his own. */
export function AllClosed({ code }: { code?: { owner_id: number } }) {
  const { t } = useTranslation();
  const { user } = useSession();
  const allCodes = useAllCodes();
  if (allCodes.isOpen || (code && code.owner_id !== user?.id)) return null;
  return (
    <Alert
      className="lc-code-alert"
      type="warning"
      showIcon
      title={t(allCodes.seesOthers ? 'qr_code_list.all.closed_own_title' : 'qr_code_list.all.closed_title')}
      description={t('qr_code_list.all.closed_content')}
      action={
        <Allowed node="qr_code_list.open_all">
          <Button type="primary" loading={allCodes.isRunning} onClick={() => void allCodes.set(true)}>
            {t('qr_code_list.all.open')}
          </Button>
        </Allowed>
      }
    />
  );
}

/** Closes all codes at once; while they are closed, the banner below the title opens them again. */
export function AllCodesSwitch() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const allCodes = useAllCodes();
  if (!allCodes.isOpen) return null;
  const own = allCodes.seesOthers;
  const close = own ? 'qr_code_list.all.close_own' : 'qr_code_list.all.close';

  function ask() {
    void confirm({
      title: own ? 'qr_code_list.all.close_own_title' : 'qr_code_list.all.close_title',
      content: own ? 'qr_code_list.all.close_own_content' : 'qr_code_list.all.close_content',
      confirm: close,
      danger: true,
      run: () => allCodes.set(false),
    });
  }
  return (
    <Allowed node="qr_code_list.open_all">
      <Button icon={<PoweroffOutlined />} loading={allCodes.isRunning} onClick={ask}>
        {t(close)}
      </Button>
    </Allowed>
  );
}

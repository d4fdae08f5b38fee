import { PlusOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api } from '../kit/calls/api.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { Page } from '../kit/feedback.ts';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { ImportButton } from './import/ImportButton.tsx';
import { AllCodesSwitch, useAllCodes } from './list/AllCodesSwitch.tsx';
import { liveCodeColumns, sortableKeys } from './list/columns.tsx';
import { liveCodeFilters } from './list/filters.ts';
import { LiveCodeDialogs } from './list/LiveCodeDialogs.tsx';
import { useDialogs } from './list/useDialogs.ts';
import { useLiveCodeActions } from './list/useLiveCodeActions.tsx';
import './live-codes.css';

/** The caller's live codes: what they are, what they do today, and everything that can be done to one or many of them. */
export function LiveCodesPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const dialogs = useDialogs();
  const actions = useLiveCodeActions(dialogs.open);
  const allCodes = useAllCodes();
  const seesOthers = useSession().user?.role.kind !== 'customer';
  const columns = useMemo(() => liveCodeColumns(dialogs.open, seesOthers), [dialogs.open, seesOthers]);
  const state = useUrlListState(liveCodeFilters, sortableKeys(columns), { sort: 'created_at', order: 'desc' });
  const create = (
    <Allowed node="qr_code_list.add">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/customer/set_qr_code')}>
        {t('set_qr_code.create')}
      </Button>
    </Allowed>
  );

  return (
    <Page
      title="qr_code_list.title"
      fills
      actions={
        <>
          <AllCodesSwitch allCodes={allCodes} />
          <ImportButton />
          {create}
        </>
      }
    >
      {!allCodes.isOpen && (
        <Alert
          className="code-alert"
          type="warning"
          showIcon
          title={t('qr_code_list.all.closed_title')}
          description={t('qr_code_list.all.closed_content')}
          action={
            <Allowed node="qr_code_list.open_all">
              <Button type="primary" loading={allCodes.isRunning} onClick={() => void allCodes.set(true)}>
                {t('qr_code_list.all.open')}
              </Button>
            </Allowed>
          }
        />
      )}
      <ListView
        list={api.qr_code_list.inquire}
        state={state}
        columns={columns}
        filters={liveCodeFilters}
        rowActions={actions.row}
        batchActions={actions.batch}
        allIds={api.qr_code_list.ids}
        exportName="menu.qr_code_list"
        exportNode="qr_code_list.export"
        exportCall={api.qr_code_list.export}
        pollSeconds={20}
        empty={{ title: 'qr_code_list.empty.title', help: 'qr_code_list.empty.help', action: create }}
      />
      <LiveCodeDialogs dialogs={dialogs} />
    </Page>
  );
}

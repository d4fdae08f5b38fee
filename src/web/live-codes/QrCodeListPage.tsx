import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { api } from '../kit/calls/api.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { Page } from '../kit/feedback.ts';
import { FrozenAlert } from '../kit/freezing/Frozen.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { useDialog } from '../kit/useDialog.ts';
import { ImportButton } from './import/ImportButton.tsx';
import { useListedChange } from './import/useListedChange.ts';
import { AllClosed, AllCodesSwitch } from './list/AllCodesSwitch.tsx';
import { liveCodeColumns, sortableKeys } from './list/columns.tsx';
import { liveCodeFilters } from './list/filters.ts';
import { LiveCodeDialogs } from './list/LaterDialogs.tsx';
import type { Dialog } from './list/useDialogs.ts';
import { useLiveCodeActions } from './list/useLiveCodeActions.tsx';
import './live-codes.css';

const ImportedCodes = lazy(async () => ({ default: (await import('./import/ImportedCodes.tsx')).ImportedCodes }));

/** The caller's live codes: what they are, what they do today, and everything that can be done to one or many of them. */
export function QrCodeListPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const dialogs = useDialog<Dialog>();
  const actions = useLiveCodeActions(dialogs.open);
  const { user } = useSession();
  const isAgent = user?.role.kind === 'agent';
  const seesAll = !isAgent && user?.role.kind !== 'customer';
  const columns = useMemo(() => liveCodeColumns(isAgent), [isAgent]);
  const state = useUrlListState(liveCodeFilters, sortableKeys(columns), { sort: 'created_at', order: 'desc' });
  const listed = useListedChange();
  const create = (
    <Allowed node="qr_code_list.add">
      <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate('/customer/set_qr_code')}>
        {t('set_qr_code.create')}
      </Button>
    </Allowed>
  );

  return (
    <Page
      title="menu.qr_code_list"
      help={isAgent ? t('qr_code_list.agent_help') : seesAll && t('qr_code_list.own_help', { list: t('menu.qr_code_list_admin') })}
      fills
      actions={
        <>
          <AllCodesSwitch />
          <ImportButton />
          {create}
        </>
      }
    >
      {user && <FrozenAlert className="lc-code-alert" what="user" row={user} />}
      <AllClosed />
      {listed.change_id && (
        <Suspense>
          <ImportedCodes change_id={listed.change_id} open={dialogs.open} />
        </Suspense>
      )}
      <ListView
        list={api.qr_code_list.inquire}
        state={state}
        fixedInput={listed}
        columns={columns}
        filters={liveCodeFilters}
        rowActions={actions.row}
        batchActions={actions.batch}
        allIds={api.qr_code_list.ids}
        exportName="menu.qr_code_list"
        exportNode="qr_code_list.export"
        exportCall={api.qr_code_list.export}
        exportInput={user && seesAll ? { owner_id: user.id } : undefined}
        pollSeconds={20}
        empty={{
          picture: 'codes',
          title: 'qr_code_list.empty.title',
          help: 'qr_code_list.empty.help',
          action: create,
        }}
      />
      <LiveCodeDialogs dialogs={dialogs} />
    </Page>
  );
}

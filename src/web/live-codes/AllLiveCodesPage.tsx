import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../kit/calls/api.ts';
import { Page } from '../kit/feedback.ts';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { allCodesColumns, sortableKeys } from './list/columns.tsx';
import { allCodesFilters } from './list/filters.ts';
import { LiveCodeDialogs } from './list/LiveCodeDialogs.tsx';
import { useDialogs } from './list/useDialogs.ts';
import { useLiveCodeActions } from './list/useLiveCodeActions.tsx';
import './live-codes.css';

/** All users' codes, with everything that their owners can do to them, and what only administrators can. */
export function AllLiveCodesPage() {
  const { t } = useTranslation();
  const dialogs = useDialogs();
  const actions = useLiveCodeActions(dialogs.open, 'qr_code_list_admin');
  const columns = useMemo(() => allCodesColumns(dialogs.open), [dialogs.open]);
  const state = useUrlListState(allCodesFilters, sortableKeys(columns), { sort: 'created_at', order: 'desc' });
  return (
    <Page title="menu.qr_code_list_admin" help={t('qr_code_list.all_help')} fills>
      <ListView
        list={api.qr_code_list.user_inquire}
        state={state}
        columns={columns}
        filters={allCodesFilters}
        rowActions={actions.row}
        batchActions={actions.batch}
        allIds={api.qr_code_list.user_ids}
        name="qr_code_list_admin"
        exportName="menu.qr_code_list_admin"
        exportNode="qr_code_list_admin.export"
        exportCall={api.qr_code_list.export}
        pollSeconds={20}
        empty={{ title: 'qr_code_list.empty.title', help: 'qr_code_list.empty_all' }}
      />
      <LiveCodeDialogs dialogs={dialogs} />
    </Page>
  );
}

import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../contract/codes/live-code.ts';
import { api } from '../kit/calls/api.ts';
import { Page } from '../kit/feedback.ts';
import { useFreezing } from '../kit/freezing/useFreezing.tsx';
import { ListView } from '../kit/list/ListView.tsx';
import { useUrlListState } from '../kit/list/useListState.ts';
import { useDialog } from '../kit/useDialog.ts';
import { allCodesColumns, sortableKeys } from './list/columns.tsx';
import { allCodesFilters } from './list/filters.ts';
import { LiveCodeDialogs } from './list/LaterDialogs.tsx';
import type { Dialog } from './list/useDialogs.ts';
import { useLiveCodeActions } from './list/useLiveCodeActions.tsx';
import './live-codes.css';

const columns = allCodesColumns();

/** All users' codes, with everything that their owners can do to them, and what only administrators can. */
export function AllLiveCodesPage() {
  const { t } = useTranslation();
  const dialogs = useDialog<Dialog>();
  const actions = useLiveCodeActions(dialogs.open, 'qr_code_list_admin');
  const freezing = useFreezing<LiveCode>('code', {
    name: ({ id, name }) => name ?? `#${id}`,
    isFrozen: ({ frozen }) => frozen === 'code',
  });
  const state = useUrlListState(allCodesFilters, sortableKeys(columns), { sort: 'created_at', order: 'desc' });
  return (
    <Page title="menu.qr_code_list_admin" help={t('qr_code_list.all_help')} fills>
      <ListView
        list={api.qr_code_list.user_inquire}
        state={state}
        columns={columns}
        filters={allCodesFilters}
        rowActions={[...actions.row, ...freezing.row]}
        batchActions={[...actions.batch, ...freezing.batch]}
        allIds={api.qr_code_list.user_ids}
        name="qr_code_list_admin"
        exportName="menu.qr_code_list_admin"
        exportNode="qr_code_list_admin.export"
        exportCall={api.qr_code_list.export}
        pollSeconds={20}
        empty={{ picture: 'codes', title: 'qr_code_list.empty.title', help: 'qr_code_list.empty_all' }}
      />
      <LiveCodeDialogs dialogs={dialogs} />
      {freezing.dialog}
    </Page>
  );
}

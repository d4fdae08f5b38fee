import { ReloadOutlined } from '@ant-design/icons';
import { Alert, Button, Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CursorPage, Page } from '../../../contract/kit/page.ts';
import type { Endpoint } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';
import { useCall } from '../calls/query.ts';
import { useSession } from '../calls/session.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { useIsPhone } from '../look/media.ts';
import { BatchBar } from './BatchBar.tsx';
import { Cards } from './Cards.tsx';
import { ExportButton } from './export/ExportButton.tsx';
import { OperationExport } from './export/OperationExport.tsx';
import { FilterBar } from './FilterBar.tsx';
import { NoRows } from './NoRows.tsx';
import { CursorPager, isCursorList, Pager } from './Pager.tsx';
import { SortSelect } from './SortSelect.tsx';
import { arrange } from './table/arrangement.ts';
import { ColumnSettings } from './table/ColumnSettings.tsx';
import { ListTableBody } from './table/ListTableBody.tsx';
import { useArrangement } from './table/useArrangement.ts';
import type { ListProps } from './types.ts';
import type { ListState } from './useListState.ts';
import { useMoreRows } from './useMoreRows.ts';
import { useSelection } from './useSelection.ts';

export type ListViewProps<I extends object, Row extends object> = ListProps<I, Row> & { state: ListState; isEmbedded?: boolean };

const allowedOf = <T extends { node?: Parameters<ReturnType<typeof useSession>['allows']>[0] }>(
  items: readonly T[] | undefined,
  allows: ReturnType<typeof useSession>['allows'],
) => (items ?? []).filter((item) => !item.node || allows(item.node));

/** Everything of a list below its title. */
export function ListView<I extends object, Row extends object>(props: ListViewProps<I, Row>) {
  const { list, state, isEmbedded = false } = props;
  const { t } = useTranslation();
  const { allows } = useSession();
  const isPhone = useIsPhone();
  const keyOf = (row: Row) => (row as Record<string, string | number>)[props.rowKey ?? 'id'] ?? '';
  const selection = useSelection(keyOf);

  const columns = allowedOf(props.columns, allows);
  const filters = allowedOf(props.filters, allows);
  const rowActions = allowedOf(props.rowActions, allows);
  const batchActions = allowedOf(props.batchActions, allows);
  const { arrangement, isOwn, change } = useArrangement(props.name ?? list.group, columns);
  const shown = arrange(columns, arrangement);

  const filterInput = { ...state.values, ...state.sort, ...props.fixedInput };
  const { page: _page, ...unnumbered } = state.input;
  const after = state.after === undefined ? {} : { after: state.after };
  const placed = isCursorList(list) ? { ...unnumbered, ...after } : state.input;
  // The state was read by the contract's own filters; `fixedInput` is typed by the caller.
  const input = { ...placed, ...props.fixedInput } as unknown as I;
  const answer = useCall(list as Endpoint<I, Page<Row> | CursorPage<Row>>, input, {
    refetchInterval: props.pollSeconds ? props.pollSeconds * 1000 : false,
  });
  const rows = answer.data?.content ?? [];
  const more = useMoreRows({
    allIds: props.allIds,
    input: filterInput,
    total: answer.data && 'total' in answer.data ? answer.data.total : 0,
    isAtLeast: answer.data !== undefined && 'at_least' in answer.data && answer.data.at_least === true,
    rows,
    selection,
  });
  const isFiltered = Object.keys(state.values).length > 0;
  const isSelectable = batchActions.length > 0;

  const tools = (
    <>
      {isPhone && <SortSelect columns={columns} state={state} />}
      <Tooltip title={t('common.refresh')}>
        <Button
          icon={<ReloadOutlined spin={answer.isFetching} />}
          aria-label={t('common.refresh')}
          onClick={() => void answer.refetch({ cancelRefetch: false })}
        />
      </Tooltip>
      {props.exportName &&
        (!props.exportNode || allows(props.exportNode)) &&
        (props.exportCall ? (
          <OperationExport call={props.exportCall} filters={{ ...state.values, ...props.fixedInput }} />
        ) : (
          <ExportButton list={list} input={filterInput} columns={columns} name={props.exportName} />
        ))}
      {!isPhone && <ColumnSettings columns={columns} arrangement={arrangement} isOwn={isOwn} change={change} />}
    </>
  );

  function content() {
    if (answer.isError && !answer.data) {
      return <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />;
    }
    if (answer.data && rows.length === 0) return <NoRows state={state} empty={props.empty} isFiltered={isFiltered} data={answer.data} />;
    if (isPhone) {
      return (
        <Cards
          rows={answer.data ? rows : undefined}
          columns={columns}
          keyOf={keyOf}
          actions={rowActions}
          card={props.card}
          state={state}
          selection={isSelectable ? selection : undefined}
        />
      );
    }
    return (
      <ListTableBody
        rows={answer.data ? rows : undefined}
        columns={shown}
        density={arrangement.density}
        isEmbedded={isEmbedded}
        keyOf={keyOf}
        actions={rowActions}
        state={state}
        selection={isSelectable ? selection : undefined}
        expandable={props.expandable}
        onRowClick={props.onRowClick}
      />
    );
  }

  return (
    <div className={isEmbedded ? 'lc-list lc-list-embedded' : 'lc-list'}>
      <FilterBar filters={filters} state={state} isPhone={isPhone} tools={tools} faults={answer.error?.fields} />
      {answer.isError && answer.data && (
        <Alert
          type="error"
          showIcon
          title={failureText(answer.error)}
          action={
            <Button size="small" onClick={() => void answer.refetch()}>
              {t('common.retry')}
            </Button>
          }
        />
      )}
      <div className={answer.isPlaceholderData ? 'lc-list-body lc-list-stale' : 'lc-list-body'} aria-busy={answer.isFetching}>
        {content()}
      </div>
      {selection.size > 0 && <BatchBar selection={selection} actions={batchActions} more={more} />}
      {answer.data && 'total' in answer.data && answer.data.total > 0 && (
        <Pager
          state={state}
          total={answer.data.total}
          isPhone={isPhone}
          isAtLeast={'at_least' in answer.data && answer.data.at_least === true}
        />
      )}
      {answer.data && 'next' in answer.data && rows.length > 0 && <CursorPager state={state} next={answer.data.next} rows={rows.length} />}
    </div>
  );
}

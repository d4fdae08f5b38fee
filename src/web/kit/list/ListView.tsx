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
import { ListViews } from './table/ListViews.tsx';
import { useArrangement } from './table/useArrangement.ts';
import type { Column, ListProps } from './types.ts';
import type { ListState } from './useListState.ts';
import { isAtLeast, useMoreRows } from './useMoreRows.ts';
import { useSelection } from './useSelection.ts';

export type ListViewProps<I extends object, Row extends object> = ListProps<I, Row> & { state: ListState; isEmbedded?: boolean };

const allowedOf = <T extends { node?: Parameters<ReturnType<typeof useSession>['allows']>[0] }>(
  items: readonly T[] | undefined,
  allows: ReturnType<typeof useSession>['allows'],
) => (items ?? []).filter((item) => !item.node || allows(item.node));

/** What the filters, the order and the page give, as the call takes it. */
function useAnswer<I extends object, Row extends object>({ list, state, fixedInput, pollSeconds }: ListViewProps<I, Row>) {
  const { page: _page, ...unnumbered } = state.input;
  const after = state.after === undefined ? {} : { after: state.after };
  const placed = isCursorList(list) ? { ...unnumbered, ...after } : state.input;
  // The state was read by the contract's own filters; `fixedInput` is typed by the caller.
  const input = { ...placed, ...fixedInput } as unknown as I;
  return useCall(list as Endpoint<I, Page<Row> | CursorPage<Row>>, input, {
    refetchInterval: pollSeconds ? pollSeconds * 1000 : false,
  });
}

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
  const actions = allowedOf(props.rowActions, allows);
  const batchActions = allowedOf(props.batchActions, allows);
  const arranged = useArrangement(props.name ?? list.group, columns);
  const { arrangement } = arranged;

  const filterInput = { ...state.values, ...state.sort, ...props.fixedInput };
  const answer = useAnswer(props);
  const { data } = answer;
  const more = useMoreRows({ allIds: props.allIds, input: filterInput, data, selection });
  const shared = {
    rows: data?.content,
    keyOf,
    actions,
    state,
    selection: batchActions.length > 0 ? selection : undefined,
  };

  function content() {
    if (!data && answer.isError) {
      return <Failure error={answer.error} retry={() => void answer.refetch()} isRetrying={answer.isFetching} />;
    }
    if (data?.content.length === 0) {
      return <NoRows state={state} empty={props.empty} isFiltered={Object.keys(state.values).length > 0} data={data} />;
    }
    if (isPhone) return <Cards {...shared} columns={columns} card={props.card} />;
    return (
      <ListTableBody
        {...shared}
        columns={arrange(columns, arrangement)}
        density={arrangement.density}
        isEmbedded={isEmbedded}
        expandable={props.expandable}
        onRowClick={props.onRowClick}
      />
    );
  }

  // Where the pager will stand; on a phone that is out of sight.
  const waiting = !data && !answer.isError && (
    <p className="lc-soft lc-slow" role="status">
      {t('common.requesting')}
    </p>
  );
  const tools = <Tools list={props} input={filterInput} columns={columns} arranged={arranged} answer={answer} isPhone={isPhone} />;
  return (
    <div className={isEmbedded ? 'lc-list lc-list-embedded' : 'lc-list'}>
      <FilterBar filters={filters} state={state} isPhone={isPhone} tools={tools} faults={answer.error?.fields} />
      {answer.isError && data && (
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
      {isPhone && waiting}
      <div className={answer.isPlaceholderData ? 'lc-list-body lc-list-stale' : 'lc-list-body'} aria-busy={answer.isFetching}>
        {content()}
      </div>
      {!isPhone && waiting}
      {selection.size > 0 && <BatchBar selection={selection} actions={batchActions} more={more} />}
      {data && 'total' in data && data.total > 0 && (
        <Pager state={state} total={data.total} isPhone={isPhone} isAtLeast={isAtLeast(data)} />
      )}
      {data && 'next' in data && data.content.length > 0 && <CursorPager state={state} next={data.next} rows={data.content.length} />}
    </div>
  );
}

type ToolsProps<I extends object, Row extends object> = {
  list: ListViewProps<I, Row>;
  input: object;
  columns: readonly Column<Row>[];
  arranged: ReturnType<typeof useArrangement>;
  answer: { isFetching: boolean; refetch: (options: { cancelRefetch: boolean }) => unknown };
  isPhone: boolean;
};

/** Beside the filters: the order on phones, refresh, export, and the choice of columns. */
function Tools<I extends object, Row extends object>({ list: props, input, columns, arranged, answer, isPhone }: ToolsProps<I, Row>) {
  const { t } = useTranslation();
  const { allows } = useSession();
  const { list, state, exportName, exportNode, exportCall, isEmbedded = false } = props;
  return (
    <>
      {isPhone && <SortSelect columns={columns} state={state} />}
      <Tooltip title={t('common.refresh')}>
        <Button
          icon={<ReloadOutlined spin={answer.isFetching} />}
          aria-label={t('common.refresh')}
          onClick={() => void answer.refetch({ cancelRefetch: false })}
        />
      </Tooltip>
      {exportName &&
        (!exportNode || allows(exportNode)) &&
        (exportCall ? (
          <OperationExport call={exportCall} filters={{ ...state.values, ...props.fixedInput, ...props.exportInput }} />
        ) : (
          <ExportButton list={list} input={input} columns={columns} name={exportName} />
        ))}
      {!isPhone && !isEmbedded && <ListViews list={props.name ?? list.group} columns={columns} state={state} arranged={arranged} />}
      {!isPhone && <ColumnSettings columns={columns} {...arranged} />}
    </>
  );
}

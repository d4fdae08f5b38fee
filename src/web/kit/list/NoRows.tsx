import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CursorPage, Page } from '../../../contract/kit/page.ts';
import { Empty, type EmptyProps } from '../feedback/Empty.tsx';
import type { ListState } from './useListState.ts';

type NoRowsProps = {
  state: ListState;
  data: Page<unknown> | CursorPage<unknown>;
  isFiltered: boolean;
  empty?: EmptyProps;
};

/** No rows: the search stopped on its way, the page lies past the end, nothing matches, or there is nothing yet. */
export function NoRows({ state, data, isFiltered, empty }: NoRowsProps) {
  const { t } = useTranslation();
  const next = 'next' in data ? data.next : null;
  if (next !== null) {
    return (
      <Empty
        picture="search"
        title="common.cursor.none_yet"
        help="common.cursor.none_yet_help"
        action={<Button onClick={() => state.setAfter(next, state.pageSize)}>{t('common.cursor.go_on')}</Button>}
      />
    );
  }
  if ('total' in data ? data.total > 0 : state.after !== undefined) {
    const toStart = () => ('total' in data ? state.setPage(1, state.pageSize) : state.setAfter(undefined, state.pageSize));
    return (
      <Empty picture="search" title="common.empty.past_end" action={<Button onClick={toStart}>{t('common.empty.first_page')}</Button>} />
    );
  }
  if (isFiltered) {
    return (
      <Empty
        picture="search"
        title="common.empty.no_match"
        help="common.empty.no_match_help"
        action={<Button onClick={state.clear}>{t('common.filters.clear')}</Button>}
      />
    );
  }
  return <Empty {...(empty ? { lead: 'common.no_data', ...empty } : { title: 'common.no_data' })} />;
}

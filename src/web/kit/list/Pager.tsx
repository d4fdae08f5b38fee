import { Button, Pagination, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Endpoint } from '../calls/api.ts';
import { useFormat } from '../texts/format.ts';
import { type ListState, pageSizes } from './useListState.ts';

/** Whether a list goes on from row to row instead of by page numbers: its input says so before any answer is there. */
export const isCursorList = (list: Pick<Endpoint<never, unknown>, 'call'>): boolean => 'after' in list.call.input.shape;

type PagerProps = {
  state: ListState;
  total: number;
  isPhone: boolean /** There are more than these; nobody counted how many. */;
  isAtLeast?: boolean;
};

export function Pager({ state, total, isPhone, isAtLeast = false }: PagerProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="lc-pager">
      <span className="lc-soft lc-num">{t('common.total', { total: `${format.exact(total)}${isAtLeast ? '+' : ''}` })}</span>
      <Pagination
        size="small"
        current={state.page}
        pageSize={state.pageSize}
        total={total}
        simple={isPhone}
        showSizeChanger={!isPhone}
        showQuickJumper={!isPhone && total > state.pageSize * 10}
        pageSizeOptions={pageSizes}
        onChange={state.setPage}
      />
    </div>
  );
}

/** A list without page numbers goes on from its last row; Back leads to where one came from. */
export function CursorPager({ state, next, rows }: { state: ListState; next: string | null; rows: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div className="lc-pager">
      <span className="lc-soft lc-num">{t(next === null ? 'common.cursor.last' : 'common.cursor.rows', { rows: format.exact(rows) })}</span>
      <span className="lc-pager-steps">
        <Select
          size="small"
          aria-label={t('common.cursor.page_size')}
          value={state.pageSize}
          options={pageSizes.map((size) => ({ value: size, label: t('common.cursor.page_size_value', { rows: size }) }))}
          onChange={(size) => state.setAfter(undefined, size)}
        />
        <Button size="small" disabled={state.after === undefined} onClick={() => state.setAfter(undefined, state.pageSize)}>
          {t('common.empty.first_page')}
        </Button>
        <Button size="small" disabled={next === null} onClick={() => state.setAfter(next ?? undefined, state.pageSize)}>
          {t(rows < state.pageSize && next !== null ? 'common.cursor.go_on' : 'common.cursor.next')}
        </Button>
      </span>
    </div>
  );
}

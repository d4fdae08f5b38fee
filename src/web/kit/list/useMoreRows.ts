import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { maxIds } from '../../../contract/kit/fields.ts';
import type { CursorPage, Page } from '../../../contract/kit/page.ts';
import type { Endpoint } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';
import { useFormat } from '../texts/format.ts';
import type { Selection } from './useSelection.ts';

type AllIds = Endpoint<never, { ids: number[]; is_cut: boolean }>;
type MoreRows<Row> = {
  allIds: AllIds | undefined;
  /** The filters and the order of the list. */
  input: object;
  data: Page<Row> | CursorPage<Row> | undefined;
  selection: Selection<Row>;
};

/** There are more rows than `total`; nobody counted how many. */
export const isAtLeast = (data: object): boolean => 'at_least' in data && data.at_least === true;

/** The offer to select every row that fits the filters, or as many as one act takes; undefined where all are selected. */
export function useMoreRows<Row>({ allIds, input, data, selection }: MoreRows<Row>) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const format = useFormat();
  const rows = data?.content ?? [];
  const total = data && 'total' in data ? data.total : 0;
  const most = Math.min(total, maxIds);
  if (!allIds || selection.size >= most || total <= rows.length) return undefined;
  return {
    label:
      (data && isAtLeast(data)) || total > maxIds
        ? t('common.batch.select_first', { rows: format.exact(maxIds) })
        : t('common.batch.select_all', { rows: format.exact(total) }),
    async select() {
      try {
        // The input was read by the contract's own filters.
        const { ids, is_cut } = await (allIds as unknown as Endpoint<object, { ids: number[]; is_cut: boolean }>)(input);
        selection.setKeys(ids, rows);
        if (is_cut) void message.info(t('common.batch.cut', { rows: format.exact(ids.length) }));
      } catch (error) {
        void message.error(failureText(error));
      }
    },
  };
}

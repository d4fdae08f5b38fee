import { App } from 'antd';
import { useTranslation } from 'react-i18next';
import { mostIds } from '../../../contract/kit/fields.ts';
import type { Endpoint } from '../calls/api.ts';
import { failureText } from '../calls/failure.ts';
import { useFormat } from '../texts/format.ts';
import type { Selection } from './useSelection.ts';

type AllIds = Endpoint<never, { ids: number[]; is_cut: boolean }>;
type MoreRows<Row> = {
  allIds: AllIds | undefined;
  /** The filters and the order of the list. */
  input: object;
  total: number;
  isAtLeast: boolean;
  rows: readonly Row[];
  selection: Selection<Row>;
};

/** The offer to select every row that fits the filters, or as many as one act takes; undefined where all are selected. */
export function useMoreRows<Row>({ allIds, input, total, isAtLeast, rows, selection }: MoreRows<Row>) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const format = useFormat();
  const most = Math.min(total, mostIds);
  if (!allIds || selection.size >= most || total <= rows.length) return undefined;
  return {
    label:
      isAtLeast || total > mostIds
        ? t('common.batch.select_first', { rows: format.exact(mostIds) })
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

import { DownloadOutlined } from '@ant-design/icons';
import { App, Button, Progress, Tooltip } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CursorPage, Page } from '../../../../contract/kit/page.ts';
import type { Endpoint } from '../../calls/api.ts';
import { failureText } from '../../calls/failure.ts';
import { Modal } from '../../dialogs/dialogs.tsx';
import { useFormat } from '../../texts/format.ts';
import { useText } from '../../texts/text.ts';
import { isCursorList } from '../Pager.tsx';
import type { Column } from '../types.ts';
import { cellValue, csvFile, maximumCursorRows, readAllPages, readOn, saveFile } from './exportCsv.ts';

type ExportProps<I extends object, Row extends object> = {
  list: Endpoint<I, Page<Row>> | Endpoint<I, CursorPage<Row>>;
  /** The filters and the sort of the present list. */
  input: object;
  columns: readonly Column<Row>[];
  /** First part of the file's name. */
  name: string;
};

/** Saves all rows of the present filter as CSV, fetched page by page, with a figure and a way to stop. */
export function ExportButton<I extends object, Row extends object>({ list, input, columns, name }: ExportProps<I, Row>) {
  const { t } = useTranslation();
  const text = useText();
  const { message } = App.useApp();
  const format = useFormat();
  const [progress, setProgress] = useState<{ rows: number; total: number } | null>(null);
  const abort = useRef<AbortController | null>(null);

  async function save() {
    const controller = new AbortController();
    abort.current = controller;
    setProgress({ rows: 0, total: 0 });
    try {
      const tell = (done: number, total: number) => setProgress({ rows: done, total });
      const goesOn = isCursorList(list);
      const rows = goesOn
        ? await readOn(list as Endpoint<I, CursorPage<Row>>, input, tell, controller.signal)
        : await readAllPages(list as Endpoint<I, Page<Row>>, input, tell, controller.signal);
      const exported = columns.filter((column) => column.exportValue !== false);
      const lines = [
        exported.map((column) => text(column.title)),
        ...rows.map((row) => exported.map((column) => cellValue(column, row, { text, time: format.time }))),
      ];
      saveFile(csvFile(lines), `${text(name)}-${format.today()}.csv`, 'text/csv;charset=utf-8');
      const isCut = goesOn && rows.length === maximumCursorRows;
      void message.success(t(isCut ? 'common.export.cut' : 'common.export.done', { rows: format.exact(rows.length) }));
    } catch (error) {
      if (!controller.signal.aborted) void message.error(failureText(error));
    } finally {
      setProgress(null);
    }
  }

  return (
    <>
      <Tooltip title={t('common.export.title')}>
        <Button icon={<DownloadOutlined />} aria-label={t('common.export.title')} onClick={() => void save()} loading={progress !== null} />
      </Tooltip>
      <Modal
        open={progress !== null}
        title={t('common.export.running')}
        width={400}
        closable={false}
        onCancel={() => abort.current?.abort()}
        footer={<Button onClick={() => abort.current?.abort()}>{t('common.cancel')}</Button>}
      >
        <Progress percent={progress?.total ? Math.floor((progress.rows / progress.total) * 100) : 0} />
        <p className="lc-soft" aria-live="polite">
          {t('common.export.progress', { rows: format.exact(progress?.rows ?? 0), total: format.exact(progress?.total ?? 0) })}
        </p>
      </Modal>
    </>
  );
}

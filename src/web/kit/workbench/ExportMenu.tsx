import { DownloadOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { failureText } from '../calls/failure.ts';
import { Dropdown } from '../dialogs/dialogs.tsx';
import { csvFile, saveFile } from '../list/export/exportCsv.ts';
import { useFormat } from '../texts/format.ts';
import type { Breakdowns, Inquiry } from './answers.ts';
import { shownDimensions } from './Dimensions.tsx';
import { breakdownLines, courseLines } from './exportLines.ts';
import { useValueLabel } from './labels.ts';

type ExportMenuProps = { title: string; answer: Inquiry; breakdowns: Breakdowns; chart: () => HTMLCanvasElement | null | undefined };

const kinds = {
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  csv: 'text/csv;charset=utf-8',
  png: 'image/png',
} as const;

/** Saves what the screen shows, its figures as a table or its chart as a picture, and says how much. */
export function ExportMenu({ title, answer, breakdowns, chart }: ExportMenuProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { timeZone, exact } = useFormat();
  const labelOf = useValueLabel();
  const words = { t, labelOf, timeZone };

  async function save(kind: keyof typeof kinds) {
    const name = `${title}-${answer.from}-${answer.to}.${kind}`;
    const [course, parts] = [courseLines(answer, words), breakdownLines(breakdowns, shownDimensions, words)];
    try {
      if (kind === 'csv') saveFile(csvFile([...course, [], ...parts]), name, kinds.csv);
      else if (kind === 'png') saveFile(await picture(chart()), name, kinds.png);
      else {
        const { workbook } = await import('./xlsx.ts');
        const sheets = [
          { name: t('historical_statistics.course'), rows: course },
          { name: t('historical_statistics.export.parts'), rows: parts },
        ];
        saveFile(await workbook(sheets), name, kinds.xlsx);
      }
      // Each table begins with its heads.
      const rows = exact(course.length + parts.length - 2);
      void message.success(kind === 'png' ? t('historical_statistics.export.png_done') : t('common.export.done', { rows }));
    } catch (error) {
      void message.error(failureText(error));
    }
  }
  return (
    <Dropdown
      menu={{
        items: (['xlsx', 'csv', 'png'] as const).map((kind) => ({
          key: kind,
          label: kind === 'png' ? t('historical_statistics.export.png') : kind.toUpperCase(),
          onClick: () => void save(kind),
        })),
      }}
    >
      <Button icon={<DownloadOutlined />}>{t('historical_statistics.export.title')}</Button>
    </Dropdown>
  );
}

/** The chart on the ground of the page: a picture without one is black in some programs. */
async function picture(canvas: HTMLCanvasElement | null | undefined): Promise<Blob> {
  const copy = document.createElement('canvas');
  copy.width = canvas?.width ?? 0;
  copy.height = canvas?.height ?? 0;
  const context = copy.getContext('2d');
  if (!canvas || !context) throw new Error('there is no chart to save');
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--lc-surface') || '#ffffff';
  context.fillRect(0, 0, copy.width, copy.height);
  context.drawImage(canvas, 0, 0);
  const blob = await new Promise<Blob | null>((settle) => copy.toBlob(settle, 'image/png'));
  if (!blob) throw new Error('the chart could not be saved');
  return blob;
}

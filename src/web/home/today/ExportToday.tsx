import { DownloadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { usePartLabel } from '../../kit/charts/labels.ts';
import { csvFile, saveFile } from '../../kit/list/export/exportCsv.ts';
import { exportLines } from './exportToday.ts';
import type { Today } from './useToday.ts';

/** Saves the figures on the screen as a CSV file. */
export function ExportToday({ today, timeZone }: { today: Today; timeZone: string }) {
  const { t } = useTranslation();
  const labelOf = usePartLabel();
  function save() {
    const name = `${t('menu.today_statistics')}-${today.day}.csv`;
    saveFile(csvFile(exportLines(today, { t, labelOf, timeZone })), name, 'text/csv;charset=utf-8');
  }
  return (
    <Button icon={<DownloadOutlined />} onClick={save}>
      {t('common.export.title')}
    </Button>
  );
}

import { FileTextOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { maxImportedCorrections } from '../../../contract/visits/ip-correction.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { useLineResults } from '../../kit/feedback/LineResults.tsx';
import { FileDrop } from '../../kit/form/FileDrop.tsx';
import { csvFile, saveFile } from '../../kit/list/export/exportCsv.ts';
import { correctionLines, type LineColumn, lineColumns } from './correctionLines.ts';
import './places.css';

const kinds = {
  added: 'success',
  updated: 'info',
  repeated: 'warning',
  invalid_range: 'error',
  invalid_carrier: 'error',
  no_country: 'error',
} as const;
const common = { remark: 'common.field.remark', enabled: 'common.field.enabled' };
const keyOf = (column: LineColumn): string => (column in common ? common[column as keyof typeof common] : `ip_correction.${column}`);

/** Takes a file as the list exports it: lines of known ranges change their corrections. */
export function ImportCorrections({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const results = useLineResults({ screen: 'ip_correction', kinds, onClose });
  const start = useAction(api.ip_correction.import, { success: false, invalidates: ['ip_data'] });

  async function read(file: Blob) {
    const off = [t('common.disabled'), t('common.no'), 'no', 'false', '0'].map((word) => word.toLowerCase());
    const lines = correctionLines(
      await file.text(),
      (name) => lineColumns.find((column) => column === name || t(keyOf(column)).toLowerCase() === name),
      (cell) => off.includes(cell),
    );
    if (lines === null) return t('ip_correction.import_columns', { range: t(keyOf('range')), country: t(keyOf('country')) });
    if (lines.length === 0) return t('errors.import.empty');
    if (lines.length > maxImportedCorrections) return t('ip_correction.import_many', { number: maxImportedCorrections });
    const made = await start.run({ lines });
    if (made) results.show(made);
    return undefined;
  }
  const template = () =>
    saveFile(csvFile([lineColumns.map((column) => t(keyOf(column)))]), `${t('menu.ip_correction')}.csv`, 'text/csv;charset=utf-8');
  return (
    <>
      <Modal open={!results.isOpen} className="lc-form-modal" title={t('ip_correction.import')} centered onCancel={onClose} footer={null}>
        <FileDrop
          accept=".csv,.tsv,.txt"
          text={t('ip_correction.drop')}
          hint={t('ip_correction.drop_help', { number: maxImportedCorrections })}
          read={read}
        />
        <Button className="lc-ip-template" icon={<FileTextOutlined />} onClick={template}>
          {t('ip_correction.template')}
        </Button>
      </Modal>
      {results.dialog}
    </>
  );
}

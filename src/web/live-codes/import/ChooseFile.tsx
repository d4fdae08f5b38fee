import { FileTextOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { type ImportFile, importFile } from '../../../contract/codes/code-import.ts';
import { type ExportFormat, exportFormats } from '../../../contract/system/async-operations.ts';
import { api, uploadTo } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { FileDrop } from '../../kit/form/FileDrop.tsx';
import { saveFile } from '../../kit/list/export/exportCsv.ts';

const contentTypes = { csv: 'text/csv;charset=utf-8', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };

/** Takes a file and has it read. */
export function ChooseFile({ onRead }: { onRead: (file: ImportFile) => void }) {
  const { t } = useTranslation();
  const template = useAction(api.code_import.template, { success: false });

  async function read(file: Blob, onProgress: (share: number) => void) {
    onRead(await uploadTo('/api/code_import/file', importFile, file, { onProgress }));
    return undefined;
  }
  async function save(format: ExportFormat) {
    const made = await template.run({ format });
    if (!made) return;
    const bytes = Uint8Array.from(atob(made.content), (character) => character.charCodeAt(0));
    saveFile(bytes, made.name, contentTypes[format]);
  }

  return (
    <div className="lc-import-choose">
      <FileDrop accept=".csv,.tsv,.txt,.xlsx" text={t('code_import.drop')} hint={t('code_import.drop_help')} read={read} />
      <div className="lc-import-templates">
        {exportFormats.map((format) => (
          <Button key={format} icon={<FileTextOutlined />} loading={template.isRunning} onClick={() => void save(format)}>
            {t('code_import.template', { format: format.toUpperCase() })}
          </Button>
        ))}
      </div>
    </div>
  );
}

import { FileTextOutlined, InboxOutlined } from '@ant-design/icons';
import { Alert, Button, Progress, Upload } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ImportFile, importFile } from '../../../contract/codes/code-import.ts';
import { type ExportFormat, exportFormats } from '../../../contract/system/async-operations.ts';
import { api, uploadTo } from '../../kit/calls/api.ts';
import { failureText } from '../../kit/calls/failure.ts';
import { useAction } from '../../kit/calls/query.ts';
import { saveFile } from '../../kit/list/export/exportCsv.ts';

const contentTypes = { csv: 'text/csv;charset=utf-8', xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' };

/** Takes a file and has it read. */
export function ChooseFile({ onRead }: { onRead: (file: ImportFile) => void }) {
  const { t } = useTranslation();
  const [share, setShare] = useState<number | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const template = useAction(api.code_import.template, { success: false });

  async function read(file: Blob) {
    setFault(null);
    setShare(0);
    try {
      onRead(await uploadTo('/api/code_import/file', importFile, file, { onProgress: setShare }));
    } catch (error) {
      setFault(failureText(error));
      setShare(null);
    }
  }
  async function save(format: ExportFormat) {
    const made = await template.run({ format });
    if (!made) return;
    const bytes = Uint8Array.from(atob(made.content), (character) => character.charCodeAt(0));
    saveFile(bytes, made.name, contentTypes[format]);
  }

  return (
    <div className="import-choose">
      {fault && <Alert type="error" showIcon title={fault} role="alert" />}
      <Upload.Dragger
        accept=".csv,.tsv,.txt,.xlsx"
        showUploadList={false}
        disabled={share !== null}
        beforeUpload={(file) => {
          void read(file);
          return false;
        }}
      >
        <p className="ant-upload-drag-icon">
          <InboxOutlined />
        </p>
        <p className="ant-upload-text">{t('code_import.drop')}</p>
        <p className="ant-upload-hint">{t('code_import.drop_help')}</p>
        {share !== null && <Progress percent={Math.round(share * 95)} status="active" />}
      </Upload.Dragger>
      <div className="import-templates">
        {exportFormats.map((format) => (
          <Button key={format} icon={<FileTextOutlined />} loading={template.isRunning} onClick={() => void save(format)}>
            {t('code_import.template', { format: format.toUpperCase() })}
          </Button>
        ))}
      </div>
    </div>
  );
}

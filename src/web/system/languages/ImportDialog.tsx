import { UploadOutlined } from '@ant-design/icons';
import { Button, Input, Table, Upload } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ImportedTextState, type ImportedTexts, maxImport, textFaults } from '../../../contract/system/language-list.ts';
import { type ApiFailure, api } from '../../kit/calls/api.ts';
import { fieldErrorText } from '../../kit/calls/failure.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { Status, type StatusKind } from '../../kit/feedback.ts';
import { useIsPhone } from '../../kit/look/media.ts';

const kindOf = (state: ImportedTextState): StatusKind =>
  textFaults.some((fault) => fault === state) ? 'error' : state === 'reset' ? 'neutral' : 'info';

// not messages: what a file looks like.
const sample = '{\n  "common.save": "…"\n}';

/** What a file would do, line by line: faults first. */
function Results({ report }: { report: ImportedTexts }) {
  const { t } = useTranslation();
  const rows = report.results.map((result, at) => ({ ...result, at }));
  return (
    <>
      <p role="status">
        {t('language_list.import_summary', { changes: report.changes, faults: report.faults, unchanged: report.unchanged })}
      </p>
      {rows.length > 0 && (
        <Table
          size="small"
          rowKey="at"
          dataSource={rows}
          pagination={rows.length > 50 ? { pageSize: 50, showSizeChanger: false } : false}
          scroll={{ x: 620, y: '36vh' }}
          columns={[
            {
              key: 'state',
              title: t('common.field.result'),
              width: 170,
              render: (_, row) => <Status kind={kindOf(row.state)} label={`language_list.line.${row.state}`} />,
            },
            { key: 'key', dataIndex: 'key', title: t('language_list.key'), className: 'lc-code lc-languages-key', width: 190 },
            { key: 'text', dataIndex: 'text', title: t('language_list.new_text'), className: 'lc-languages-text' },
          ]}
        />
      )}
    </>
  );
}

/** The texts given, what is wrong with them, and what taking them over would change. */
function useTextsImport(code: string, onTaken: () => void) {
  const [json, setJson] = useState('');
  const [report, setReport] = useState<ImportedTexts | null>(null);
  const [fault, setFault] = useState('');
  const onFailure = ({ fields }: ApiFailure) => {
    if (!fields.json) return false;
    setFault(fieldErrorText(fields.json));
    return true;
  };
  const check = useAction(api.language_list.check_texts, { success: false, onFailure });
  const take = useAction(api.language_list.import_texts, { invalidates: ['website'], success: 'language_list.imported', onFailure });

  function give(text: string) {
    setJson(text);
    setReport(null);
    setFault(text.length > maxImport ? fieldErrorText('texts_too_large') : '');
  }
  async function go() {
    if (!report) return setReport((await check.run({ code, json })) ?? null);
    if ((await take.run({ code, json })) !== undefined) onTaken();
  }
  return { json, report, fault, give, go, isRunning: check.isRunning || take.isRunning };
}

/** Texts from a file or from the clipboard: looked at first, then taken over. */
export function ImportDialog({ code, name, onClose }: { code: string; name: string; onClose: () => void }) {
  const { t } = useTranslation();
  const isPhone = useIsPhone();
  const { json, report, fault, give, go, isRunning } = useTextsImport(code, onClose);
  return (
    <Modal
      open
      onCancel={onClose}
      title={t('language_list.import_title', { name })}
      centered={!isPhone}
      footer={
        <div className="lc-form-footer">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            type="primary"
            loading={isRunning}
            disabled={json.trim() === '' || fault !== '' || report?.changes === 0}
            onClick={() => void go()}
          >
            {report ? t('language_list.import_apply', { number: report.changes }) : t('common.check')}
          </Button>
        </div>
      }
    >
      <div className="lc-languages-import">
        <p className="lc-form-intro">{t('language_list.import_help')}</p>
        <Upload
          accept=".json,application/json"
          showUploadList={false}
          beforeUpload={(file) => {
            void file.text().then(give);
            return false;
          }}
        >
          <Button icon={<UploadOutlined />}>{t('language_list.choose_file')}</Button>
        </Upload>
        <Input.TextArea
          className="lc-code"
          rows={report ? 4 : 10}
          value={json}
          placeholder={sample}
          aria-label={t('language_list.import_json')}
          status={fault ? 'error' : undefined}
          aria-invalid={fault !== ''}
          onChange={(event) => give(event.target.value)}
        />
        {fault && (
          <span className="lc-languages-fault" role="alert">
            {fault}
          </span>
        )}
        {report && <Results report={report} />}
      </div>
    </Modal>
  );
}

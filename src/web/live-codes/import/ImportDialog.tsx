import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { ImportFile, ImportPlan } from '../../../contract/codes/code-import.ts';
import type { AsyncOperation } from '../../../contract/system/async-operations.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { OperationDialog } from '../../kit/operations/OperationDialog.tsx';
import { useFormat } from '../../kit/texts/format.ts';
import { ChooseFile } from './ChooseFile.tsx';
import { ImportColumns } from './ImportColumns.tsx';
import { ImportDomains } from './ImportDomains.tsx';
import { type Checked, ImportPreview } from './ImportPreview.tsx';
import './import.css';

const isForeign = ({ source }: ImportFile) => source !== 'livecode' && source !== 'other';
const planOf = (file: ImportFile): ImportPlan => ({
  id: file.id,
  columns: file.columns,
  existing: 'skip',
  odd_keys: isForeign(file) ? 'new_key' : 'refuse',
});

/** Three steps: a file, what its columns hold, what would become of its rows; then an operation that does it. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const [file, setFile] = useState<ImportFile | null>(null);
  const [plan, setPlan] = useState<ImportPlan | null>(null);
  const [checked, setChecked] = useState<Checked | null>(null);
  const [operation, setOperation] = useState<number | null>(null);
  const check = useAction(api.code_import.check, { success: false });
  const start = useAction(api.code_import.start, { success: false, invalidates: ['async_operations'] });
  const written = checked ? checked.added + checked.updated : 0;

  function choose(chosen: ImportFile) {
    setFile(chosen);
    setPlan(planOf(chosen));
    setChecked(null);
  }
  async function look(wanted = plan) {
    if (wanted) setChecked((await check.run(wanted)) ?? checked);
  }
  async function acceptRisk(accept_risk: boolean) {
    if (!plan) return;
    const wanted = { ...plan, accept_risk };
    setPlan(wanted);
    await look(wanted);
  }
  async function run() {
    const started = plan ? await start.run(plan) : undefined;
    if (started) setOperation(started.operation_id);
  }
  const show = ({ change_id }: AsyncOperation) =>
    change_id !== null && (
      <Button
        type="primary"
        onClick={() => {
          onClose();
          void navigate(`/customer/qr_code_list?change_id=${change_id}`);
        }}
      >
        {t('code_import.show')}
      </Button>
    );
  if (operation !== null) return <OperationDialog id={operation} invalidates={['qr_code_list', 'group']} next={show} onClose={onClose} />;

  const footer =
    file && plan ? (
      <div className="lc-form-footer">
        <Button className="lc-import-other" onClick={() => (checked ? setChecked(null) : setFile(null))}>
          {t(checked ? 'code_import.back' : 'code_import.other_file')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        {checked ? (
          <Button type="primary" disabled={written === 0} loading={start.isRunning} onClick={() => void run()}>
            {t('code_import.start', { rows: format.exact(written) })}
          </Button>
        ) : (
          <Button type="primary" loading={check.isRunning} onClick={() => void look()}>
            {t('common.check')}
          </Button>
        )}
      </div>
    ) : null;

  return (
    <Modal
      open
      className="lc-form-modal"
      title={t('menu.code_import')}
      centered
      mask={{ closable: false }}
      onCancel={onClose}
      footer={footer}
    >
      {!file || !plan ? (
        <ChooseFile onRead={choose} />
      ) : (
        <>
          <p className="lc-form-intro">
            {t('code_import.read', { name: file.name, rows: format.exact(file.row_number), encoding: file.encoding.toUpperCase() })}
            {' · '}
            {t(`code_import.source.${file.source}`)}
          </p>
          {checked ? (
            <ImportPreview checked={checked} file={file}>
              <ImportDomains
                checked={checked}
                isAccepted={plan.accept_risk ?? false}
                accept={(isAccepted) => void acceptRisk(isAccepted)}
              />
            </ImportPreview>
          ) : (
            <ImportColumns file={file} plan={plan} change={(part) => setPlan({ ...plan, ...part })} />
          )}
        </>
      )}
    </Modal>
  );
}

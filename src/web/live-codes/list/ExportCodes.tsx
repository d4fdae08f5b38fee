import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportFormats } from '../../../contract/system/async-operations.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction } from '../../kit/calls/query.ts';
import { Modal } from '../../kit/dialogs/dialogs.tsx';
import { OperationDialog } from '../../kit/operations/OperationDialog.tsx';
import { useCodesWords } from './SettingDialogs.tsx';
import type { SelectedCode } from './useDialogs.ts';

/** Exports the selected codes in one of the formats. */
export function ExportCodes({ codes, onClose }: { codes: readonly SelectedCode[]; onClose: () => void }) {
  const { t } = useTranslation();
  const words = useCodesWords(codes);
  const [operation, setOperation] = useState<number | null>(null);
  const start = useAction(api.qr_code_list.export, { success: false });
  if (operation !== null) return <OperationDialog id={operation} onClose={onClose} />;
  return (
    <Modal
      open
      title={t('common.export.title')}
      width={400}
      centered
      onCancel={onClose}
      footer={
        <div className="lc-form-footer">
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          {exportFormats.map((format) => (
            <Button
              key={format}
              type="primary"
              loading={start.isRunning}
              onClick={() =>
                void start.run({ ids: codes.map(({ id }) => id), format }).then((started) => started && setOperation(started.operation_id))
              }
            >
              {format.toUpperCase()}
            </Button>
          ))}
        </div>
      }
    >
      <p>{words}</p>
    </Modal>
  );
}

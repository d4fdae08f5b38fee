import { DownloadOutlined } from '@ant-design/icons';
import { App, Button } from 'antd';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ExportFormat, exportFormats } from '../../../../contract/system/async-operations.ts';
import type { Endpoint } from '../../calls/api.ts';
import { failureText } from '../../calls/failure.ts';
import { Dropdown } from '../../dialogs/dialogs.tsx';
import { useAskedAct } from '../../useAskedAct.ts';
import type { ExportCall } from '../types.ts';

const OperationDialog = lazy(async () => ({ default: (await import('../../operations/OperationDialog.tsx')).OperationDialog }));

/** Exports everything that fits the filters as an operation, in the chosen format. */
export function OperationExport({ call, filters }: { call: ExportCall; filters: object }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const [isOpen, setIsOpen] = useState(false);
  useAskedAct('export', () => setIsOpen(true), true);
  const [operation, setOperation] = useState<number | null>(null);
  async function start(format: ExportFormat) {
    try {
      // The filters were read by the contract's own fields.
      const answer = await (call as unknown as Endpoint<object, { operation_id: number }>)({ ...filters, format });
      setOperation(answer.operation_id);
    } catch (error) {
      void message.error(failureText(error));
    }
  }
  return (
    <>
      <Dropdown
        open={isOpen}
        onOpenChange={setIsOpen}
        menu={{ items: exportFormats.map((format) => ({ key: format, label: format.toUpperCase(), onClick: () => void start(format) })) }}
      >
        <Button icon={<DownloadOutlined />} aria-label={t('common.export.title')} />
      </Dropdown>
      {operation !== null && (
        <Suspense>
          <OperationDialog id={operation} onClose={() => setOperation(null)} />
        </Suspense>
      )}
    </>
  );
}

import { DownloadOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { Button, Progress, Skeleton } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { AsyncOperation } from '../../../contract/system/async-operations.ts';
import { api } from '../calls/api.ts';
import { type GroupName, useAction, useCall } from '../calls/query.ts';
import { useSession } from '../calls/session.tsx';
import { Modal } from '../dialogs/dialogs.tsx';
import { Failure } from '../feedback/Failure.tsx';
import { Status } from '../feedback/Status.tsx';
import { useText } from '../texts/text.ts';
import { isUnderWay, percentOf, stateKinds, useDownload, useProgressText } from './operations.ts';

const pollMilliseconds = 1_000;

type OperationDialogProps = {
  id: number;
  /** Groups whose answers are stale once it has ended. */
  invalidates?: readonly GroupName[];
  onClose: () => void;
  /** What its end offers beside its file. */
  next?: (operation: AsyncOperation) => ReactNode;
};

/** Follows an operation that was just started: progress, a way to cancel it, its file; it goes on when the dialog is closed. */
export function OperationDialog({ id, invalidates, onClose, next }: OperationDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const text = useText();
  const { allows } = useSession();
  const progressText = useProgressText();
  const download = useDownload();
  const cancel = useAction(api.async_operations.cancel, { success: false });
  const answer = useCall(
    api.async_operations.inquire,
    { ids: [id], page: 1, page_size: 1 },
    { refetchInterval: (query) => (query.state.data?.content[0] && !isUnderWay(query.state.data.content[0]) ? false : pollMilliseconds) },
  );
  const operation = answer.data?.content[0];
  const isRunning = operation === undefined || isUnderWay(operation);
  const stale = isRunning ? '' : (invalidates ?? []).join(' ');
  useEffect(() => {
    for (const group of stale.split(' ')) if (group !== '') void client.invalidateQueries({ queryKey: [group] });
  }, [stale, client]);

  const following = operation && !isRunning && next?.(operation);
  return (
    <Modal
      open
      title={operation ? text(`async_operations.kind.${operation.kind}`) : t('async_operations.screen.started')}
      width={440}
      centered
      mask={{ closable: false }}
      onCancel={onClose}
      footer={
        <div className="lc-form-footer">
          {operation && isRunning && allows('async_operations.cancel') && (
            <Button danger loading={cancel.isRunning} onClick={() => void cancel.run({ id })}>
              {t('async_operations.screen.cancel_confirm')}
            </Button>
          )}
          <Button onClick={onClose}>{t(isRunning ? 'async_operations.screen.background' : 'common.close')}</Button>
          {following}
          {operation?.link && (
            <Button
              type={following ? 'default' : 'primary'}
              icon={<DownloadOutlined />}
              loading={download.isRunning}
              onClick={() => void download.run(id)}
            >
              {t('common.download')}
            </Button>
          )}
        </div>
      }
    >
      {answer.isError && !operation ? (
        <Failure error={answer.error} retry={() => void answer.refetch()} />
      ) : operation ? (
        <div aria-live="polite">
          <p>
            <Status kind={stateKinds[operation.state]} label={`async_operations.state.${operation.state}`} />
          </p>
          <Progress
            percent={percentOf(operation) ?? 0}
            status={operation.state === 'failed' ? 'exception' : isRunning ? 'active' : undefined}
          />
          <p className="lc-soft lc-num">{operation.message || progressText(operation)}</p>
        </div>
      ) : (
        <Skeleton active paragraph={{ rows: 1 }} />
      )}
    </Modal>
  );
}

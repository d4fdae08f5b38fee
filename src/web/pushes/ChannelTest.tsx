import { Button, Spin } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel, PushDelivery } from '../../contract/detection/shield-push.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Failure, Status } from '../kit/feedback.ts';
import { PushDetails } from './PushDetails.tsx';

/** Sends a test at once and shows what the receiver said. */
export function ChannelTest({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState<PushDelivery | null>(null);
  const { run, isRunning, failure } = useAction(api.shield_push.test, { success: false, onFailure: () => true, onSuccess: setAnswer });
  const send = () => {
    setAnswer(null);
    void run({ id: channel.id });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is sent once when the dialog opens, and then by its button.
  useEffect(send, []);
  return (
    <Modal
      open
      title={t('shield_push.test_channel')}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common.close')}</Button>
          <Button type="primary" loading={isRunning} onClick={send}>
            {t('shield_push.test_again')}
          </Button>
        </>
      }
    >
      {isRunning && !answer && (
        <p>
          <Spin size="small" /> {t('shield_push.testing')}
        </p>
      )}
      {failure && !isRunning && <Failure error={failure} />}
      {answer && (
        <>
          <p>
            <Status
              kind={answer.state === 'failed' ? 'error' : 'success'}
              label={answer.state === 'failed' ? 'shield_push.test_failed' : 'shield_push.test_arrived'}
            />
          </p>
          <PushDetails push={answer} />
        </>
      )}
    </Modal>
  );
}

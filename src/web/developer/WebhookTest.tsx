import { Button, Spin } from 'antd';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Delivery, Webhook } from '../../contract/people/webhook.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Failure, Status } from '../kit/feedback.ts';
import { DeliveryDetails } from './Deliveries.tsx';

/** Sends a test event at once and shows what the receiver said. */
export function WebhookTest({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation();
  const [answer, setAnswer] = useState<Delivery | null>(null);
  const { run, isRunning, failure } = useAction(api.webhook.test, { success: false, onFailure: () => true, onSuccess: setAnswer });
  const send = () => {
    setAnswer(null);
    void run({ id: webhook.id });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is sent once when the dialog opens, and then by its button.
  useEffect(send, []);

  return (
    <Modal
      open
      title={t('webhook.test_title')}
      onCancel={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('common.close')}</Button>
          <Button type="primary" loading={isRunning} onClick={send}>
            {t('webhook.test_again')}
          </Button>
        </>
      }
    >
      {isRunning && !answer && (
        <p>
          <Spin size="small" /> {t('webhook.testing', { url: webhook.url })}
        </p>
      )}
      {failure && !isRunning && <Failure error={failure} />}
      {answer && (
        <>
          <p>
            <Status
              kind={answer.state === 'delivered' ? 'success' : 'error'}
              label={answer.state === 'delivered' ? 'home.webhook_arrived' : 'home.webhook_failed'}
            />{' '}
            <span className="lc-soft lc-num">
              {[...(answer.status === null ? [] : [`HTTP ${answer.status}`]), `${answer.duration_ms} ms`].join(' · ')}
            </span>
          </p>
          <DeliveryDetails delivery={answer} />
        </>
      )}
    </Modal>
  );
}

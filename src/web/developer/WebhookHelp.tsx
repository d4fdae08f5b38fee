import { CopyOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { ownEventTypes, verifyExample } from '../../contract/people/webhook.ts';
import { Drawer } from '../kit/dialogs/dialogs.tsx';
import { useCopy } from './Secret.tsx';
import './developer.css';

const delivered = `POST /hooks/livecode
webhook-id: evt_1024
webhook-timestamp: 1790000000
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

{"type":"code.exhausted","timestamp":"2026-09-21T13:33:20.000Z",
 "data":{"id":7,"file_name":"tea-group","name":"Tea group"}}`;

/** What a receiver gets, and how it knows that it comes from here. */
export function WebhookHelp({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <Drawer open title={t('webhook.how')} size={600} onClose={onClose}>
      <div className="lc-developer-help">
        <p>{t('webhook.how_request')}</p>
        <pre className="lc-example lc-code">{delivered}</pre>
        <dl className="lc-event-list">
          {ownEventTypes.map((type) => (
            <Fragment key={type}>
              <dt>
                <code>{type}</code>
              </dt>
              <dd>{t(`webhook.event.${type}`)}</dd>
            </Fragment>
          ))}
        </dl>
        <p>{t('webhook.how_answer')}</p>
        <p>{t('webhook.how_retry')}</p>
        <p>{t('webhook.how_signature')}</p>
        <pre className="lc-example lc-code">{verifyExample}</pre>
        <div>
          <Button size="small" icon={<CopyOutlined />} onClick={() => void copy(verifyExample)}>
            {t('developer.copy_example')}
          </Button>
        </div>
      </div>
    </Drawer>
  );
}

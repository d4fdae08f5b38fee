import { Alert, Button, Input, Space } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../contract/kit/call.ts';
import type { forwards } from '../../contract/links/forward.ts';
import { api } from '../kit/calls/api.ts';
import { useAction } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import './forward.css';

type Answer = OutputOf<(typeof forwards)['calls']['test']>;

/** Says where an address of one's own domains would lead, without visiting it. */
export function TestAddress({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const [url, setUrl] = useState('');
  const [answer, setAnswer] = useState<Answer | null>(null);
  const test = useAction(api.forward.test, { success: false });

  async function run() {
    if (url.trim() === '') return;
    setAnswer((await test.run({ url })) ?? null);
  }

  return (
    <Modal open title={t('forward.test.title')} footer={null} onCancel={onClose}>
      <p className="lc-soft lc-forward-test-help">{t('forward.test.help')}</p>
      <Space.Compact block>
        <Input
          autoFocus
          value={url}
          aria-label={t('forward.test.address')}
          placeholder="https://a.example.com/docs/start"
          onChange={(event) => setUrl(event.target.value)}
          onPressEnter={() => void run()}
          maxLength={4096}
        />
        <Button type="primary" loading={test.isRunning} disabled={url.trim() === ''} onClick={() => void run()}>
          {t('menu.button.test')}
        </Button>
      </Space.Compact>
      <div className="lc-forward-answer" aria-live="polite">
        {answer && <AnswerOf answer={answer} />}
      </div>
    </Modal>
  );
}

function AnswerOf({ answer: { outcome, forward, location, status, code } }: { answer: Answer }) {
  const { t } = useTranslation();
  if (outcome === 'forwarded' && forward && location) {
    return (
      <Alert
        type="success"
        showIcon
        title={
          <>
            {t('forward.test.forwarded')} <span className="lc-forward-location">{location}</span>
          </>
        }
        description={t('forward.test.by', { path: forward.path, status: status ?? '' })}
      />
    );
  }
  if (outcome === 'code') return <Alert type="info" showIcon title={t('forward.test.code', { name: code ?? '' })} />;
  return <Alert type={outcome === 'none' ? 'info' : 'warning'} showIcon title={t(`forward.test.${outcome}`)} />;
}

import { CopyOutlined } from '@ant-design/icons';
import { Alert, App, Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { copyText } from '../kit/feedback/Copyable.tsx';
import './developer.css';

/** Text to be taken along whole, with a button that does so. */
export function useCopy(): (value: string) => Promise<void> {
  const { t } = useTranslation();
  const { message } = App.useApp();
  return (value) =>
    copyText(value).then(
      () => void message.success(t('common.copied')),
      () => void message.error(t('common.copy_failed')),
    );
}

type SecretDialogProps = { title: string; warning: string; secret: string; children?: ReactNode; onClose: () => void };

/** A secret that is shown this once. It closes by its button only: a slip beside it would lose the secret. */
export function SecretDialog({ title, warning, secret, children, onClose }: SecretDialogProps) {
  const { t } = useTranslation();
  const copy = useCopy();
  return (
    <Modal
      open
      title={t(title)}
      width={640}
      closable={false}
      keyboard={false}
      mask={{ closable: false }}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('developer.kept')}
        </Button>
      }
    >
      <Alert type="warning" showIcon title={t(warning)} />
      <div className="lc-secret">
        <code>{secret}</code>
        <Button icon={<CopyOutlined />} onClick={() => void copy(secret)}>
          {t('developer.copy')}
        </Button>
      </div>
      {children}
    </Modal>
  );
}

import { CopyOutlined, DownloadOutlined } from '@ant-design/icons';
import { Alert, App, Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../kit/calls/session.tsx';
import { copyText } from '../../kit/feedback/Copyable.tsx';

/** Recovery codes, readable this once: copied or kept as a file before one goes on. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { user } = useSession();
  const [isKept, setIsKept] = useState(false);
  const text = codes.join('\n');

  async function copy() {
    try {
      await copyText(text);
      void message.success(t('common.copied'));
    } catch {
      void message.error(t('common.copy_failed'));
    }
  }

  function download() {
    const address = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `recovery-codes-${user?.account ?? ''}.txt`;
    link.click();
    URL.revokeObjectURL(address);
  }

  return (
    <div className="lc-security-step">
      <Alert type="warning" showIcon title={t('update_password.recovery.once')} description={t('update_password.recovery.help')} />
      <ul className="lc-recovery-codes lc-code" aria-label={t('update_password.recovery.title')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="lc-security-actions">
        <Button icon={<CopyOutlined />} onClick={() => void copy()}>
          {t('update_password.recovery.copy')}
        </Button>
        <Button icon={<DownloadOutlined />} onClick={download}>
          {t('update_password.recovery.download')}
        </Button>
      </div>
      <Checkbox checked={isKept} onChange={(event) => setIsKept(event.target.checked)}>
        {t('update_password.recovery.kept')}
      </Checkbox>
      <Button type="primary" block disabled={!isKept} onClick={onDone}>
        {t('update_password.recovery.done')}
      </Button>
    </div>
  );
}

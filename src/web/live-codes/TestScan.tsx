import { ExportOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { LiveCode } from '../../contract/codes/live-code.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Copyable } from '../kit/feedback.ts';
import { toQrDesign } from '../qr/drawing/design.ts';
import { QrImage } from '../qr/QrImage.tsx';

const isLocal = (url: string): boolean => /^(localhost|127\.|\[::1\])/.test(URL.parse(url)?.host ?? '');

/** The code as visitors meet it: to be scanned with a phone, or opened here. */
export function TestScan({ code, onClose }: { code: Pick<LiveCode, 'name' | 'url' | 'qr_design'>; onClose: () => void }) {
  const { t } = useTranslation();
  const { url } = code;
  if (!url) return null;
  return (
    <Modal
      open
      title={t('set_qr_code.test.title')}
      onCancel={onClose}
      width={420}
      footer={
        <Button type="primary" icon={<ExportOutlined />} href={url} target="_blank" rel="noopener">
          {t('set_qr_code.test.open')}
        </Button>
      }
    >
      <div className="code-test">
        <QrImage
          className="code-test-image"
          text={url}
          alt={t('qr_code_list.qr_of', { name: code.name })}
          design={toQrDesign(code.qr_design)}
          width={240}
        />
        <Copyable value={url} />
        <p className="lc-soft">{t('set_qr_code.test.help')}</p>
        {isLocal(url) && <Alert className="code-alert" type="info" showIcon title={t('set_qr_code.test.local')} />}
      </div>
    </Modal>
  );
}

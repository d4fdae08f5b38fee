import { CopyOutlined, MobileOutlined } from '@ant-design/icons';
import { Button, Tooltip } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { LiveCodeDetails } from '../../../contract/live-code.ts';
import type { ContractFormState } from '../../kit/FormModal.tsx';
import { Time } from '../../kit/feedback.ts';
import { Allowed } from '../../kit/session.tsx';
import { TestScan } from '../TestScan.tsx';

type SaveBarProps = {
  form: ContractFormState;
  code: LiveCodeDetails | undefined;
  /** Whether the user may save. */
  isVisible: boolean;
  discard: () => void;
  extra: ReactNode;
};

/** Stays at the bottom: what is unsaved, and what can be done with the code. */
export function SaveBar({ form, code, isVisible, discard, extra }: SaveBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isTesting, setIsTesting] = useState(false);
  return (
    <footer className="code-save-bar">
      <p aria-live="polite">
        {form.isDirty ? (
          <span className="code-unsaved">{t('set_qr_code.unsaved')}</span>
        ) : code ? (
          <span className="lc-soft">
            {t('set_qr_code.saved_at')} <Time value={code.updated_at} />
          </span>
        ) : null}
      </p>
      <div className="code-save-actions">
        {extra}
        {code && (
          <>
            <Allowed node="qr_code_list.add">
              <Button
                icon={<CopyOutlined />}
                onClick={() => void navigate(`/customer/set_qr_code?copy=${code.id}`)}
                disabled={form.isDirty}
              >
                {t('set_qr_code.duplicate')}
              </Button>
            </Allowed>
            <Tooltip title={form.isDirty ? t('set_qr_code.test.save_first') : undefined}>
              <Button icon={<MobileOutlined />} onClick={() => setIsTesting(true)} disabled={!code.url}>
                {t('set_qr_code.test.title')}
              </Button>
            </Tooltip>
          </>
        )}
        {form.isDirty && code && <Button onClick={discard}>{t('set_qr_code.discard.button')}</Button>}
        {isVisible && (
          <Button type="primary" className="code-save-main" loading={form.isRunning} onClick={() => void form.submit()}>
            {t(code ? 'set_qr_code.save' : 'set_qr_code.create_button')}
          </Button>
        )}
      </div>
      {isTesting && code && <TestScan code={code} onClose={() => setIsTesting(false)} />}
    </footer>
  );
}

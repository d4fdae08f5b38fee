import { CopyOutlined, EyeOutlined, HistoryOutlined, MobileOutlined, UndoOutlined } from '@ant-design/icons';
import { Button, type ButtonProps, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import type { ContractFormState } from '../../kit/dialogs/FormModal.tsx';
import { Time } from '../../kit/feedback.ts';
import { TestScan } from '../TestScan.tsx';
import { VersionsDrawer } from '../versions/VersionsDrawer.tsx';

type SaveBarProps = {
  form: ContractFormState;
  code: LiveCodeDetails | undefined;
  maySave: boolean;
  discard: () => void;
  /** Shows the code as it became beside the form. */
  take: (code: LiveCodeDetails) => void;
  /** Opens the preview, where it doesn't stand beside the form. */
  preview: (() => void) | null;
};

/** Stays at the bottom: what is unsaved, and what can be done with the code. */
export function SaveBar({ form, code, maySave, discard, take, preview }: SaveBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [isTesting, setIsTesting] = useState(false);
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  return (
    <footer className="code-save-bar">
      <p className="code-save-state" aria-live="polite">
        {form.isDirty ? (
          <span className="code-unsaved">{t('set_qr_code.unsaved')}</span>
        ) : code ? (
          <span className="lc-soft">
            {t('set_qr_code.saved_at')} <Time value={code.updated_at} />
          </span>
        ) : null}
      </p>
      <div className="code-save-actions">
        {preview && <SideButton icon={<EyeOutlined aria-hidden />} words="set_qr_code.preview.open" onClick={preview} />}
        {code && (
          <>
            <Allowed node="qr_code_list.add">
              <SideButton
                icon={<CopyOutlined aria-hidden />}
                words="set_qr_code.duplicate"
                disabled={form.isDirty}
                onClick={() => void navigate(`/customer/set_qr_code?copy=${code.id}`)}
              />
            </Allowed>
            <SideButton
              icon={<HistoryOutlined aria-hidden />}
              words="code_version.history"
              disabled={form.isDirty}
              onClick={() => setIsHistoryOpen(true)}
            />
            <Tooltip title={form.isDirty ? t('set_qr_code.test.save_first') : undefined}>
              <SideButton
                icon={<MobileOutlined aria-hidden />}
                words="set_qr_code.test.title"
                disabled={!code.url}
                onClick={() => setIsTesting(true)}
              />
            </Tooltip>
          </>
        )}
        {form.isDirty && code && <SideButton icon={<UndoOutlined aria-hidden />} words="set_qr_code.discard.button" onClick={discard} />}
        {maySave && (
          <Button type="primary" className="code-save-main" loading={form.isRunning} onClick={() => void form.submit()}>
            {t(code ? 'set_qr_code.save' : 'set_qr_code.create_button')}
          </Button>
        )}
      </div>
      {isTesting && code && <TestScan code={code} onClose={() => setIsTesting(false)} />}
      {isHistoryOpen && code && <VersionsDrawer code={code} onRestored={take} onClose={() => setIsHistoryOpen(false)} />}
    </footer>
  );
}

/** A button beside the main one; on a phone its icon alone, so that all stand in one row. */
function SideButton({ words, ...button }: ButtonProps & { words: string }) {
  const { t } = useTranslation();
  return (
    <Button {...button} aria-label={t(words)}>
      <span className="code-save-word">{t(words)}</span>
    </Button>
  );
}

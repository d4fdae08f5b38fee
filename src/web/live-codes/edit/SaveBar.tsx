import { CopyOutlined, EyeOutlined, UndoOutlined } from '@ant-design/icons';
import { Button, type ButtonProps } from 'antd';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { Allowed } from '../../kit/calls/session.tsx';
import type { ContractFormState } from '../../kit/dialogs/FormModal.tsx';
import { Time } from '../../kit/feedback.ts';

type SaveBarProps = {
  form: ContractFormState;
  code: LiveCodeDetails | undefined;
  maySave: boolean;
  discard: () => void;
  /** Opens the preview, where it doesn't stand beside the form. */
  preview: (() => void) | null;
};

/** Stays at the bottom: what is unsaved, and what can be done with the code. */
export function SaveBar({ form, code, maySave, discard, preview }: SaveBarProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <footer className="lc-code-save-bar">
      <p className="lc-code-save-state" aria-live="polite">
        {form.isDirty ? (
          <span className="lc-code-unsaved">{t('set_qr_code.unsaved')}</span>
        ) : code ? (
          <span className="lc-soft">
            {t('set_qr_code.saved_at')} <Time value={code.updated_at} />
          </span>
        ) : null}
      </p>
      <div className="lc-code-save-actions">
        {preview && <SideButton icon={<EyeOutlined aria-hidden />} words="common.preview" onClick={preview} />}
        {code && (
          <Allowed node="qr_code_list.add">
            <SideButton
              icon={<CopyOutlined aria-hidden />}
              words="set_qr_code.duplicate"
              disabled={form.isDirty}
              onClick={() => void navigate(`/customer/set_qr_code?copy=${code.id}`)}
            />
          </Allowed>
        )}
        {form.isDirty && code && <SideButton icon={<UndoOutlined aria-hidden />} words="set_qr_code.discard.button" onClick={discard} />}
        {maySave && (
          <Button type="primary" className="lc-code-save-main" loading={form.isRunning} onClick={() => void form.submit()}>
            {t(code ? 'common.save' : 'set_qr_code.create_button')}
          </Button>
        )}
      </div>
    </footer>
  );
}

/** A button beside the main one; on a phone its icon alone, so that all stand in one row. */
function SideButton({ words, ...button }: ButtonProps & { words: string }) {
  const { t } = useTranslation();
  return (
    <Button {...button} aria-label={t(words)}>
      <span className="lc-code-save-word">{t(words)}</span>
    </Button>
  );
}

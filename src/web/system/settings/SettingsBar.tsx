import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { SettingsForm } from './useSettingsForm.ts';

/** Stands at the bottom while something is unsaved. */
export function SettingsBar({ form, submit }: { form: SettingsForm; submit: string }) {
  const { t } = useTranslation();
  if (form.edited.length === 0) return null;
  return (
    <footer className="lc-settings-bar">
      <span className="lc-settings-unsaved" aria-live="polite">
        {t('configuration.unsaved', { number: form.edited.length })}
      </span>
      <Button disabled={form.isRunning} onClick={form.discard}>
        {t('common.discard')}
      </Button>
      <Button type="primary" loading={form.isRunning} onClick={() => void form.save()}>
        {t(submit)}
      </Button>
    </footer>
  );
}

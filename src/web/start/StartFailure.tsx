import { useTranslation } from 'react-i18next';
import { useStarted } from '../kit/shell/startFrame.ts';

/** Stands for the whole app where its code could not be loaded: a new version was installed meanwhile, or the line is down. */
export function StartFailure() {
  const { t } = useTranslation();
  useStarted();
  return (
    <main className="lc-empty" role="alert">
      <p className="lc-empty-title">{t('common.load_failed')}</p>
      <button type="button" onClick={() => window.location.reload()}>
        {t('common.retry')}
      </button>
    </main>
  );
}

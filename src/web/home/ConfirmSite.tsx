import { Button } from 'antd';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../kit/calls/session.tsx';
import { useDialog } from '../kit/useDialog.ts';

const ConfirmSiteDialog = lazy(async () => ({ default: (await import('./ConfirmSiteDialog.tsx')).ConfirmSiteDialog }));

/** Asks whether a restored copy is the site. Leaving it as it is takes nothing. */
export function ConfirmSite() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const dialog = useDialog<true>();
  if (!allows('configuration.update')) return null;
  return (
    <>
      <Button onClick={() => void dialog.open(true)}>{t('home.copy.is_site')}</Button>
      {dialog.present && (
        <Suspense>
          <ConfirmSiteDialog onClose={dialog.close} />
        </Suspense>
      )}
    </>
  );
}

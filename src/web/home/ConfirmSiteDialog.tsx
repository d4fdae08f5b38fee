import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { ProvedModal } from '../kit/dialogs/ProvedModal.tsx';
import { useFormat } from '../kit/texts/format.ts';

/** What it means that this is the site, and what is sent then. */
function Consequences() {
  const { t } = useTranslation();
  const { exact, time } = useFormat();
  const { data } = useCall(api.restored_copy.inquire, {});
  if (!data?.backed_up_at) return null;
  const { webhooks, pushes, payouts, collections } = data.waiting;
  const numbers = { webhooks: exact(webhooks), pushes: exact(pushes), payouts: exact(payouts), collections: exact(collections) };
  return (
    <>
      <p>{t('home.copy.since', { at: time(data.backed_up_at) })}</p>
      <p>{t('home.copy.waiting', numbers)}</p>
      {payouts > 0 && <Alert type="warning" showIcon title={t('home.copy.payouts')} />}
    </>
  );
}

export function ConfirmSiteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <ProvedModal
      action={api.restored_copy.declare_site}
      title="home.copy.title"
      submit="home.copy.submit"
      success="home.copy.done"
      danger
      invalidates={['home', 'restored_copy']}
      intro={
        <>
          <p>{t('home.copy.intro')}</p>
          <Consequences />
        </>
      }
      onClose={onClose}
    />
  );
}

import { Alert } from 'antd';
import { useTranslation } from 'react-i18next';
import type { PayNetwork } from '../../contract/money/pay-config.ts';

/** Stands on every screen of payments while they run on the embedded network: its money is worth nothing. */
export function TestNetwork({ network }: { network: PayNetwork | undefined }) {
  const { t } = useTranslation();
  if (network !== 'test') return null;
  return <Alert type="warning" showIcon title={t('pay_config.test_network')} description={t('pay_config.test_network_help')} />;
}

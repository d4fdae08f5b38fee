import { useTranslation } from 'react-i18next';
import type { LogRow } from '../../../contract/log.ts';

/** Who acted; where an administrator acted as somebody, both. */
export function LogUser({ row }: { row: LogRow }) {
  const { t } = useTranslation();
  const account = row.user_account ?? t('log.screen.nobody');
  if (row.impersonator_account === null) return account;
  return t('log.screen.as', { account, impersonator: row.impersonator_account });
}

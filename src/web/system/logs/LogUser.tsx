import { useTranslation } from 'react-i18next';
import { tokenOfSource } from '../../../contract/people/api-token.ts';
import type { LogRow } from '../../../contract/system/log.ts';

/** Who acted; where an administrator acted as somebody, or an API token for somebody, both. */
export function LogUser({ row }: { row: LogRow }) {
  const { t } = useTranslation();
  const account = row.user_account ?? t('log.screen.nobody');
  const token = tokenOfSource(row.source);
  if (token !== undefined) return t('log.screen.by_token', { account, token });
  if (row.impersonator_account === null) return account;
  return t('log.screen.as', { account, impersonator: row.impersonator_account });
}

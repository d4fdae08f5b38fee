import { Alert, Checkbox } from 'antd';
import { useTranslation } from 'react-i18next';
import { DomainLine } from '../../kit/domainChoice.tsx';
import { hostLabel } from '../../kit/host.ts';
import type { Checked } from './ImportPreview.tsx';

type Props = { checked: Checked; isAccepted: boolean; accept: (isAccepted: boolean) => void };

/** The domains that the file names with what is known of them, and the question whether those with a risk shall be taken all the same. */
export function ImportDomains({ checked: { domains, usual_entry }, isAccepted, accept }: Props) {
  const { t } = useTranslation();
  if (domains.length === 0) return null;
  const left = usual_entry ? t('code_import.risky_left', { host: hostLabel(usual_entry) }) : t('code_import.risky_left_none');
  return (
    <section>
      <h3>{t('code_import.domains')}</h3>
      <ul className="lc-import-domains">
        {domains.map((option) => (
          <li key={option.id}>
            <DomainLine option={option} />
          </li>
        ))}
      </ul>
      {domains.some(({ risk }) => risk !== null) && (
        <Alert
          type={isAccepted ? 'error' : 'warning'}
          showIcon
          title={isAccepted ? t('code_import.risky_taken') : left}
          description={
            <Checkbox checked={isAccepted} onChange={(event) => accept(event.target.checked)}>
              {t('domain_list.accept_risk')}
            </Checkbox>
          }
        />
      )}
    </section>
  );
}

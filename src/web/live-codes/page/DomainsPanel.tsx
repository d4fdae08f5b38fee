import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import type { CodeDomain, LiveCodeDetails } from '../../../contract/codes/live-code.ts';
import { BlockStatus, blockState, Certificate, certificateState, dnsStatus } from '../../kit/domainStates.tsx';
import { Host, Status } from '../../kit/feedback.ts';
import type { OpenDialog } from '../list/useDialogs.ts';
import { useCodeRights } from './useCodeRights.ts';

const uses = ['entry', 'landing'] as const;

/** Whether something about a domain keeps visitors out, or soon will. */
const isFaulty = (domain: CodeDomain): boolean =>
  !domain.enabled ||
  [blockState(domain), dnsStatus(domain), certificateState(domain)].some(({ kind }) => kind === 'error' || kind === 'warning');

/** The domains of a code with what was found of each, and another one in its place. */
export function DomainsPanel({ code, open }: { code: LiveCodeDetails; open: OpenDialog }) {
  const { t } = useTranslation();
  const { may } = useCodeRights(code);
  const isWrong = code.domains.some(isFaulty) || code.entry_domain_id === null;
  return (
    <section className="lc-panel lc-code-domains">
      <div className="lc-panel-head">
        <div>
          <h2>{t('qr_code.domains')}</h2>
        </div>
        {may('domain') && (
          <Button type={isWrong ? 'primary' : 'default'} onClick={() => void open({ kind: 'domain', codes: [code] })}>
            {t('qr_code_list.actions.domain')}
          </Button>
        )}
      </div>
      <dl className="lc-code-domain-list">
        {uses.map((use) => (
          <div key={use}>
            <dt>{t(`qr_code_list.columns.${use}`)}</dt>
            <dd>
              <DomainState use={use} domain={code.domains.find((one) => one.use === use)} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function DomainState({ use, domain }: { use: CodeDomain['use']; domain: CodeDomain | undefined }) {
  const { t } = useTranslation();
  if (!domain) {
    if (use === 'entry') return <Status kind="error" label="qr_code_list.no_entry_domain" />;
    return <span className="lc-soft">{t('set_qr_code.domain.none_landing')}</span>;
  }
  return (
    <>
      <Host row={domain} />
      <span className="lc-code-domain-states">
        {!domain.enabled && <Status kind="error" label="common.disabled" />}
        {domain.block_status !== null && (
          <span>
            {t('domain_list.block_status')} <BlockStatus row={domain} />
          </span>
        )}
        {domain.dns_state !== null && (
          <span>
            {t('domain_list.dns_state')} <Status {...dnsStatus(domain)} />
          </span>
        )}
        {domain.dns_state === null && domain.block_status === null && <Status {...dnsStatus(domain)} />}
        {domain.certificate_state !== null && (
          <span>
            {t('domain_list.certificate_title')} <Certificate row={domain} />
          </span>
        )}
      </span>
    </>
  );
}

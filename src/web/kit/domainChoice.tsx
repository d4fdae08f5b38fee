import { Alert, Checkbox, Form } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import type { DomainOption } from '../../contract/domains/domain-list.ts';
import { domainType, type domainTypes } from '../../contract/enums.ts';
import { api } from './calls/api.ts';
import { fieldErrorText } from './calls/failure.ts';
import { useCall } from './calls/query.ts';
import { BlockStatus, certificateState, dnsStatus } from './domainStates.tsx';
import { Status } from './feedback/Status.tsx';
import { useFormContext } from './form/ContractForm.tsx';
import { hostLabel } from './host.ts';

/** The domains that a user may put on codes, those without a known risk first. */
export function useDomainOptions(type: (typeof domainTypes)[number], ownerId?: number) {
  return useCall(api.domain_list.options, { type, ...(ownerId === undefined ? {} : { owner_id: ownerId }) });
}

type Shown = Omit<DomainOption, 'risk'> & Partial<Pick<DomainOption, 'risk'>>;

/** A domain with what is known of it; `proposed` marks the one to take. */
export function DomainLine({ label, option, proposed = false }: { label?: string; option: Shown | undefined; proposed?: boolean }) {
  const { t } = useTranslation();
  return (
    <span className="lc-domain-option">
      <span>
        {label ?? (option && hostLabel(option))}
        {proposed && <span className="lc-domain-proposed">{t('domain_list.proposed')}</span>}
      </span>
      {option && <DomainState option={option} />}
    </span>
  );
}

/** Whether messengers block it, where it does not lead here, and a certificate that browsers warn of. */
function DomainState({ option }: { option: Shown }) {
  const { t } = useTranslation();
  const { certificate_state: state } = option;
  // One that was good when it was looked at has ended since.
  const certificate = certificateState({ ...option, certificate_state: state === 'valid' ? 'expired' : state });
  const leadsAway = option.dns_state === 'elsewhere' || option.dns_state === 'nothing';
  return (
    <span className="lc-domain-states">
      {leadsAway && <Status {...dnsStatus(option)} />}
      {option.risk === 'certificate' && (
        <Status {...certificate} label={`${t('domain_list.certificate_title')} · ${t(certificate.label)}`} />
      )}
      <BlockStatus row={option} />
    </span>
  );
}

type RiskProps = { option: DomainOption | undefined; value?: boolean; onChange?: (isAccepted: boolean) => void };

/** What is wrong with the chosen domain, and the question whether it shall be used nevertheless; nothing where nothing is known. */
export function DomainRisk({ option, value = false, onChange }: RiskProps) {
  const { t } = useTranslation();
  if (!option?.risk) return null;
  return (
    <Alert
      type="error"
      showIcon
      className="lc-domain-risk"
      title={fieldErrorText(`risky_domain_${option.risk}`)}
      description={
        <Checkbox checked={value} onChange={(event) => onChange?.(event.target.checked)}>
          {t('domain_list.accept_risk')}
        </Checkbox>
      }
    />
  );
}

/**
 * In a form that puts domains on codes: the question about a chosen one that has a risk, as the field `accept_risk`. The form is held until it
 * is answered, for each domain anew.
 */
export function DomainRiskField({ ownerId }: { ownerId?: number | undefined }) {
  const { form, hold } = useFormContext();
  const chosen = [Form.useWatch('entry_domain_id', form), Form.useWatch('landing_domain_id', form)];
  const options = [useDomainOptions(domainType.entry, ownerId), useDomainOptions(domainType.landing, ownerId)];
  const risky = options.flatMap(({ data }) => data?.content ?? []).find((option) => chosen.includes(option.id) && option.risk);
  const risky_id = risky?.id;
  const isAccepted = Form.useWatch('accept_risk', { form, preserve: true }) === true;
  useEffect(() => {
    if (risky_id !== undefined) form.setFieldValue('accept_risk', false);
  }, [form, risky_id]);
  useEffect(() => hold(risky_id !== undefined && !isAccepted), [hold, risky_id, isAccepted]);
  return (
    // Its line is there from the beginning: the fields before it keep their columns when the question comes.
    <div>
      <Form.Item name="accept_risk" noStyle>
        <DomainRisk option={risky} />
      </Form.Item>
    </div>
  );
}

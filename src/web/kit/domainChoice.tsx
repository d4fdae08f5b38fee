import { Alert, Checkbox, Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { riskOf } from '../../contract/domains/domain-check.ts';
import type { domainList } from '../../contract/domains/domain-list.ts';
import { domainType, type domainTypes } from '../../contract/enums.ts';
import type { OutputOf } from '../../contract/kit/call.ts';
import { api } from './calls/api.ts';
import { fieldErrorText } from './calls/failure.ts';
import { useCall } from './calls/query.ts';
import { BlockStatus } from './domainStates.tsx';
import { Status } from './feedback/Status.tsx';
import { useFormContext } from './form/ContractForm.tsx';
import { hostLabel } from './host.ts';

export type DomainOption = OutputOf<(typeof domainList)['calls']['options']>['content'][number];
/** The domains that a user may put on codes, those without a known risk first. */
export function useDomainOptions(type: (typeof domainTypes)[number], ownerId?: number) {
  return useCall(api.domain_list.options, { type, ...(ownerId === undefined ? {} : { owner_id: ownerId }) });
}

/** A domain with what is known to be wrong with it. */
export function DomainLine({ label, option }: { label?: string; option: DomainOption | undefined }) {
  return (
    <span className="lc-domain-option">
      <span>{label ?? (option && hostLabel(option))}</span>
      {option && <DomainState option={option} />}
    </span>
  );
}

function DomainState({ option }: { option: DomainOption }) {
  const risk = riskOf(option);
  if (risk === 'elsewhere') return <Status kind="error" label={`domain_list.dns.${option.dns_state}`} />;
  return option.block_status === null && option.suspected_since === null ? null : <BlockStatus row={option} />;
}

type RiskProps = { option: DomainOption | undefined; value?: boolean; onChange?: (isAccepted: boolean) => void };

/** What is wrong with the chosen domain, and the question whether it shall be used nevertheless; nothing where nothing is known. */
export function DomainRisk({ option, value = false, onChange }: RiskProps) {
  const { t } = useTranslation();
  const risk = option && riskOf(option);
  if (!risk) return null;
  return (
    <Alert
      type="error"
      showIcon
      className="lc-domain-risk"
      title={fieldErrorText(`risky_domain_${risk}`)}
      description={
        <Checkbox checked={value} onChange={(event) => onChange?.(event.target.checked)}>
          {t('domain_list.accept_risk')}
        </Checkbox>
      }
    />
  );
}

/** In a form that puts domains on codes: the question about a chosen one that has a risk, as the field `accept_risk`. */
export function DomainRiskField({ ownerId }: { ownerId?: number | undefined }) {
  const { form } = useFormContext();
  const chosen = [Form.useWatch('entry_domain_id', form), Form.useWatch('landing_domain_id', form)];
  const options = [useDomainOptions(domainType.entry, ownerId), useDomainOptions(domainType.landing, ownerId)];
  const risky = options.flatMap(({ data }) => data?.content ?? []).find((option) => chosen.includes(option.id) && riskOf(option));
  return (
    <Form.Item name="accept_risk" noStyle>
      <DomainRisk option={risky} />
    </Form.Item>
  );
}

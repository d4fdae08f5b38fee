import { App } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { DomainlessCode, noDomainName } from '../../../contract/codes/codes-without-domain.ts';
import type { OutputOf } from '../../../contract/kit/call.ts';
import { api } from '../../kit/calls/api.ts';
import { type FieldData, FormModal } from '../../kit/dialogs/FormModal.tsx';
import { DomainRiskField } from '../../kit/domainChoice.tsx';
import { hostOption } from '../../kit/host.ts';
import { remoteOptions } from '../../kit/options.ts';

type Assigned = OutputOf<(typeof noDomainName)['calls']['assign']>;
type Props = {
  action: typeof api.no_domain_name.assign | typeof api.nodomain.assign;
  codes: readonly DomainlessCode[];
  onClose: () => void;
};

/** Domains that the owner of all these codes may use: of several owners only those of the platform are everybody's. */
function useFields(owner_id: number | undefined): FieldData[] {
  return useMemo(() => {
    const domainsOf = (type: 1 | 2) =>
      remoteOptions(api.domain_list.options, () => ({ type, ...(owner_id === undefined ? {} : { owner_id }) }), hostOption);
    const isChosen = (values: Record<string, unknown>) => values.way === 'chosen';
    return [
      {
        kind: 'radio',
        name: 'way',
        label: 'no_domain_name.way',
        options: [
          { value: 'automatic', label: 'no_domain_name.way_automatic', help: 'no_domain_name.way_automatic_help' },
          { value: 'chosen', label: 'no_domain_name.way_chosen', help: 'no_domain_name.way_chosen_help' },
        ],
      },
      { kind: 'remote', name: 'entry_domain_id', label: 'domain_list.type_1', source: domainsOf(1), visible: isChosen },
      {
        kind: 'remote',
        name: 'landing_domain_id',
        label: 'domain_list.type_2',
        placeholder: 'no_domain_name.unchanged',
        source: domainsOf(2),
        visible: isChosen,
      },
    ];
  }, [owner_id]);
}

/** Gives codes a domain: each a healthy one of its owner, or all the same. */
export function AssignDomain({ action, codes, onClose }: Props) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const owners = [...new Set(codes.map((code) => code.owner_id))];
  const owner = owners.length === 1 ? owners[0] : undefined;
  const fields = useFields(owner);

  function tell({ affected, left }: Assigned) {
    if (left === 0) void message.success(t('home.domains_assigned', { number: affected }));
    else void message.warning(t('home.domains_assigned_some', { number: affected, left }));
  }

  return (
    <FormModal
      action={action}
      title="no_domain_name.assign_title"
      submit="no_domain_name.choose_domain"
      intro={t('no_domain_name.assign_intro', { number: codes.length })}
      initial={{ way: 'automatic' }}
      fields={fields}
      success={false}
      toInput={({ way, entry_domain_id, landing_domain_id, accept_risk = false }) => ({
        ids: codes.map(({ id }) => id),
        ...(way === 'automatic'
          ? { automatic: true }
          : { accept_risk, ...(entry_domain_id ? { entry_domain_id } : {}), ...(landing_domain_id ? { landing_domain_id } : {}) }),
      })}
      invalidates={['no_domain_name', 'nodomain', 'qr_code_list', 'domain_list']}
      onDone={tell}
      onClose={onClose}
    >
      <DomainRiskField ownerId={owner} />
    </FormModal>
  );
}

import { useTranslation } from 'react-i18next';
import { type DomainHolder, maxQuota } from '../../../contract/domains/hold-domain.ts';
import { api } from '../../kit/calls/api.ts';
import { byDefault, intervalOptions, toInterval } from '../../kit/detection/intervals.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';

type Props = { holders: readonly DomainHolder[]; onClose: () => void };

const idsOf = (holders: readonly DomainHolder[]) => holders.map(({ id }) => id);
/** Of many users, each may have another value: then the form begins with none. */
const alone = (holders: readonly DomainHolder[]) => (holders.length === 1 ? holders[0] : undefined);
const number = { kind: 'number', placeholder: 'common.default', minimum: 0, maximum: maxQuota } as const;

/** How many domains these users may hold. */
export function DomainQuota({ holders, onClose }: Props) {
  const { t } = useTranslation();
  const one = alone(holders);
  return (
    <FormModal
      action={api.hold_domain.quota}
      title="hold_domain.set_quota"
      submit="common.save"
      intro={
        one
          ? t('hold_domain.quota_of', { account: one.account, number: one.domains, count: one.domains })
          : t('hold_domain.quota_of_many', { number: holders.length })
      }
      initial={{ domain_quota: one?.domain_quota ?? null }}
      fields={[{ ...number, name: 'domain_quota', label: 'hold_domain.quota', help: 'hold_domain.quota_help' }]}
      toInput={({ domain_quota }) => ({ ids: idsOf(holders), domain_quota: domain_quota ?? null })}
      onClose={onClose}
    />
  );
}

/** For how many days visits to their codes are kept. */
export function LogDays({ holders, onClose }: Props) {
  const { t } = useTranslation();
  const one = alone(holders);
  return (
    <FormModal
      action={api.hold_domain.log_days}
      title="hold_domain.set_log_days"
      submit="common.save"
      intro={
        one
          ? t('hold_domain.log_days_of', { account: one.account, days: one.kept_days })
          : t('hold_domain.quota_of_many', { number: holders.length })
      }
      initial={{ log_days: one?.log_days ?? null }}
      fields={[
        { ...number, minimum: 1, maximum: 3650, name: 'log_days', label: 'hold_domain.kept_days', help: 'hold_domain.log_days_help' },
      ]}
      toInput={({ log_days }) => ({ ids: idsOf(holders), log_days: log_days ?? null })}
      onClose={onClose}
    />
  );
}

/** How many addresses they may watch besides, and how often. */
export function MonitorQuota({ holders, onClose }: Props) {
  const { t } = useTranslation();
  const one = alone(holders);
  const present = one?.monitor_minimum_seconds ?? null;
  return (
    <FormModal
      action={api.hold_domain.monitor_quota}
      title="hold_domain.set_monitor_quota"
      submit="common.save"
      intro={
        one
          ? t('hold_domain.monitor_quota_of', { account: one.account, number: one.monitors })
          : t('hold_domain.quota_of_many', { number: holders.length })
      }
      initial={{ monitor_quota: one?.monitor_quota ?? null, monitor_minimum_seconds: present ?? byDefault }}
      fields={[
        { ...number, name: 'monitor_quota', label: 'hold_domain.monitor_quota', help: 'hold_domain.monitor_quota_help' },
        {
          kind: 'select',
          name: 'monitor_minimum_seconds',
          label: 'hold_domain.monitor_minimum',
          help: 'hold_domain.monitor_minimum_help',
          options: intervalOptions({ present }),
        },
      ]}
      toInput={({ monitor_quota, monitor_minimum_seconds }) => ({
        ids: idsOf(holders),
        monitor_quota: monitor_quota ?? null,
        monitor_minimum_seconds: toInterval(monitor_minimum_seconds),
      })}
      onClose={onClose}
    />
  );
}

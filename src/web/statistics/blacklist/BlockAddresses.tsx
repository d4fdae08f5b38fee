import { useTranslation } from 'react-i18next';
import type { api } from '../../kit/calls/api.ts';
import type { GroupName } from '../../kit/calls/query.ts';
import { FormModal } from '../../kit/dialogs/FormModal.tsx';

type Props = {
  action: typeof api.visitor.blacklist | typeof api.checkout_ip.blacklist | typeof api.stealing_list.blacklist;
  ips: readonly string[];
  invalidates: readonly GroupName[];
  onClose: () => void;
};

/** Asks until when visits of these addresses are to be refused, and why. */
export function BlockAddresses({ action, ips, invalidates, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <FormModal
      action={action}
      title={ips.length === 1 ? t('visitor.blacklist_title', { ip: ips[0] ?? '' }) : t('visitor.blacklist_many', { number: ips.length })}
      submit="visitor.add_to_blacklist"
      intro={t('visitor.blacklist_intro')}
      toInput={(values) => ({ ...values, ips })}
      invalidates={invalidates}
      fields={[
        {
          kind: 'time',
          name: 'expires_at',
          label: 'common.field.expires_at',
          help: 'visitor.expires_at_help',
          placeholder: 'common.for_ever',
        },
        { kind: 'text', name: 'remark', label: 'visitor.remark' },
      ]}
      onClose={onClose}
    />
  );
}

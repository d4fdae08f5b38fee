import { Alert, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { Removal, User } from '../../contract/people/user-list.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { type FieldData, FormModal } from '../kit/dialogs/FormModal.tsx';
import { Failure, Num } from '../kit/feedback.ts';
import { userOptions } from './people.fields.tsx';
import './people.css';

type Props = { group: 'user_list' | 'administrators'; user: User; onClose: () => void };

const facts = ['live_codes', 'removed_codes', 'domains', 'short_codes', 'customers', 'api_token_number'] as const;
const isGiven = (values: Record<string, unknown>) => values.codes === 'transfer';
const hasBalance = ({ balance }: Removal) => Number(balance) !== 0;

function fieldsFor({ domains }: Removal): FieldData[] {
  const words = (name: string, values: readonly string[]) =>
    values.map((value) => ({ value, label: `user_list.removal.${name}.${value}` }));
  return [
    { kind: 'radio', name: 'codes', label: 'user_list.removal.codes_label', options: words('codes', ['remove', 'transfer']) },
    { kind: 'remote', name: 'to_user_id', label: 'user_list.removal.to_user', source: userOptions, required: true, visible: isGiven },
    ...(domains > 0
      ? [
          {
            kind: 'radio' as const,
            name: 'domains',
            label: 'user_list.removal.domains_label',
            options: words('domains', ['user', 'pool']),
            visible: isGiven,
          },
        ]
      : []),
  ];
}

/** What a user leaves, and what happens to it by itself. */
function Left({ left }: { left: Removal }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="lc-people-left">
        {facts.map((fact) => (
          <span key={fact}>
            <b>
              <Num value={left[fact]} />
            </b>{' '}
            {t(`user_list.removal.facts.${fact}`)}
          </span>
        ))}
      </span>
      {hasBalance(left) && <Alert type="error" showIcon title={t('user_list.removal.has_balance', { balance: left.balance })} />}
      {left.customers > 0 && (
        <span>
          {left.superior_account
            ? t('user_list.removal.customers_go', { superior: left.superior_account })
            : t('user_list.removal.customers_free')}
        </span>
      )}{' '}
      <span>{t('user_list.removal.help')}</span>
    </>
  );
}

/** Asks what becomes of what a user leaves, and removes him. */
export function RemoveUserDialog({ group, user, onClose }: Props) {
  const { t } = useTranslation();
  const { data, error, refetch, isFetching } = useCall(api[group].removal, { id: user.id }, { staleTime: 0, placeholderData: undefined });
  const title = t('user_list.removal.title', { account: user.account });
  if (!data || isFetching) {
    return (
      <Modal open title={title} footer={null} onCancel={onClose}>
        {error ? <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} /> : <Skeleton active />}
      </Modal>
    );
  }
  return (
    <FormModal
      action={api[group].remove}
      title={title}
      name={user.account}
      submit="user_list.removal.submit"
      danger
      intro={<Left left={data} />}
      initial={{ codes: 'remove', domains: 'user' }}
      toInput={({ codes, to_user_id, domains }) => ({
        id: user.id,
        codes,
        ...(codes === 'transfer' ? { to_user_id, domains: data.domains > 0 ? domains : 'user' } : {}),
      })}
      fields={data.live_codes + data.short_codes + data.domains > 0 ? fieldsFor(data) : []}
      invalidates={['user_list', 'administrators', 'qr_code_list', 'domain_list', 'hold_domain', 'short_code', 'forward', 'role']}
      onClose={onClose}
    />
  );
}

import { Button, Skeleton } from 'antd';
import { useTranslation } from 'react-i18next';
import type { OutputOf } from '../../../contract/kit/call.ts';
import type { ownAddresses } from '../../../contract/visits/own-address.ts';
import { api } from '../../kit/calls/api.ts';
import { useAction, useCall } from '../../kit/calls/query.ts';
import { ContractForm, Field, useContractForm } from '../../kit/dialogs/FormModal.tsx';
import { Failure, Time } from '../../kit/feedback.ts';
import { useDone } from '../../kit/undo/useDone.tsx';

type OwnAddress = OutputOf<(typeof ownAddresses)['calls']['inquire']>['content'][number];

/** From where visits to the own codes count for nothing. */
export function OwnAddressesPanel() {
  const { t } = useTranslation();
  const done = useDone();
  const { data, error, refetch } = useCall(api.own_address.inquire, {});
  const add = useAction(api.own_address.add);
  const remove = useAction(api.own_address.remove, { success: false });
  const form = useContractForm(api.own_address.add, { onDone: () => form.reset({}) });

  async function removeOne({ id, network }: OwnAddress) {
    if (await remove.run({ id })) void done(t('own_address.removed', { network }), () => void add.run({ network }));
  }

  if (!data && error) return <Failure error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton active title={false} />;
  const { content, present: network, is_present_named } = data;
  return (
    <>
      <ul className="lc-sessions">
        {content.map((address) => (
          <li key={address.id}>
            <div>
              <strong className="lc-num">{address.network}</strong>
              <p className="lc-soft lc-num">
                {t('own_address.added')} <Time value={address.created_at} />
              </p>
            </div>
            <Button type="text" danger onClick={() => void removeOne(address)}>
              {t('common.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {is_present_named ? (
        <p className="lc-soft lc-num">{t('own_address.present_named', { network })}</p>
      ) : (
        <Button loading={add.isRunning} onClick={() => void add.run({ network })}>
          {t('own_address.add_present', { network })}
        </Button>
      )}
      <ContractForm form={form} entersSend>
        <div className="lc-security-line">
          <Field kind="text" name="network" label="own_address.network" placeholder="own_address.placeholder" required={false} />
          <Button htmlType="submit" loading={form.isRunning}>
            {t('own_address.add')}
          </Button>
        </div>
      </ContractForm>
    </>
  );
}

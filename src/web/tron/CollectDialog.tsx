import { Alert, Button, Skeleton } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { CollectionPlan } from '../../contract/money/tron.ts';
import { api } from '../kit/calls/api.ts';
import { failureText } from '../kit/calls/failure.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { Modal } from '../kit/dialogs/dialogs.tsx';
import { Amount, Copyable, Empty, Failure } from '../kit/feedback.ts';
import { OperationDialog } from '../kit/operations/OperationDialog.tsx';
import { useFormat } from '../kit/texts/format.ts';
import { shownAmount, trx, usdt } from './amounts.ts';

const invalidates = ['tron', 'tron_transaction_summary', 'async_operations'] as const;

/** What it would come to, before anything is sent. */
function Totals({ plan }: { plan: CollectionPlan }) {
  const { t } = useTranslation();
  const facts = [
    ['tron.plan_number', plan.number],
    ['tron.plan_amount', usdt(plan.amount)],
    ['tron.plan_cost', trx(plan.cost)],
    ['tron.plan_fee_balance', trx(plan.fee_balance)],
  ] as const;
  return (
    <dl className="lc-tron-plan">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{t(label)}</dt>
          <dd className="lc-num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What energy of the fee wallet's stake would save. */
function Energy({ energy: { cheaper, burnt, delegated, available, wallets } }: { energy: NonNullable<CollectionPlan['energy']> }) {
  const { t } = useTranslation();
  const { exact } = useFormat();
  return (
    <Alert
      className="lc-form-apart"
      type="info"
      showIcon
      title={t(`tron.energy_${cheaper}`, { burnt: trx(burnt), delegated: trx(delegated) })}
      description={`${t('tron.energy_enough', { available: exact(available), wallets: exact(wallets) })} ${t('tron.energy_by_hand')}`}
    />
  );
}

/** Wallet by wallet, as far as they are shown. */
function Wallets({ wallets }: Pick<CollectionPlan, 'wallets'>) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="lc-tron-wallets" tabIndex={0} aria-label={t('tron.plan_wallets')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('tron.address')}</th>
            <th scope="col">{t('common.field.user')}</th>
            <th scope="col">{t('tron_transaction_summary.amount')}</th>
            <th scope="col">{t('tron.plan_cost')}</th>
          </tr>
        </thead>
        <tbody>
          {wallets.map(({ id, address, account, amount, cost, skip }) => (
            <tr key={id}>
              <td>
                <Copyable value={address} maximum={16} code />
              </td>
              <td>{account}</td>
              <td className="lc-num">{shownAmount(amount)}</td>
              <td>{skip ? t(`tron.skip_${skip}`) : <Amount value={cost} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Content({ plan }: { plan: CollectionPlan }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="lc-tron-parts">
        {t('tron.plan_receiver')} <Copyable value={plan.collecting_address} maximum={40} code />
      </p>
      <Totals plan={plan} />
      {plan.energy && <Energy energy={plan.energy} />}
      {plan.wallets.some(({ skip }) => skip === 'fees_missing') && (
        <Alert
          className="lc-form-apart"
          type="warning"
          showIcon
          title={t('tron.fees_missing')}
          description={<Copyable value={plan.fee_address} maximum={40} code />}
        />
      )}
      {plan.under_way > 0 && (
        <p className="lc-soft">
          {t('tron.plan_under_way', { number: plan.under_way })}{' '}
          <Link to="/system/tron_transaction_summary">{t('menu.tron_transaction_summary')}</Link>
        </p>
      )}
      {plan.wallets.length > 0 ? <Wallets wallets={plan.wallets} /> : <p className="lc-soft">{t('tron.plan_empty')}</p>}
    </>
  );
}

/** Shows what collecting would do and cost, asks, and follows it. Without `ids` it is about all wallets above the threshold. */
export function CollectDialog({ ids, onClose }: { ids: number[] | undefined; onClose: () => void }) {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { data: plan, error, refetch, isFetching } = useCall(api.tron.plan, ids ? { ids } : {});
  const options = { invalidates, success: false } as const;
  const one = useAction(api.tron.collect, options);
  const all = useAction(api.tron.collect_all, options);
  const [operation, setOperation] = useState<number | null>(null);
  if (operation !== null)
    return (
      <OperationDialog
        id={operation}
        invalidates={invalidates}
        onClose={onClose}
        next={() => <Link to="/system/tron_transaction_summary">{t('menu.tron_transaction_summary')}</Link>}
      />
    );

  async function run() {
    const started = ids ? await one.run({ ids }) : await all.run({});
    if (started) setOperation(started.operation_id);
  }
  const ask = () =>
    void (ids
      ? run()
      : confirm({
          title: 'tron.collect_all_title',
          content: t('tron.collect_all_content', {
            number: plan?.number ?? 0,
            amount: usdt(plan?.amount ?? '0'),
            cost: trx(plan?.cost ?? '0'),
          }),
          confirm: 'tron.collect_all',
          run,
        }));
  return (
    <Modal
      open
      title={t(ids ? 'tron.collect' : 'tron.collect_all')}
      onCancel={onClose}
      footer={[
        <Button key="cancel" onClick={onClose}>
          {t('common.cancel')}
        </Button>,
        <Button key="collect" type="primary" disabled={!plan?.number} loading={one.isRunning || all.isRunning} onClick={ask}>
          {t('tron.collect_start')}
        </Button>,
      ]}
    >
      {error?.code === 'tron.no_collecting_address' ? (
        <Empty title={failureText(error)} action={<Link to="/customer/pay_config">{t('menu.pay_config')}</Link>} />
      ) : (
        error && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />
      )}
      {!plan && !error && <Skeleton active />}
      {plan && <Content plan={plan} />}
    </Modal>
  );
}

import { AutoComplete, Button, Form } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { amountOf, millionthsOf } from '../../contract/money/amounts.ts';
import { positiveAmount } from '../../contract/money/ledger.ts';
import { looksLike, type Withdrawal, type WithdrawalTerms, withdrawalFee } from '../../contract/money/withdrawal-list.ts';
import { api } from '../kit/calls/api.ts';
import { useAction, useCall } from '../kit/calls/query.ts';
import { Allowed, useSession } from '../kit/calls/session.tsx';
import { useConfirm } from '../kit/dialogs/confirm.tsx';
import { FormModal } from '../kit/dialogs/FormModal.tsx';
import { Failure } from '../kit/feedback.ts';
import { useFormContext } from '../kit/form/ContractForm.tsx';
import { ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { HeldShares } from '../kit/money/HeldShares.tsx';
import { useAskedAct } from '../kit/useAskedAct.ts';
import { shownAmount, usdt } from './amounts.ts';
import { TestNetwork } from './TestNetwork.tsx';
import { Frozen, LooksLike, withdrawalColumns, withdrawalFilters } from './WithdrawalListPage.tsx';
import './tron.css';

const columns = columnsOf(api.acting_withdrawal_list.inquire, withdrawalColumns);

const isNothing = (text: string) => millionthsOf(text) === 0n;
const trimmed = (text: string): string => text.replace(/\.?0+$/, '');

/** Puts all that can be withdrawn into the form. */
function AllButton({ amount }: { amount: string }) {
  const { t } = useTranslation();
  const { form, onValuesChange } = useFormContext();
  function take() {
    form.setFieldValue('amount', trimmed(amount));
    onValuesChange();
  }
  return (
    <Button type="link" size="small" disabled={isNothing(amount)} onClick={take}>
      {t('acting_withdrawal_list.all')}
    </Button>
  );
}

/** The fee and what arrives of the amount that is being typed. */
function Arriving({ terms }: { terms: WithdrawalTerms }) {
  const { t } = useTranslation();
  const { form } = useFormContext();
  const typed: unknown = Form.useWatch('amount', form);
  const parsed = positiveAmount.safeParse(typed);
  const wanted = parsed.success ? millionthsOf(parsed.data) : 0n;
  const fee = withdrawalFee(wanted, terms);
  const arrives = wanted > fee ? wanted - fee : 0n;
  return (
    <dl className="lc-withdrawal-arrives lc-field-wide" aria-live="polite">
      <dt>{t('withdrawal_list.fee')}</dt>
      <dd className="lc-num">{wanted > 0n ? usdt(amountOf(fee)) : '–'}</dd>
      <dt>{t('withdrawal_list.arrives')}</dt>
      <dd className="lc-num">{wanted > 0n ? usdt(amountOf(arrives)) : '–'}</dd>
    </dl>
  );
}

/** Warns while an address is typed that only looks like one that was paid to before. */
function Resembling({ addresses }: Pick<WithdrawalTerms, 'addresses'>) {
  const { form } = useFormContext();
  const typed: unknown = Form.useWatch('address', form);
  const other = typeof typed === 'string' ? addresses.find((one) => looksLike(typed.trim(), one)) : undefined;
  return (
    <div className="lc-field-wide" aria-live="polite">
      <LooksLike other={other ?? null} />
    </div>
  );
}

function AskDialog({ terms, onClose }: { terms: WithdrawalTerms; onClose: () => void }) {
  const { t } = useTranslation();
  const options = terms.addresses.map((value) => ({ value }));
  return (
    <FormModal
      action={api.acting_withdrawal_list.add}
      title="acting_withdrawal_list.ask"
      submit="acting_withdrawal_list.ask"
      invalidates={['bill', 'home']}
      intro={<Terms terms={terms} />}
      fields={[
        {
          kind: 'text',
          name: 'amount',
          label: t('withdrawal_list.amount'),
          help: t('acting_withdrawal_list.available', { amount: shownAmount(terms.withdrawable) }),
          suffix: <AllButton amount={terms.withdrawable} />,
        },
        {
          kind: 'custom',
          name: 'address',
          label: 'withdrawal_list.address',
          help: 'acting_withdrawal_list.address_help',
          wide: true,
          render: (control) => <AutoComplete {...(control as object)} options={options} className="lc-wide lc-code" />,
        },
      ]}
      onClose={onClose}
    >
      <Resembling addresses={terms.addresses} />
      <Arriving terms={terms} />
    </FormModal>
  );
}

/** What a withdrawal costs and how long it may take. */
function Terms({ terms }: { terms: WithdrawalTerms }) {
  const { t } = useTranslation();
  const { minimum, fee, fee_percent, cool_off_hours } = terms;
  const words = { fee: trimmed(amountOf(millionthsOf(fee))), percent: fee_percent };
  const fees = isNothing(fee)
    ? fee_percent === 0
      ? 'acting_withdrawal_list.no_fee'
      : 'acting_withdrawal_list.fee_percent'
    : fee_percent === 0
      ? 'acting_withdrawal_list.fee_fixed'
      : 'acting_withdrawal_list.fee_both';
  return (
    <ul className="lc-withdrawal-terms lc-soft">
      {!isNothing(minimum) && <li>{t('acting_withdrawal_list.minimum', { amount: trimmed(amountOf(millionthsOf(minimum))) })}</li>}
      <li>{t(fees, words)}</li>
      {cool_off_hours > 0 && <li>{t('acting_withdrawal_list.cool_off', { hours: cool_off_hours })}</li>}
    </ul>
  );
}

function Balance({ terms }: { terms: WithdrawalTerms }) {
  const { t } = useTranslation();
  return (
    <section className="lc-panel lc-recharge-section">
      <p>
        {t('acting_withdrawal_list.withdrawable')} <span className="lc-recharge-balance lc-num">{usdt(terms.withdrawable)}</span>
      </p>
      <p className="lc-soft">{t('acting_withdrawal_list.of_balance', { amount: shownAmount(terms.balance) })}</p>
      {!isNothing(terms.held) && <p className="lc-soft">{t('acting_withdrawal_list.held', { amount: shownAmount(terms.held) })}</p>}
      <HeldShares shares={terms.shares} />
      <Terms terms={terms} />
    </section>
  );
}

/** The withdrawals of what one has earned. */
export function ActingWithdrawalListPage() {
  const { t } = useTranslation();
  const { allows } = useSession();
  const confirm = useConfirm();
  const { data: terms, error, refetch, isFetching } = useCall(api.acting_withdrawal_list.terms, {}, { refetchInterval: 30_000 });
  const [isOpen, setIsOpen] = useState(false);
  useAskedAct('add', () => setIsOpen(true), allows('acting_withdrawal_list.add'));
  const cancel = useAction(api.acting_withdrawal_list.cancel, { invalidates: ['bill', 'home'] });
  const ask = (row: Withdrawal) =>
    confirm({
      title: t('acting_withdrawal_list.cancel_title', { amount: shownAmount(row.amount) }),
      content: 'acting_withdrawal_list.cancel_content',
      confirm: 'acting_withdrawal_list.cancel',
      run: () => cancel.run({ id: row.id }),
    });
  return (
    <>
      <ListPage
        title="menu.acting_withdrawal_list"
        actions={
          <Allowed node="acting_withdrawal_list.add">
            <Button type="primary" disabled={!terms || terms.frozen} onClick={() => setIsOpen(true)}>
              {t('acting_withdrawal_list.ask')}
            </Button>
          </Allowed>
        }
        above={
          <>
            <TestNetwork network={terms?.network} />
            <Frozen isFrozen={terms?.frozen ?? false} />
            {error && !terms && <Failure error={error} retry={() => void refetch()} isRetrying={isFetching} />}
            {terms && <Balance terms={terms} />}
          </>
        }
        list={api.acting_withdrawal_list.inquire}
        columns={columns}
        filters={withdrawalFilters}
        defaultSort={{ sort: 'id', order: 'desc' }}
        pollSeconds={30}
        exportName="menu.acting_withdrawal_list"
        empty={{ title: 'acting_withdrawal_list.empty', help: 'acting_withdrawal_list.empty_help' }}
        rowActions={[
          {
            key: 'cancel',
            label: 'acting_withdrawal_list.cancel',
            node: 'acting_withdrawal_list.add',
            visible: ({ state }) => state === 'waiting',
            onClick: (row) => void ask(row),
          },
        ]}
      />
      {isOpen && terms && <AskDialog terms={terms} onClose={() => setIsOpen(false)} />}
    </>
  );
}

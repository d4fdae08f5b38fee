import type { Coupon } from '../../contract/money/coupon.ts';
import { api } from '../kit/calls/api.ts';
import { useCall } from '../kit/calls/query.ts';
import { type CrudField, useCrud } from '../kit/crud/useCrud.tsx';
import { Amount, Copyable, shownAmount } from '../kit/feedback.ts';
import type { Values } from '../kit/form/contract.ts';
import { type Filter, ListPage } from '../kit/ListPage.tsx';
import { columnsOf } from '../kit/list/kinds.tsx';
import { translate } from '../kit/texts/i18n.ts';

const calls = api.coupon;
const nameOf = ({ code }: Coupon) => code;
const percentOf = (basisPoints: number): string => `${basisPoints / 100}%`;

const filters: Filter<'code' | 'enabled'>[] = [
  { kind: 'text', key: 'code', label: 'coupon.code' },
  { kind: 'boolean', key: 'enabled', label: 'common.field.enabled', yes: 'common.enabled', no: 'common.disabled' },
];

type Option = { value: number; label: string };
const fields = (combos: readonly Option[]): CrudField[] => [
  { kind: 'text', name: 'code', help: 'coupon.code_help', code: true },
  { kind: 'number', name: 'percent', suffix: '%', minimum: 0.01, maximum: 100, help: 'coupon.percent_help', required: false },
  { kind: 'text', name: 'amount', suffix: 'USDT', help: 'coupon.amount_help', required: false },
  { kind: 'time', name: 'valid_from', placeholder: 'coupon.now' },
  { kind: 'time', name: 'valid_to', placeholder: 'common.for_ever' },
  { kind: 'number', name: 'max_uses', minimum: 1, placeholder: 'common.unlimited', required: false },
  { kind: 'switch', name: 'once_a_user' },
  { kind: 'select', name: 'combo_ids', options: combos, multiple: true, placeholder: 'coupon.all_combos' },
  { kind: 'text', name: 'remark', label: 'common.field.remark' },
  { kind: 'switch', name: 'enabled', label: 'common.field.switched_on' },
];

/** The form has per cent, the wire basis points; an empty amount is none. */
const toInput = ({ percent = null, amount, ...values }: Values): Values => ({
  ...values,
  percent: typeof percent === 'number' ? Math.round(percent * 100) : null,
  amount: amount || null,
});

const initialOf = (row: Coupon | undefined): Values => {
  if (!row) return { once_a_user: true, enabled: true, combo_ids: [], valid_from: null, valid_to: null };
  const { code, percent, amount, valid_from, valid_to, max_uses, once_a_user, combo_ids, remark, enabled } = row;
  const off = { percent: percent === null ? null : percent / 100, amount: amount === null ? '' : shownAmount(amount) };
  return { code, ...off, valid_from, valid_to, max_uses, once_a_user, combo_ids, remark, enabled };
};

/** Coupons: add, change, switch on or off, remove. */
export function CouponPage() {
  const { data: combos } = useCall(api.vip_combo.inquire, { page_size: 200 });
  const options = (combos?.content ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const nameOfCombo = (id: number) => options.find(({ value }) => value === id)?.label ?? `#${id}`;
  const { list, dialogs } = useCrud<Coupon>(calls, {
    fields: () => fields(options),
    initialOf,
    name: nameOf,
    invalidates: ['buy_vip_combo'],
    form: () => ({ toInput }),
  });
  const combosOf = ({ combo_ids }: Coupon) =>
    combo_ids.length === 0 ? translate('coupon.all_combos') : combo_ids.map(nameOfCombo).join(translate('common.comma'));
  const usesOf = ({ used, max_uses }: Coupon) => `${used} / ${max_uses ?? translate('common.unlimited')}`;
  const offOf = ({ percent, amount }: Coupon) => (percent === null ? `${shownAmount(amount ?? '0.000000')} USDT` : percentOf(percent));
  const columns = columnsOf(calls.inquire, [
    { key: 'code', kind: 'name', width: 190, render: (row: Coupon) => <Copyable value={row.code} code /> },
    { key: 'off', width: 120, align: 'right', card: 'field', exportValue: offOf, render: offOf },
    { key: 'used', width: 120, align: 'right', card: 'field', exportValue: usesOf, render: usesOf },
    { key: 'saved', width: 130, align: 'right', render: (row: Coupon) => <Amount value={row.saved} /> },
    { key: 'combo_ids', width: 180, exportValue: combosOf, render: combosOf },
    { key: 'valid_from', kind: 'time', hiddenByDefault: true },
    { key: 'valid_to', kind: 'time', card: 'field' },
    { key: 'enabled', kind: 'enabled' },
    { key: 'remark', title: 'common.field.remark' },
    { key: 'created_at', kind: 'time', hiddenByDefault: true },
  ]);
  return (
    <>
      <ListPage list={calls.inquire} columns={columns} filters={filters} defaultSort={{ sort: 'id', order: 'desc' }} {...list} />
      {dialogs}
    </>
  );
}

import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../kit/calls/api.ts';
import { failureText, fieldErrorText } from '../kit/calls/failure.ts';
import { useCall } from '../kit/calls/query.ts';
import type { ApiFailure } from '../kit/calls/request.ts';
import { useFormat } from '../kit/texts/format.ts';

const pollMilliseconds = 10_000;
export type Discounts = Awaited<ReturnType<typeof api.buy_vip_combo.coupon>>;
type CouponState = { code: string; setCode: (code: string) => void; discounts: Discounts | undefined; failure: ApiFailure | null };

/** The coupon that one bought with, as long as it is good. */
export function useCoupon(): CouponState {
  const [code, setCode] = useState('');
  const { data, error } = useCall(
    api.buy_vip_combo.coupon,
    { code },
    { enabled: code !== '', placeholderData: undefined, refetchInterval: pollMilliseconds },
  );
  return { code, setCode, discounts: code === '' || error ? undefined : data, failure: code === '' ? null : error };
}

/** Where a coupon's code is typed; what it takes off stands on the cards then. */
export function CouponField({ coupon: { code, setCode, discounts, failure } }: { coupon: CouponState }) {
  const { t } = useTranslation();
  const { time } = useFormat();
  const [typed, setTyped] = useState('');
  const id = useId();
  const faultCode = failure?.fields.coupon ?? failure?.fields.code;
  const fault = failure && (faultCode ? fieldErrorText(faultCode) : failureText(failure));
  return (
    <form
      className="lc-money-coupon"
      onSubmit={(event) => {
        event.preventDefault();
        setCode(typed.trim().toUpperCase());
      }}
    >
      <label htmlFor={id}>{t('buy_vip_combo.coupon')}</label>
      <Input
        id={id}
        value={typed}
        maxLength={32}
        status={fault ? 'error' : ''}
        aria-invalid={Boolean(fault)}
        aria-describedby={`${id}-state`}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button htmlType="submit" disabled={typed.trim() === ''}>
        {t('buy_vip_combo.coupon_use')}
      </Button>
      {code !== '' && (
        <Button
          type="text"
          onClick={() => {
            setCode('');
            setTyped('');
          }}
        >
          {t('buy_vip_combo.coupon_drop')}
        </Button>
      )}
      <span id={`${id}-state`} role="status" className={fault ? 'lc-money-fault' : 'lc-soft'}>
        {fault ??
          (discounts &&
            t(discounts.valid_to ? 'buy_vip_combo.coupon_until' : 'buy_vip_combo.coupon_applied', {
              code: discounts.code,
              until: discounts.valid_to ? time(discounts.valid_to) : '',
            }))}
      </span>
    </form>
  );
}

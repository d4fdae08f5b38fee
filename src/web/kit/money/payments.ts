import { useEffect, useState } from 'react';

/** Where an own order is paid, and seen being paid. */
export const paymentPage = (id: number): string => `/customer/order_payment/${id}`;

/** Where a combo is bought again. */
export const buyingPage = (combo_id: number): string => `/customer/buy_vip_combo?act=buy&id=${combo_id}`;

/**
 * Hours, minutes and seconds to the moment, each second anew.
 * @param ahead milliseconds that the server's clock is ahead of this one
 */
export function useCountdown(until: string, ahead = 0): string {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((Date.parse(until) - now - ahead) / 1000));
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** `12.500000` as it is read: without zeros that say nothing, with two digits after the point at least. */
export function shownAmount(text: string): string {
  const [whole = '0', fraction = ''] = text.split('.');
  const kept = fraction.replace(/0+$/, '').padEnd(2, '0');
  return `${whole.replace(/\B(?=(\d{3})+(?!\d))/g, ',')}.${kept}`;
}

export const usdt = (text: string): string => `${shownAmount(text)} USDT`;
export const trx = (text: string): string => `${shownAmount(text)} TRX`;

/** USDT: six decimals on the wire, two at least on the screen, none lost. */
export const shownAmount = (amount: string): string => amount.replace(/(\.\d{2}\d*?)0+$/, '$1');

/** With `signed` what was added has a plus, so that columns of changes read at once. */
export function Amount({ value, signed = false }: { value: string; signed?: boolean }) {
  return <span className="lc-num">{`${signed && !value.startsWith('-') ? '+' : ''}${shownAmount(value)}`}</span>;
}

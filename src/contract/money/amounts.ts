/** Decimals of an amount of USDT, as of TRX. */
export const decimals = 6;

/** `12.5` is 12500000n. The text is one that `amount` or `signedAmount` let through. */
export function millionthsOf(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace(/^[+-]/, '').split('.');
  const millionths = BigInt(whole) * 10n ** BigInt(decimals) + BigInt(fraction.padEnd(decimals, '0') || '0');
  return text.startsWith('-') ? -millionths : millionths;
}

/** 12500000n is `12.500000`. */
export function amountOf(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(decimals + 1, '0');
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The lesser of two; Math.min takes no bigint. */
export const least = (one: bigint, other: bigint): bigint => (one <= other ? one : other);

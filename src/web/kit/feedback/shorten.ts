/** Keeps both ends of a long text, which tell addresses and hashes apart. */
export function shortenMiddle(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const kept = maximum - 1;
  return `${text.slice(0, Math.ceil(kept / 2))}…${text.slice(text.length - Math.floor(kept / 2))}`;
}

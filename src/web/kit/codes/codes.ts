/** As many as the call takes. */
export const maxCodes = 200;

/** The ids in an address such as `?codes=3-14`; what is no id is left out. */
export function codesIn(text: string | null): number[] {
  const found = (text ?? '')
    .split('-')
    .filter((part) => /^[1-9]\d{0,15}$/.test(part))
    .map(Number)
    .filter(Number.isSafeInteger);
  return [...new Set(found)].slice(0, maxCodes);
}

/** A host with a dot, and whatever follows it; not something that already has a scheme. */
const bareHost = /^(?:[\p{L}\p{N}-]+\.)+[\p{L}]{2,}(?::\d{1,5})?(?:[/?#]\S*)?$/u;

/** An address as typed, without blanks around it, and with `https://` where only host and path were typed. */
export function completeUrl(typed: string): string {
  const address = typed.trim();
  return bareHost.test(address) ? `https://${address}` : address;
}

/** The host of a web address for narrow places, or the start of any other address. */
export function shortAddress(address: string, maximum = 60): string {
  const shown = address.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return shown.length > maximum ? `${shown.slice(0, maximum - 1)}…` : shown;
}

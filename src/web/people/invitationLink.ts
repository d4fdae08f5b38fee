/**
 * The link that brings an invitation code to the registration.
 * @param registerUrl the operator's own registration page, or empty for ours
 * @param home address of this app without its hash, such as `https://a.example/`
 */
export function invitationLink(code: string, registerUrl: string, home: string): string {
  const page = registerUrl || `${home}#/admin_register`;
  // A page behind a hash route reads its parameters from the hash, as ours does.
  const separator = page.slice(page.indexOf('#') + 1).includes('?') ? '&' : '?';
  return `${page}${separator}code=${encodeURIComponent(code)}`;
}

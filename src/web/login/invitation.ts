/**
 * The invitation code of an invitation link. A code can be locked only where the link brought a possible one: what holds anything but
 * letters and digits is shown as it came, for the form to refuse by its rule and for its user to mend.
 */
export function invitationCode(fromAddress: string | null, mayEdit: boolean): { code: string; isLocked: boolean } {
  const code = fromAddress?.trim() ?? '';
  return { code, isLocked: /^[A-Za-z0-9]+$/.test(code) && !mayEdit };
}

import { readLocal, writeLocal } from '../kit/local.ts';

const possible = /^[A-Za-z0-9]+$/;
const key = 'invitation';
/** Who followed an invitation link is its agent's for so long: a later link of somebody else changes nothing. */
const boundMilliseconds = 30 * 86_400_000;

/**
 * The invitation code of an invitation link. A code can be locked only where the link brought a possible one: what holds anything but
 * letters and digits is shown as it came, for the form to refuse by its rule and for its user to mend.
 */
export function invitationCode(fromAddress: string | null, mayEdit: boolean): { code: string; isLocked: boolean } {
  const code = fromAddress?.trim() ?? '';
  return { code, isLocked: possible.test(code) && !mayEdit };
}

function readBound(now: number): string | null {
  const [, code = '', at = ''] = /^(\w+) (\d+)$/.exec(readLocal(key) ?? '') ?? [];
  const age = now - Number(at);
  return code !== '' && age >= 0 && age < boundMilliseconds ? code : null;
}

/** The code of the first link that this browser followed within 30 days, else the one of the address, which is kept from now on. */
export function boundInvitation(fromAddress: string | null, now = Date.now()): string | null {
  const bound = readBound(now);
  if (bound !== null) return bound;
  const code = fromAddress?.trim() ?? '';
  if (!possible.test(code)) return fromAddress;
  writeLocal(key, `${code} ${now}`);
  return code;
}

/** After a registration, or where the code is nobody's. */
export const forgetInvitation = (): void => writeLocal(key, null);

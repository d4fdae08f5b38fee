/** So many days before its end a membership's end is announced. */
const soonDays = 7;
const dayMilliseconds = 86_400_000;

export type MembershipState = { kind: 'endless' | 'active' | 'soon' | 'expired'; days: number };

/** How a membership stands at a moment; a day that has begun counts as a day left. */
export function membershipOf(expiresAt: string | null, now: string): MembershipState {
  if (expiresAt === null) return { kind: 'endless', days: 0 };
  const left = Date.parse(expiresAt) - Date.parse(now);
  if (left <= 0) return { kind: 'expired', days: Math.floor(Math.abs(left) / dayMilliseconds) };
  const days = Math.ceil(left / dayMilliseconds);
  return { kind: days <= soonDays ? 'soon' : 'active', days };
}

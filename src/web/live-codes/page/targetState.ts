import type { Target } from '../../../contract/codes/live-code.ts';
import type { StatusKind } from '../../kit/feedback.ts';

/** What can be said of a target, the gravest first. */
export const targetStates = ['disabled', 'expired', 'exhausted', 'expiring', 'nearly_full', 'serving'] as const;
export type TargetState = (typeof targetStates)[number];

const expiringMilliseconds = 3 * 86_400_000;
/** Of its visits, so few are left of a target that is nearly full. */
const nearlyFull = 0.1;

type Judged = Pick<Target, 'enabled' | 'expires_at' | 'threshold' | 'remaining'>;

/** The gravest thing to say of a target at a moment (milliseconds). */
export function targetState({ enabled, expires_at, threshold, remaining }: Judged, now: number): TargetState {
  const left = expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(expires_at) - now;
  if (!enabled) return 'disabled';
  if (left <= 0) return 'expired';
  if (threshold === null || remaining === null) return left <= expiringMilliseconds ? 'expiring' : 'serving';
  if (remaining === 0) return 'exhausted';
  if (left <= expiringMilliseconds) return 'expiring';
  return remaining <= threshold * nearlyFull ? 'nearly_full' : 'serving';
}

export const stateKinds: Record<TargetState, StatusKind> = {
  disabled: 'neutral',
  expired: 'error',
  exhausted: 'error',
  expiring: 'warning',
  nearly_full: 'warning',
  serving: 'success',
};

/** What mends a state in place; a state without an act is no fault. */
export const mendingActs: Partial<Record<TargetState, 'enable' | 'edit' | 'refill'>> = {
  disabled: 'enable',
  expired: 'edit',
  exhausted: 'refill',
  expiring: 'edit',
  nearly_full: 'refill',
};
